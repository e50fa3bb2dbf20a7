import { describe, expect, test } from 'vitest'
import { answer, done, draftsOf, endingsOf, message, prompt, said, tool } from './testing.ts'

const aborted = { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }
const running = tool('bash', { status: 'running', input: { command: 'x' } })
const over = tool('bash', { status: 'completed', input: { command: 'x' }, output: 'y', metadata: { exit: 0 } })

describe('a turn is answered', () => {
  test('when the model stops, and not while it calls tools', () => {
    expect(endingsOf(prompt('go'), answer({ finish: 'tool-calls', ...done() }, over))).toEqual([undefined])
    expect(
      endingsOf(
        prompt('go'),
        answer({ finish: 'tool-calls', ...done() }, over),
        answer({ finish: 'stop', ...done() }, said('done')),
      ),
    ).toEqual(['answered'])
  })

  test('not by a stop that the client sends back to work', () => {
    expect(
      endingsOf(
        prompt('go'),
        answer({ finish: 'stop', ...done() }, over),
        answer({ finish: 'tool-calls', ...done() }, over),
      ),
    ).toEqual([undefined])
  })

  test('by the last word of a client that gives no reason', () => {
    expect(endingsOf(prompt('go'), answer(done(), over, said('done')))).toEqual(['answered'])
    expect(endingsOf(prompt('go'), answer(done(), said('I look'), over))).toEqual([undefined])
    expect(endingsOf(prompt('go'), answer({}, said('done')))).toEqual([undefined])
  })

  test('by the reason of the last step, where the message has none', () => {
    const step = { type: 'step-finish', reason: 'stop', tokens: {} }
    expect(endingsOf(prompt('go'), answer(done(), over, said('ok'), step))).toEqual(['answered'])
  })

  test('by the event that follows the last word', () => {
    const drafts = draftsOf(prompt('go'), answer({ finish: 'stop', ...done() }, said('done')))
    expect(drafts.map(({ type, ends }) => [type, ends])).toEqual([
      ['user_input', undefined],
      ['assistant_response', undefined],
      ['runtime', 'answered'],
    ])
  })
})

describe('a turn is interrupted', () => {
  test('when the terminal says so', () => {
    expect(endingsOf(prompt('go'), answer({ ...aborted, ...done() }, said('The fir')))).toEqual(['interrupted'])
  })

  test('when an answer is unfinished and the model was asked again since', () => {
    const cut = answer({}, said('I start'), running)
    expect(endingsOf(prompt('go'), cut)).toEqual([undefined])
    expect(endingsOf(prompt('go'), { ...cut, superseded: true }, prompt('more'), answer({}))).toEqual([
      'interrupted',
      undefined,
    ])
  })

  test.each([
    'The user rejected permission to use this specific tool call.',
    'Error: no',
    'The user dismissed this question',
  ])('when a call is refused without a word: %s', (error) => {
    const refused = answer({ finish: 'tool-calls', ...done() }, tool('edit', { status: 'error', input: {}, error }))
    expect(endingsOf(prompt('go'), refused)).toEqual([error === 'Error: no' ? undefined : 'interrupted'])
    expect(endingsOf(prompt('go'), refused, answer({}, said('Then I …')))).toEqual([undefined])
  })

  test('without a response for the tool that was running', () => {
    const cut = { ...answer({}, running), superseded: true }
    expect(draftsOf(cut).map(({ type }) => type)).toEqual(['tool_call', 'runtime'])
  })
})

describe('a turn has failed', () => {
  test('with any other error, whose message is told and whose headers are not', () => {
    const error = {
      name: 'APIError',
      data: {
        message: 'invalid key',
        statusCode: 401,
        isRetryable: false,
        responseHeaders: { date: 'x' },
        responseBody: 'y',
      },
    }
    const drafts = draftsOf(prompt('go'), answer({ error, ...done() }))
    expect(drafts[1]).toMatchObject({
      type: 'runtime',
      text: 'invalid key',
      ends: 'failed',
      payload: { error: { name: 'APIError', statusCode: 401, isRetryable: false } },
    })
    expect(JSON.stringify(drafts)).not.toContain('response')
  })

  test.each(['length', 'content-filter', 'error'])('by finish %s', (finish) => {
    expect(endingsOf(prompt('go'), answer({ finish, ...done() }, said('half')))).toEqual(['failed'])
  })

  test('not by a request that is tried again', () => {
    const retry = { type: 'retry', attempt: 2, error: { name: 'APIError', data: { message: 'busy', statusCode: 529 } } }
    const drafts = draftsOf(prompt('go'), answer({ finish: 'stop', ...done() }, retry, said('done')))
    expect(drafts[1]).toMatchObject({
      type: 'runtime',
      text: 'busy',
      payload: { attempt: 2, error: { name: 'APIError', statusCode: 529 } },
    })
    expect(drafts.at(-1)).toMatchObject({ ends: 'answered' })
  })
})

describe('a compaction', () => {
  const ask = message('user', {}, { type: 'compaction', auto: true })
  const summary = (more: object) => answer({ summary: true, agent: 'compaction', ...done(), ...more }, said('So far …'))

  test('ends no turn and answers none', () => {
    const drafts = draftsOf(
      prompt('go'),
      answer({ finish: 'tool-calls', ...done() }, over),
      ask,
      summary({ finish: 'stop' }),
    )
    expect(drafts.filter(({ ends }) => ends)).toEqual([])
    expect(drafts.filter(({ type }) => type === 'compaction').map(({ text }) => text)).toEqual(['', 'So far …'])
  })

  test('leaves an answered turn answered, even when it is interrupted', () => {
    const answered = answer({ finish: 'stop', ...done() }, said('done'))
    expect(endingsOf(prompt('go'), answered, ask, summary({ finish: 'stop' }))).toEqual(['answered'])
    expect(endingsOf(prompt('go'), answered, ask, summary(aborted))).toEqual(['answered'])
  })

  test('fails the turn in whose midst it fails', () => {
    const worked = answer({ finish: 'tool-calls', ...done() }, over)
    const error = { name: 'ContextOverflowError', data: { message: 'too long' } }
    expect(endingsOf(prompt('go'), worked, ask, summary({ error }))).toEqual(['failed'])
  })
})
