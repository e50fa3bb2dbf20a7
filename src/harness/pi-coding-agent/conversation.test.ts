import { describe, expect, test } from 'vitest'
import { foldTurns, readWith, usageTotals } from '../reading.testing.ts'
import { piCodingAgent } from './index.ts'
import {
  calls,
  draftsOf,
  endings,
  entry,
  header,
  message,
  read,
  result,
  SESSION,
  said,
  sourceFile,
  turns,
  user,
} from './testing.ts'

describe('turns', () => {
  test('a prompt opens one, and an answer that stops ends it', () => {
    expect(turns(user('Water the beds.'), said('They are wet.'))).toEqual([
      { prompt: 'Water the beds.', answer: 'They are wet.', ending: 'answered', calls: [], events: 3 },
    ])
  })

  test('text beside a tool call is commentary', () => {
    const look = message(
      'assistant',
      [
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', id: 'c', name: 'ls', arguments: { path: '.' } },
      ],
      { stopReason: 'toolUse' },
    )
    const [turn] = turns(user('Look.'), look, result('c', 'ls', 'beds'), said('Beds.'))
    expect(turn).toMatchObject({ answer: 'Beds.', ending: 'answered', calls: ['ls'] })
    expect(draftsOf(user('Look.'), look).find(({ type }) => type === 'assistant_response')?.commentary).toBe(true)
  })

  test('a picture alone is a prompt; base64 never becomes text', () => {
    const picture = message('user', [{ type: 'image', data: 'A'.repeat(8000), mimeType: 'image/png' }])
    expect(turns(picture)[0]?.prompt).toBe('[image/png 6 kB]')
    const stored = message('user', [{ type: 'image', data: 'blob:sha256:aa', mimeType: 'image/png' }])
    expect(turns(stored)[0]?.prompt).toBe('[image/png]')
  })

  test('what the client and extensions say to the model opens none, nor does what is typed in the middle of one', () => {
    const drafts = draftsOf(
      message('system', '', { sections: { preamble: 'You are an agent. '.repeat(90) } }),
      message('developer', [{ type: 'text', text: 'Mind the plan.' }]),
      user('Go on.', { synthetic: true }),
      user('Wait.', { steering: true }),
      message('custom', 'Rain.', { customType: 'acme.rain', display: true }),
      message('hookMessage', 'Wind.', { customType: 'acme.wind' }),
      message('fileMention', undefined, { files: [{ path: 'beds.txt', content: 'x' }] }),
      entry('custom_message', { customType: 'acme.note', content: 'Snow.', display: true }),
    )
    expect(drafts.filter(({ opensTurn }) => opensTurn)).toEqual([])
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['system', ''],
      ['system', 'Mind the plan.'],
      ['system', 'Go on.'],
      ['user_input', 'Wait.'],
      ['system', 'Rain.'],
      ['system', 'Wind.'],
      ['system', 'beds.txt'],
      ['system', 'Snow.'],
    ])
  })

  test('what an extension hides is kept, and no text', () => {
    const [draft] = draftsOf(entry('custom_message', { customType: 'acme', content: 'Psst.', display: false }))
    expect(draft).toMatchObject({ type: 'system', text: '', payload: { content: 'Psst.' } })
  })
})

describe('endings', () => {
  test('aborted is interrupted, an error or a full answer is failed', () => {
    expect(endings(user('a'), said('So', 'aborted', { errorMessage: 'Operation aborted' }))).toEqual(['interrupted'])
    expect(endings(user('a'), message('assistant', [], { stopReason: 'error', errorMessage: '401' }))).toEqual([
      'failed',
    ])
    expect(endings(user('a'), said('So much', 'length'))).toEqual(['failed'])
  })

  test('a try that is withdrawn is no answer, and a retry that succeeds is one', () => {
    const failed = said('Half a', 'error', { errorMessage: '500' })
    const withdrawn = entry('context_edit', { targetId: failed['id'], replacement: null })
    expect(turns(user('a'), failed, withdrawn)).toMatchObject([{ ending: 'failed' }])
    expect(turns(user('a'), failed, withdrawn, said('Whole.'))).toMatchObject([
      { ending: 'answered', answer: 'Whole.' },
    ])
  })

  test('a prompt that was never answered stays without an end, and is not merged with the next', () => {
    expect(
      turns(user('a'), user('b'), calls('c', 'bash', { command: 'sleep 9' }), user('d'), said('D.')),
    ).toMatchObject([{ prompt: 'a' }, { prompt: 'b', calls: ['bash'] }, { prompt: 'd', ending: 'answered' }])
    expect(endings(user('a'), user('b'))).toEqual([undefined, undefined])
  })

  test('a program that ends at work says so; one that ends after the answer changes nothing', () => {
    const exit = (kind: string, pendingToolCalls: object[] = []) =>
      entry('custom', { customType: 'session_exit', data: { kind, reason: 'r', pendingToolCalls } })
    expect(endings(user('a'), exit('signal'))).toEqual(['exited'])
    expect(endings(user('a'), calls('c', 'bash', {}), exit('normal', [{ toolCallId: 'c' }]))).toEqual(['exited'])
    expect(endings(user('a'), said('A.'), exit('signal'))).toEqual(['answered'])
  })

  test('a command that the person runs opens no turn and leaves an answered one answered', () => {
    const run = message('bashExecution', undefined, { command: 'ls', output: 'beds\n', exitCode: 2, cancelled: false })
    const [turn, ...others] = turns(user('a'), said('A.'), run)
    expect(others).toEqual([])
    expect(turn).toMatchObject({ ending: 'answered', answer: 'A.', calls: ['bash 2'] })
    expect(endings(user('a'), run)).toEqual([undefined])
  })
})

describe('tool calls', () => {
  test('a shell’s exit code is the last line of a failed command, 0 of one that succeeded', () => {
    const outcome = (text: string, more: object = {}) =>
      turns(user('a'), calls('c', 'bash', { command: 'x' }), result('c', 'bash', text, more))[0]?.calls
    expect(outcome('bad\n\n\nCommand exited with code 3', { isError: true })).toEqual(['bash 3'])
    expect(outcome('fine')).toEqual(['bash 0'])
    expect(outcome('slow\n\nCommand timed out after 5 seconds', { isError: true })).toEqual(['bash failed'])
    expect(outcome('started', { details: { async: { state: 'running' } } })).toEqual(['bash'])
    expect(outcome('no', { details: { exitCode: 7 } })).toEqual(['bash 7'])
  })

  test('servers of MCP are told from names joined by one underscore or two', () => {
    const drafts = draftsOf(
      calls('a', 'mcp__probe__echo', {}),
      calls('b', 'mcp__probe_echo', {}),
      calls('c', 'todo_write', {}),
    )
    expect(drafts.map(({ tool }) => [tool?.server, tool?.name])).toEqual([
      ['probe', 'echo'],
      ['probe', 'echo'],
      [undefined, 'todo_write'],
    ])
  })
})

describe('usage', () => {
  const tokens = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 }

  test('is counted once for each response, on the first event of it', () => {
    const answer = said('A.', 'stop', { usage: tokens, responseId: 'r' })
    expect(usageTotals(draftsOf(answer, answer))).toEqual({ ...tokens, reasoning: 0 })
  })

  test('8: two responses to which a small server gave the same id are two', () => {
    const answer = () => said('A.', 'stop', { usage: tokens, responseId: 'chatcmpl-1' })
    expect(usageTotals(draftsOf(answer(), answer())).input).toBe(20)
  })

  test('7: reasoning is a part of the output', () => {
    const [draft] = draftsOf(said('A.', 'stop', { usage: { ...tokens, reasoningTokens: 4 }, responseId: 'r' }))
    expect(draft?.usage).toMatchObject({ output: 5, reasoning: 4 })
  })

  test('of compactions, requests beside the conversation and tools that ask a model counts; a subagent’s does not', () => {
    const drafts = draftsOf(
      entry('compaction', { summary: 's', usage: tokens }),
      entry('model_usage', { purpose: 'title', model: 'm-tiny', usage: tokens }),
      result('c', 'review', 'fine', { usage: tokens }),
      result('d', 'task', 'done', { usage: tokens }),
      entry('child_usage_attributed', { targetId: 'x', childUsage: tokens, aggregateUsage: tokens }),
    )
    expect(usageTotals(drafts).input).toBe(30)
  })
})

describe('sessions', () => {
  test('a fork is linked, and what it copied is marked, and counts for nothing', () => {
    const old = (record: Record<string, unknown>) => ({ ...record, timestamp: '2026-05-01T09:00:00.000Z' })
    const parentSession = '/home/ada/.pi/agent/sessions/--x--/2026-05-01T09-00-00-000Z_5e55-old.jsonl'
    const { drafts, sessions } = readWith(piCodingAgent, sourceFile(), [
      header({ parentSession }),
      old(user('a')),
      old(said('A.', 'stop', { usage: { input: 9, output: 1 }, responseId: 'r' })),
      user('b'),
      said('B.'),
    ])
    expect(sessions[0]?.parent).toEqual({ nativeId: '5e55-old', relation: 'fork' })
    expect(drafts.map(({ copied }) => copied ?? false)).toEqual([false, true, true, false, false])
    expect(foldTurns(drafts)).toMatchObject([{ prompt: 'b', answer: 'B.' }])
    expect(usageTotals(drafts).input).toBe(0)
    const adopted = drafts.map(({ copied, ...draft }) => draft)
    expect(foldTurns(adopted)).toMatchObject([{ prompt: 'a', answer: 'A.', ending: 'answered' }, { prompt: 'b' }])
    expect(usageTotals(adopted).input).toBe(9)
  })

  test('the parent of a fork of 2025 is `branchedFrom`', () => {
    const { sessions } = readWith(piCodingAgent, sourceFile(), [
      header({ branchedFrom: 'C:\\s\\2025-12-09T00-52-54-397Z_old.jsonl' }),
    ])
    expect(sessions[0]?.parent).toEqual({ nativeId: 'old', relation: 'fork' })
  })

  test('76: a subagent of Oh My Pi hangs under the session, or subagent, whose folder it lies in', () => {
    const place = '-orchard/2026-06-01T10-00-00-000Z_6a7c'
    const parentOf = (relative: string) =>
      readWith(piCodingAgent, sourceFile(relative), [header({ id: 'own', parentSession: '6a7c' })]).sessions[0]
    expect(parentOf(`${place}/Count.jsonl`)).toMatchObject({
      nativeId: '6a7c/Count',
      title: 'Count',
      parent: { nativeId: '6a7c', relation: 'subagent' },
    })
    expect(parentOf(`${place}/Count/Inner.jsonl`)).toMatchObject({
      nativeId: '6a7c/Count/Inner',
      parent: { nativeId: '6a7c/Count', relation: 'subagent' },
    })
  })

  test('a subagent of Oh My Pi answers by its tool', () => {
    const file = sourceFile('-orchard/2026-06-01T10-00-00-000Z_6a7c/Count.jsonl')
    const { drafts } = readWith(piCodingAgent, file, [
      header(),
      user('Count.'),
      calls('q', 'yield', {}),
      result('q', 'yield', 'ok'),
    ])
    expect(foldTurns(drafts)).toMatchObject([{ prompt: 'Count.', ending: 'answered' }])
  })

  test('names and titles are told, the newest last', () => {
    const { sessions } = read(entry('session_info', { name: 'Beds' }), entry('title_change', { title: 'Wet beds' }))
    expect(sessions.map(({ title }) => title)).toEqual([undefined, 'Beds', 'Wet beds'])
  })

  test('the title in front of a header is the session’s, and newer than the one in it', () => {
    const records = [{ type: 'title', v: 1, title: 'Wet beds', updatedAt: 'x', pad: ' ' }, header({ title: 'Beds' })]
    const { drafts, sessions } = readWith(piCodingAgent, sourceFile(), records)
    expect(sessions.map(({ nativeId, title }) => [nativeId, title])).toEqual([
      [SESSION, 'Wet beds'],
      [SESSION, undefined],
    ])
    expect(drafts[0]?.native).toEqual({ id: 'title', index: 0 })
  })

  test('10, 11, 13: every branch and all compactions are read in the order of the file', () => {
    const [first, second] = [user('a'), said('A.')]
    const drafts = draftsOf(
      first,
      { ...second, parentId: first['id'] },
      entry('compaction', { parentId: null, summary: 'one' }),
      { ...user('b'), parentId: first['id'] },
      entry('compaction', { parentId: 'nobody', summary: 'two' }),
      said('B.'),
    )
    expect(drafts.map(({ text }) => text)).toEqual(['a', 'A.', 'one', 'b', 'two', 'B.'])
    expect(drafts[3]?.payload).toEqual({ parentId: first['id'] })
  })

  test('32: a time that is none is left out', () => {
    const times = ['nonsense', 8640000000000001, null, {}].map((timestamp) => ({ ...entry('custom'), timestamp }))
    expect(draftsOf(...times).map(({ at }) => at)).toEqual([undefined, undefined, undefined, undefined])
  })
})
