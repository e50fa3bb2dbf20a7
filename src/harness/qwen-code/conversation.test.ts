import { describe, expect, test } from 'vitest'
import { foldTurns, readWith, usageTotals } from '../reading.testing.ts'
import { qwenCode } from './index.ts'
import { read, record, SESSION, sourceFile } from './testing.ts'

const user = (text: string, more: object = {}) =>
  record('user', { uuid: `u ${text}`, message: { role: 'user', parts: [{ text }] }, ...more })

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }

const said = (parts: object[], more: object = {}) =>
  record('assistant', { message: { role: 'model', parts }, usageMetadata: USAGE, model: 'qwen3', ...more })

const answer = (text: string, more: object = {}) => said([{ text }], more)

const call = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } })

const result = (id: string, name: string, response: object, toolCallResult: object) =>
  record('tool_result', {
    message: { role: 'user', parts: [{ functionResponse: { id, name, response } }] },
    toolCallResult: { callId: id, ...toolCallResult },
  })

const system = (subtype: string, systemPayload: object) => record('system', { subtype, systemPayload })

const telemetry = (name: string, more: object = {}) =>
  system('ui_telemetry', { uiEvent: { 'event.name': `qwen-code.${name}`, ...more } })

const turns = (...records: object[]) => foldTurns(read(...records).drafts)

describe('turns', () => {
  test('a prompt opens one, whatever number of parts it has, and text without a call answers it', () => {
    const prompt = user('', { message: { parts: [{ text: 'Water' }, { text: 'the beds.' }] } })
    expect(turns(prompt, answer('They are wet.'))).toEqual([
      expect.objectContaining({ prompt: 'Water\nthe beds.', answer: 'They are wet.', ending: 'answered' }),
    ])
  })

  test('a prompt is told as it was typed, without what hooks add', () => {
    const hook = { text: '<qwen:user-prompt-submit-context>\nmind the hose\n</qwen:user-prompt-submit-context>' }
    expect(turns(user('', { message: { parts: [{ text: 'Water.' }, hook] } }))[0]?.prompt).toBe('Water.')
    const displayed = user('Water. And a file.', { systemPayload: { displayText: 'Water. @file' } })
    expect(turns(displayed)[0]?.prompt).toBe('Water. @file')
  })

  test('a picture alone is a prompt', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(8000) } }
    expect(turns(user('', { message: { parts: [picture] } }))[0]?.prompt).toBe('[image/png 6 kB]')
  })

  test('notifications, schedules and goals open none, nor does what is typed in the middle of one', () => {
    const { drafts } = read(
      user('done', { subtype: 'notification', provenance: 'system' }),
      user('tick', { subtype: 'cron' }),
      user('on', { provenance: 'goal_runtime' }),
      user('wait', { subtype: 'mid_turn_user_message' }),
    )
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn ?? false])).toEqual([
      ['system', false],
      ['system', false],
      ['system', false],
      ['user_input', false],
    ])
  })

  test('text beside a call is commentary', () => {
    const { drafts } = read(user('Look.'), said([{ text: 'I look.' }, call('c', 'glob', {})]))
    expect(foldTurns(drafts)[0]?.ending).toBeUndefined()
    expect(drafts[1]?.commentary).toBe(true)
  })

  test('thoughts, texts and calls are events in the order of their parts', () => {
    const { drafts } = read(said([{ text: 'hm', thought: true }, { text: 'a' }, call('c', 'glob', {}), { text: 'b' }]))
    expect(drafts.map(({ type, native }) => [type, native.index])).toEqual([
      ['reasoning', 0],
      ['assistant_response', 1],
      ['tool_call', 2],
      ['assistant_response', 3],
    ])
  })
})

describe('turns that are cut short', () => {
  test('an answer without usage, of which no response was told, is as far as it went', () => {
    const partial = answer('Compost has many lay', { usageMetadata: undefined })
    expect(turns(user('Explain.'), partial)[0]?.ending).toBe('interrupted')
    expect(turns(user('Explain.'), telemetry('api_response'), partial)[0]?.ending).toBe('answered')
    const errand = telemetry('api_response', { subagent_name: 'managed-auto-memory-extractor' })
    expect(turns(user('Explain.'), errand, partial)[0]?.ending).toBe('interrupted')
  })

  test('clients that do not say where a record comes from write no such answers', () => {
    const old = answer('They are wet.', { usageMetadata: undefined, provenance: undefined })
    expect(turns(user('Water.'), old)[0]?.ending).toBe('answered')
  })

  test('a cancelled tool ends the turn, unless the agent goes on', () => {
    const pump = [
      said([call('c', 'run_shell_command', {})]),
      result('c', 'run_shell_command', {}, { status: 'cancelled' }),
    ]
    expect(turns(user('Pump.'), ...pump)).toEqual([
      expect.objectContaining({ ending: 'interrupted', calls: ['run_shell_command failed'] }),
    ])
    expect(turns(user('Pump.'), ...pump, answer('Stopped it.'))[0]?.ending).toBe('answered')
  })

  test('an error of the API fails the turn, one of a subagent does not', () => {
    const error = (more: object) => telemetry('api_error', { error_message: '401 invalid', ...more })
    expect(turns(user('Go.'), error({}))[0]?.ending).toBe('failed')
    expect(read(user('Go.'), error({})).drafts[1]?.text).toBe('401 invalid')
    expect(turns(user('Go.'), error({ subagent_name: 'explore' }))[0]?.ending).toBeUndefined()
  })

  test.each([
    ['completed', 'answered'],
    ['cancelled', 'interrupted'],
    ['error', 'failed'],
  ])('a server’s turn_result %s is %s', (state, ending) => {
    expect(turns(user('Go.'), system('turn_result', { promptId: 'p', state, endedAt: 1 }))[0]?.ending).toBe(ending)
  })
})

describe('tools', () => {
  test('the name behind tool_call is the tool, and its arguments are the input', () => {
    const { drafts } = read(
      said([call('c', 'tool_call', { name: 'mcp__probe__echo', arguments: { text: 'hi' } })]),
      result('c', 'tool_call', { output: 'hi' }, { status: 'success' }),
    )
    expect(drafts.map(({ tool }) => [tool?.server, tool?.name, tool?.phase, tool?.callId])).toEqual([
      ['probe', 'echo', 'call', 'c'],
      ['probe', 'echo', 'response', 'c'],
    ])
    expect(drafts[0]?.tool?.input).toEqual({ text: 'hi' })
  })

  test('a command’s exit code is told beside its output, or in it', () => {
    const code = (response: object, toolCallResult: object) =>
      read(result('c', 'run_shell_command', response, toolCallResult)).drafts[0]?.tool?.exitCode
    const output = 'Output: x\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 5'
    expect(code({ error: 'x' }, { status: 'error', resultDisplay: { exitCode: 3 } })).toBe(3)
    expect(code({ output }, { status: 'success' })).toBe(2)
    expect(code({ output: 'text' }, { status: 'success' })).toBeUndefined()
  })

  test('a response without an id belongs to the call with the record’s own', () => {
    const response = record('tool_result', {
      uuid: 'c',
      message: { parts: [{ functionResponse: { name: 'glob', response: { output: 'x' } } }] },
    })
    expect(read(said([call('c', 'glob', {})]), response).drafts[1]?.tool?.callId).toBe('c')
  })
})

describe('usage', () => {
  test('the cached part is taken out of the prompt, and thoughts are added where the total says so', () => {
    const total = (usageMetadata: object) => usageTotals(read(answer('x', { usageMetadata })).drafts)
    const base = { promptTokenCount: 100, candidatesTokenCount: 20, cachedContentTokenCount: 60, thoughtsTokenCount: 8 }
    expect(total({ ...base, totalTokenCount: 120 })).toEqual({
      input: 40,
      output: 20,
      cacheRead: 60,
      cacheWrite: 0,
      reasoning: 8,
    })
    expect(total({ ...base, totalTokenCount: 128 })).toMatchObject({ input: 40, output: 28 })
    expect(total(base)).toMatchObject({ input: 40, output: 20 })
  })

  test('7: a response counts once, in the branch that repeats it too', () => {
    const copy = answer('x', { sessionId: 'branch', forkedFrom: { sessionId: SESSION, messageUuid: 'u-assistant' } })
    const { drafts, sessions } = read(answer('x'), copy)
    expect(usageTotals(drafts)).toMatchObject({ input: 100, output: 20 })
    expect(drafts[1]).toMatchObject({ session: 'branch', copied: true, ends: 'answered' })
    expect(sessions).toContainEqual({ nativeId: 'branch', parent: { nativeId: SESSION, relation: 'fork' } })
  })
})

describe('sessions', () => {
  test('a record tells directory, branch and version, once', () => {
    const { sessions } = read(user('a', { gitBranch: 'main' }), user('b', { gitBranch: 'main' }))
    expect(sessions).toEqual([
      { nativeId: SESSION, cwd: '/home/ada/garden' },
      { nativeId: SESSION, branch: 'main' },
      { nativeId: SESSION, cliVersion: '0.24.0' },
    ])
  })

  test('a title that a person gave is not replaced by one the model made', () => {
    const title = (customTitle: string, titleSource?: string) => system('custom_title', { customTitle, titleSource })
    const titles = read(title('Auto', 'auto'), title('Mine'), title('Auto again', 'auto')).sessions
    expect(titles.map((facts) => facts.title).filter((found) => found !== undefined)).toEqual(['Auto', 'Mine'])
  })

  test('a session that another one asked for is its child', () => {
    expect(read(system('parent_session', { parentSessionId: 'boss' })).sessions).toContainEqual({
      nativeId: SESSION,
      parent: { nativeId: 'boss', relation: 'subagent' },
    })
  })

  test('76, 77: a subagent’s file is a session below its parent, though its records bear the parent’s id', () => {
    const file = sourceFile('garden/subagents/S/agent-explore-call_9.jsonl')
    const own = { sessionId: 'S', agentId: 'explore-call_9', agentName: 'explore', isSidechain: true }
    const { drafts, sessions } = readWith(qwenCode, file, [user('Count.', own)])
    expect(drafts[0]?.session).toBe('S/agent-explore-call_9')
    expect(sessions[0]).toEqual({
      nativeId: 'S/agent-explore-call_9',
      parent: { nativeId: 'S', relation: 'subagent', callId: 'call_9' },
    })
  })

  test('a subagent of a subagent has it from the file beside', () => {
    const file = sourceFile('garden/subagents/S/agent-b-call_2.jsonl')
    const [sidecar] = qwenCode.layouts[0]?.sidecars ?? []
    expect(sidecar?.pathOf(file)).toBe('/home/ada/.qwen/projects/garden/subagents/S/agent-b-call_2.meta.json')
    const meta = { parentSessionId: 'S', parentAgentId: 'a-call_1', toolUseId: 'call_2', description: 'Count' }
    expect(sidecar?.read(meta, file).sessions).toEqual([
      {
        nativeId: 'S/agent-b-call_2',
        parent: { nativeId: 'S/agent-a-call_1', relation: 'subagent', callId: 'call_2' },
        title: 'Count',
      },
    ])
  })
})

describe('notes', () => {
  test.each([
    [1, 'compaction'],
    ['COMPRESSED', 'compaction'],
    [2, 'runtime'],
    ['NOOP', 'runtime'],
  ])('a compression of status %j is a %s', (compressionStatus, type) => {
    const compressedHistory = [{ role: 'user', parts: [{ text: '<state_snapshot>all wet</state_snapshot>' }] }]
    const { drafts } = read(system('chat_compression', { info: { compressionStatus }, compressedHistory }))
    expect(drafts.map((draft) => [draft.type, draft.text])).toEqual([
      [type, type === 'compaction' ? '<state_snapshot>all wet</state_snapshot>' : ''],
    ])
  })

  test('what a compression keeps of the history is not told again', () => {
    const payload = {
      info: { compressionStatus: 1 },
      compressedHistory: [{ role: 'user', parts: [{ text: 'Water.' }] }],
    }
    expect(JSON.stringify(read(system('chat_compression', payload)).drafts)).not.toContain('Water.')
  })

  test('17: what was rewound stays, and the conversation says where', () => {
    expect(turns(user('a'), system('rewind', { truncatedCount: 1 }), user('b'), answer('c'))).toEqual([
      expect.objectContaining({ prompt: 'a', ending: 'interrupted' }),
      expect.objectContaining({ prompt: 'b', ending: 'answered' }),
    ])
  })

  test('16: snapshots of files say that they were there, not what they held', () => {
    const { drafts } = read(system('file_history_snapshot', { snapshots: [{ content: 'x'.repeat(5000) }] }))
    expect(drafts.map(({ type }) => type)).toEqual(['system'])
    expect(JSON.stringify(drafts).length).toBeLessThan(500)
  })

  test('31: kinds nobody knows are unknown, whole', () => {
    const future = record('future_record', { payload: { text: 'x' } })
    expect(read(future, record('system', { subtype: 'future' })).drafts.map(({ type }) => type)).toEqual([
      'unknown',
      'unknown',
    ])
  })

  test('32: a time that is none leaves the event without one', () => {
    expect(read(user('a', { timestamp: 'not-a-timestamp' })).drafts[0]?.at).toBeUndefined()
  })
})

describe('places', () => {
  const roots = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    qwenCode.sources[0]?.roots({ home: platform === 'win32' ? 'C:\\Users\\Ada' : '/home/ada', env, platform })

  test('QWEN_RUNTIME_DIR goes before QWEN_HOME, and that before the home folder', () => {
    expect(roots({})).toEqual(['/home/ada/.qwen/projects', '/home/ada/.qwen/tmp'])
    expect(roots({}, 'win32')?.[0]).toBe('C:\\Users\\Ada\\.qwen\\projects')
    expect(roots({ QWEN_HOME: '/q' })?.[0]).toBe('/q/projects')
    expect(roots({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '~/run' })?.[0]).toBe('/home/ada/run/projects')
  })

  test('chats and subagents are transcripts; what lies beside them is none', () => {
    const matches = (path: string) => qwenCode.sources[0]?.matches(path)
    expect(['g/chats/S.jsonl', 'g/subagents/S/agent-x.jsonl'].map(matches)).toEqual([true, true])
    const others = ['g/chats/S.runtime.json', 'g/meta.json', 'g/subagents/S/agent-x.meta.json', 'g/chats/a/S.jsonl']
    expect(others.map(matches)).toEqual([false, false, false, false])
  })
})
