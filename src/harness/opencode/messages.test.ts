import { describe, expect, test } from 'vitest'
import { isRecord } from '../../core/json.ts'
import { usageTotals } from '../reading.testing.ts'
import { answer, done, draftsOf, message, prompt, read, SESSION, said, session, tool } from './testing.ts'

describe('an answer', () => {
  test('is commentary where a call follows it', () => {
    const call = tool('read', { status: 'completed', input: { filePath: '/a' }, output: 'x' })
    const drafts = draftsOf(answer({ finish: 'tool-calls', ...done() }, said('I look'), call))
    expect(drafts[0]).toMatchObject({ type: 'assistant_response', commentary: true })
    expect(draftsOf(answer({}, said('I look'), call))[0]).toMatchObject({ commentary: true })
    expect(draftsOf(answer({ finish: 'stop', ...done() }, said('done')))[0]).not.toHaveProperty('commentary')
  })

  test('keeps the ids of its parts when it grows, whatever comes before them', () => {
    const short = answer({}, said('The'))
    const parts = Array.isArray(short['parts']) ? short['parts'] : []
    const long = { ...short, parts: [...parts, { id: 'prt_more', ...said('end') }] }
    expect(draftsOf(long)[0]?.native).toEqual(draftsOf(short)[0]?.native)
  })

  test('tells model, directory and times of its parts, which come before the times of its rows', () => {
    const [draft] = draftsOf(
      answer(
        { modelID: 'm-large', providerID: 'pv', path: { cwd: '/home/kim/kite' } },
        said('hi', { time: { start: 5000 }, time_created: 6000 }),
      ),
    )
    expect(draft).toMatchObject({ model: 'm-large', cwd: '/home/kim/kite', at: 5000 })
    expect(draftsOf(answer({}, said('hi', { time_created: 6000 })))[0]).toMatchObject({ at: 6000 })
  })

  test('that has only begun is one small event', () => {
    expect(draftsOf(answer({}))).toMatchObject([{ type: 'runtime', text: '' }])
  })
})

describe('a tool part', () => {
  const state = { status: 'completed', input: { command: 'false' }, output: 'no\n', time: { start: 7000, end: 8000 } }

  test('is a call and a response under one id, with the exit code of a command', () => {
    const drafts = draftsOf(answer({}, tool('bash', { ...state, metadata: { exit: 3 } })))
    expect(drafts.map(({ type, text, at, native: { index }, tool: use }) => ({ type, text, at, index, use }))).toEqual([
      {
        type: 'tool_call',
        text: 'false',
        at: 7000,
        index: 0,
        use: { name: 'bash', callId: 'call_bash', phase: 'call', input: { command: 'false' } },
      },
      {
        type: 'tool_response',
        text: 'no\n',
        at: 8000,
        index: 1,
        use: { name: 'bash', callId: 'call_bash', phase: 'response', exitCode: 3 },
      },
    ])
  })

  test('has failed when the client says so, which it does not for an exit code', () => {
    const [, response] = draftsOf(answer({}, tool('probe_fail', { status: 'error', input: {}, error: 'no probe' })))
    expect(response).toMatchObject({ text: 'no probe', tool: { name: 'probe_fail', error: true } })
  })

  test('names our own server, and no other: `probe_echo` may be a tool of that name', () => {
    expect(draftsOf(answer({}, tool('varve_open', state)))[0]?.tool).toMatchObject({ name: 'open', server: 'varve' })
    expect(draftsOf(answer({}, tool('probe_echo', state)))[0]?.tool).not.toHaveProperty('server')
  })

  test('shows the arguments as far as they are written', () => {
    const [call] = draftsOf(answer({}, tool('bash', { status: 'pending', input: {}, raw: '{"comm' })))
    expect(call).toMatchObject({ text: '{"comm', tool: { input: '{"comm' } })
  })

  test('links the session of a subagent to its call (fault 76)', () => {
    const { sessions } = read([answer({}, tool('task', { ...state, metadata: { sessionId: 'ses_2' } }))])
    expect(sessions).toEqual([
      { nativeId: 'ses_2', parent: { nativeId: SESSION, callId: 'call_task', relation: 'subagent' } },
    ])
  })

  test('leaves pictures by reference (fault 46, 47)', () => {
    const url = `data:image/png;base64,${'A'.repeat(4000)}`
    const attachments = [{ type: 'file', mime: 'image/png', url }]
    const [, response] = draftsOf(answer({}, tool('read', { ...state, attachments })))
    expect(response?.text).toBe('no\n\n[file image/png 3 kB]')
  })
})

describe('usage', () => {
  const tokens = { input: 100, output: 20, reasoning: 5, cache: { read: 30, write: 4 } }
  const step = { type: 'step-finish', tokens }

  test('is that of the message, which its step repeats', () => {
    const drafts = draftsOf(answer({ tokens, finish: 'stop', ...done() }, step, said('x')))
    expect(usageTotals(drafts)).toEqual({ input: 100, output: 25, reasoning: 5, cacheRead: 30, cacheWrite: 4 })
  })

  test('is the sum of the steps where one message holds a whole turn', () => {
    const drafts = draftsOf(answer({ tokens, ...done() }, step, step, said('x')))
    expect(usageTotals(drafts)).toEqual({ input: 200, output: 50, reasoning: 10, cacheRead: 60, cacheWrite: 8 })
  })

  test('is keyed by the message, so that reading it again counts nothing twice (fault 1)', () => {
    const record = answer({ tokens, finish: 'stop', ...done() }, said('x'))
    expect(usageTotals(draftsOf(record, record)).input).toBe(100)
  })

  test('of a summary is counted', () => {
    const drafts = draftsOf(answer({ summary: true, tokens, finish: 'stop', ...done() }, said('So far')))
    expect(usageTotals(drafts).input).toBe(100)
  })
})

describe('a session', () => {
  test('tells title, directory, version and parent', () => {
    const { sessions } = read([
      session({ title: 'Mend', slug: 'calm', directory: '/home/kim', version: '1.18.0', parentID: 'ses_0' }),
    ])
    expect(sessions).toEqual([
      {
        nativeId: SESSION,
        title: 'Mend',
        slug: 'calm',
        cwd: '/home/kim',
        cliVersion: '1.18.0',
        parent: { nativeId: 'ses_0', relation: 'subagent' },
      },
    ])
  })

  test('without a time, or with one past all dates, is read (fault 32)', () => {
    const drafts = draftsOf(session({ time: null }), message('user', { time: { created: 'soon' } }, said('go')))
    expect(drafts.map(({ at }) => at)).toEqual([undefined, undefined])
    const late = message('user', { time: { created: 8640000000000001 } }, said('go'))
    expect(Number.isFinite(draftsOf(late)[0]?.at)).toBe(true)
  })

  test('has no title until the model gave it one', () => {
    const { sessions } = read([session({ title: 'New session - 2026-11-30T18:29:19.744Z' })])
    expect(sessions[0]).not.toHaveProperty('title')
    expect(read([session({ title: 'Child session - 2026-11-30T18:29:19.744Z' })]).sessions[0]).not.toHaveProperty(
      'title',
    )
  })
})

describe('what is neither said nor done', () => {
  test('is a small event of its own', () => {
    const drafts = draftsOf(
      message('assistant', {}, { type: 'patch', hash: 'abc', files: ['/a', '/b'] }, { type: 'hologram', beam: 1 }),
      { type: 'note', session: SESSION, id: 'evt_1', kind: 'agent-switched', createdAt: 5, data: { agent: 'plan' } },
      { type: 'note', session: SESSION, id: 'evt_2', kind: 'weather', createdAt: 6, data: { wind: 'north' } },
    )
    expect(drafts.map(({ type, text, payload }) => [type, text, payload])).toEqual([
      ['system', '/a\n/b', { type: 'patch', hash: 'abc' }],
      ['unknown', '', expect.objectContaining({ type: 'hologram', beam: 1 })],
      ['runtime', 'plan', { type: 'agent-switched', data: { agent: 'plan' } }],
      ['unknown', '', { type: 'weather', data: { wind: 'north' } }],
    ])
  })

  test('a message that is no JSON is one unknown event, and the others are read', () => {
    const broken = { ...prompt('x'), message: 'no json', parts: [] }
    const drafts = draftsOf(prompt('before'), broken, prompt('after'))
    expect(drafts.map(({ type, session: id }) => [type, id])).toEqual([
      ['user_input', SESSION],
      ['unknown', SESSION],
      ['user_input', SESSION],
    ])
    expect(isRecord(drafts[1]?.payload)).toBe(false)
  })
})
