import { describe, expect, it } from 'vitest'
import { statementsOf } from './extract.ts'

const stated = (...lines: string[]) => statementsOf(lines.join('\n'), { kind: 'prompt' }).map(({ text }) => text)

describe('what was not typed by the user states nothing', () => {
  it('17: a review that is announced and speaks of places in files', () => {
    expect(
      stated(
        'We keep the retry in the client. Look at what came in.',
        '',
        'Reviewer feedback: src/upload/queue.py (2)',
        '',
        'The worker must never hold the lock while it uploads.',
        '',
        'Use a context manager instead of a bare acquire.',
      ),
    ).toEqual(['We keep the retry in the client.'])
  })

  it('17: a comment that begins with a range of lines', () => {
    expect(
      stated(
        'In lib/cache/store.rb around lines 40 to 52, the eviction loop holds the mutex while',
        'it writes; change it to collect the keys first, do not write inside the loop, and',
        'keep the log line so that evictions stay visible; never swallow the error of a failed',
        'write.',
      ),
    ).toEqual([])
    expect(stated('In lib/cache/store.rb line 40 we keep the mutex, and never write inside the loop.')).toHaveLength(1)
  })

  it('18: a remark that describes code and then proposes', () => {
    const remark =
      'flushPending runs on every tick and must not be called while sendBatch waits, but startTimer returns early for ' +
      'hidden panels and always skips the flush. The branch for an empty queue is untested; consider either exposing ' +
      'the timer or asserting on the queue directly.'
    expect(stated(remark)).toEqual([])
    expect(stated(`${remark} We must not call it twice.`)).not.toEqual([])
  })

  it('17: a conversation told again', () => {
    expect(
      stated(
        'Sum this up. Never name the customer in it.',
        '',
        'User: use Redis instead of files.',
        '',
        'Assistant: Agreed. We will use Redis.',
        '- Must ship on Monday',
      ),
    ).toEqual(['Never name the customer in it.'])
    expect(stated('User: the account that owns the row.', 'Never delete a user.')).toEqual(['Never delete a user.'])
  })

  it('18: output and diffs, but the words after them', () => {
    expect(
      stated(
        'I am getting this error on the build server:',
        'Option "target" must not be empty when building for release',
        '',
        'Always pass a target, or set one in the project file',
        '',
        "Don't touch the lockfile.",
      ),
    ).toEqual(["Don't touch the lockfile."])
    expect(
      stated(
        'Never change the order.',
        '--- a/x.ts',
        '+++ b/x.ts',
        '@@ -1,2 +1,2 @@',
        '-const a = 1',
        '+const a = 2',
        ' Never mutate this list in place, it is shared',
        ' with the reader.',
      ),
    ).toEqual(['Never change the order.'])
  })

  it('18: notices of a client', () => {
    for (const notice of [
      'Caveat: The messages below were made while local commands ran. Never answer them.',
      'DO NOT respond to these messages, and never consider them.',
      'Draft mode is active. You must not edit files. Prefer tools that only read.',
      'System note: never show this text.',
      'The user indicated that they do not want edits yet. You must not change any file.',
      '<mode-notice>\nYou must never edit a file.',
      'Stop hook feedback:\n- Never finish with failing tests.',
      'This session is being continued from an earlier one.\n\nWe decided to use Redis.',
    ]) {
      expect(stated(...notice.split('\n')), notice).toEqual([])
    }
    expect(stated('Draft mode must never edit files.', 'The user must not see drafts.')).toHaveLength(2)
    expect(stated('Plan mode is active.', 'You must ask.', '', 'We decided to use Redis.')).toContain(
      'We decided to use Redis.',
    )
  })

  it('17: a long quotation', () => {
    const quoted = '"The lock is taken twice in a row. We decided to use a queue instead, and we will drop the lock."'
    expect(stated(`Somebody wrote ${quoted} Is it true`)).toEqual([])
  })

  it('18: a part that a program casts', () => {
    expect(
      stated(
        'You are helping to name releases.',
        'Return JSON only. Names must be short and must not repeat.',
        'User request: use birds instead of trees.',
      ),
    ).toEqual([])
    expect(stated('You are a careful reviewer. The user must never see a stack trace.')).toHaveLength(1)
  })

  it('18: a prompt that dictates its answer', () => {
    expect(stated('Reply with exactly READY. Do not touch any file.')).toEqual([])
    expect(stated('Answer with one word. Keep your report brief. Do not add explanations.')).toEqual([])
    expect(stated('Always answer in German.')).toEqual(['Always answer in German.'])
  })
})

describe('what only looks like a rule states nothing', () => {
  it.each([
    'The worker returns early and never reaches the flush.',
    'It opens the file and never closed it.',
    'Always returns null on the first call.',
    'A row that must not survive the merge.',
    'Make sure that the docs were moved and all links already work.',
    'We keep waiting for the review.',
  ])('18: %s', (text) => {
    expect(stated(text)).toEqual([])
  })

  it.each([
    'Write the row and never embed the key.',
    'Close the file and never focus the window.',
    'Always process the oldest first.',
    'Every row has a key that must never change, and that must hold for copies.',
    'Make sure all links work offline.',
    'We keep caching in the client.',
    'Only respond with 404 when the row is gone.',
    'Make your changes in the client, not in the server.',
    'Keep the output in one file.',
  ])('18: but this is one: %s', (text) => {
    expect(stated(text)).toEqual([text])
  })

  it('17: nor the rest of a sentence cut at a dot inside it', () => {
    expect(stated('Attach a .catch(...) to log errors; keep the timer.')).toEqual([
      'Attach a .catch(...) to log errors; keep the timer.',
    ])
    expect(stated('Add it to the list (see store.) to log the rest; keep the timer as it is.')).toHaveLength(0)
    expect(stated('It is inconsistent. please keep that style.')).toEqual(['please keep that style.'])
  })
})

it('a hostile prompt is read in time with its length', () => {
  const size = 400_000
  for (const piece of [
    'a/',
    'a.',
    '"',
    '"a',
    'a_',
    'User: ',
    'User:\n',
    '\n\n',
    'lines 1 ',
    '+a\n',
    '1-',
    'consider ',
  ]) {
    expect(statementsOf(piece.repeat(size / piece.length), { kind: 'prompt' })).toEqual([])
  }
})
