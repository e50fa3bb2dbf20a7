import { describe, expect, test } from 'vitest'
import { foldTurns, readWith, usageTotals } from '../reading.testing.ts'
import { grokCli } from './index.ts'
import { read, SESSION, sourceFile, update } from './testing.ts'

const user = (text: string, promptIndex: number | undefined, meta: object = {}) =>
  update('user_message_chunk', {
    content: { type: 'text', text },
    _meta: { modelId: 'grok-4.6', promptIndex, ...meta },
  })

const say = (text: string) => update('agent_message_chunk', { content: { type: 'text', text } })

const call = (toolCallId: string, name: string, rawInput: object) =>
  update('tool_call', { toolCallId, title: name, rawInput, _meta: { 'x.ai/tool': { name } } })

const ended = (toolCallId: string, rawOutput: object, more: object = {}) =>
  update('tool_call_update', { toolCallId, status: 'completed', rawOutput, ...more })

const completed = (stop_reason: string, more: object = {}) =>
  update('turn_completed', { prompt_id: 'p', stop_reason, ...more })

const turns = (...records: object[]) => foldTurns(read(...records).drafts)

describe('turns', () => {
  test('a prompt opens one, and the client says when it is answered', () => {
    expect(turns(user('Water.', 0), say('Wet now.'))[0]?.ending).toBeUndefined()
    expect(turns(user('Water.', 0), say('Wet now.'), completed('end_turn'))).toEqual([
      expect.objectContaining({ prompt: 'Water.', answer: 'Wet now.', ending: 'answered' }),
    ])
  })

  test('a picture beside a prompt belongs to it and opens no turn', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(8000) }
    const picture = update('user_message_chunk', { content: image, _meta: { promptIndex: 0 } })
    const { drafts } = read(user('What is this?', 0), picture, say('A bed.'), user('And this?', 1))
    expect(drafts.map(({ type, text, opensTurn }) => [type, text, opensTurn ?? false])).toEqual([
      ['user_input', 'What is this?', true],
      ['user_input', '[image/png 6 kB]', false],
      ['assistant_response', 'A bed.', false],
      ['user_input', 'And this?', true],
    ])
  })

  test('reminders and commands of the client open none, and the end of a command ends nothing', () => {
    const { drafts } = read(
      user('Water.', 0),
      say('Wet.'),
      completed('end_turn'),
      user('<system-reminder>\nA task is done.\n</system-reminder>', 1, { hideFromScrollback: true }),
      user('/compact', undefined, { hostTurn: true }),
      completed('end_turn'),
    )
    expect(drafts.map(({ type }) => type).slice(3)).toEqual(['system', 'runtime', 'runtime'])
    expect(drafts.filter(({ ends }) => ends)).toHaveLength(1)
    expect(foldTurns(drafts)).toHaveLength(1)
  })

  test.each([
    ['end_turn', 'answered'],
    ['interrupted', 'interrupted'],
    ['cancelled', 'interrupted'],
    ['error', 'failed'],
    ['refusal', 'failed'],
    ['max_tokens', 'failed'],
  ])('a turn completed as %s is %s', (reason, ending) => {
    expect(turns(user('Go.', 0), completed(reason))[0]?.ending).toBe(ending)
  })

  test('an error is told where the turn ends', () => {
    const { drafts } = read(user('Go.', 0), completed('error', { agent_result: 'Unauthorized (401)' }))
    expect(drafts[1]).toMatchObject({ type: 'runtime', text: 'Unauthorized (401)', ends: 'failed' })
  })

  test('a try that failed and is made again ends nothing', () => {
    const retry = update('retry_state', { type: 'retrying', reason: 'API error (status 500)' })
    expect(turns(user('Go.', 0), retry, say('Gone.'), completed('end_turn'))[0]?.ending).toBe('answered')
  })
})

describe('tools', () => {
  test('a command’s exit code is told in its output, and a code but 0 is no failed call', () => {
    const bash = { type: 'Bash', output: [110, 111], output_for_prompt: 'exit: 3\nno', exit_code: 3 }
    const { drafts } = read(call('c', 'run_terminal_command', { command: 'x' }), ended('c', bash))
    expect(drafts[1]?.tool).toEqual({ name: 'run_terminal_command', callId: 'c', phase: 'response', exitCode: 3 })
    expect(drafts[1]?.text).toBe('exit: 3\nno')
  })

  test('the tool behind use_tool is the tool', () => {
    const output = { type: 'MCP', tool_name: 'echo', server_name: 'probe', output: { Error: 'no' }, is_error: true }
    const { drafts } = read(
      call('c', 'use_tool', { tool_name: 'probe__echo', tool_input: { text: 'hi' } }),
      ended('c', output, { status: 'failed' }),
    )
    expect(drafts[0]?.tool).toMatchObject({ server: 'probe', name: 'echo', input: { text: 'hi' } })
    expect(drafts[1]).toMatchObject({ text: 'no', tool: { server: 'probe', name: 'echo', error: true } })
  })

  test('an MCP result whose call was not seen has its names from the result', () => {
    const output = { type: 'MCP', tool_name: 'echo', server_name: 'probe', output: { OkayOutput: 'hi' } }
    expect(read(ended('c', output)).drafts[0]?.tool).toMatchObject({ server: 'probe', name: 'echo' })
  })

  test('what tells a call once more is no second call', () => {
    const again = update('tool_call_update', { toolCallId: 'c', title: 'Read `a`', rawInput: { target_file: 'a' } })
    expect(read(call('c', 'read_file', { target_file: 'a' }), again).drafts.map(({ type }) => type)).toEqual([
      'tool_call',
      'runtime',
    ])
  })

  test('46: bytes of output and pictures stay out of texts and payloads', () => {
    const bytes = Array.from({ length: 5000 }, () => 65)
    const { drafts } = read(ended('c', { type: 'Bash', output: bytes, output_for_prompt: 'A', exit_code: 0 }))
    expect(JSON.stringify(drafts).length).toBeLessThan(400)
  })
})

describe('usage', () => {
  const usage = (more: object = {}) => ({
    usage: {
      inputTokens: 100,
      outputTokens: 20,
      cachedReadTokens: 60,
      cacheCreationTokens: 10,
      reasoningTokens: 5,
      ...more,
    },
  })

  test('the cached part is taken out of the prompt', () => {
    expect(usageTotals(read(completed('end_turn', usage())).drafts)).toEqual({
      input: 30,
      output: 20,
      cacheRead: 60,
      cacheWrite: 10,
      reasoning: 5,
    })
  })

  test('a turn told twice costs once', () => {
    const drafts = read(completed('end_turn', usage()), completed('end_turn', usage())).drafts
    expect(usageTotals(drafts)).toMatchObject({ input: 30, output: 20 })
  })

  test('7: a turn that holds its subagents’ usage is shown and not counted, since they tell of theirs', () => {
    const { drafts } = read(completed('end_turn', usage({ modelCalls: 4, numTurns: 2 })))
    expect(usageTotals(drafts)).toMatchObject({ input: 0, output: 0 })
    expect(drafts[0]?.payload).toMatchObject({ usageWithSubagents: { input: 30, output: 20 } })
    expect(usageTotals(read(completed('end_turn', usage({ modelCalls: 2, numTurns: 2 }))).drafts).input).toBe(30)
  })
})

describe('sessions', () => {
  test('23: the directory is the folder’s name, decoded', () => {
    const facts = (folder: string) => readWith(grokCli, sourceFile(folder), [user('a', 0)]).sessions
    expect(facts('%2Fhome%2Fada%2Fgarden')).toEqual([{ nativeId: SESSION, cwd: '/home/ada/garden' }])
    expect(facts('C%3A%5CUsers%5CAda%5C%D1%81%D0%B0%D0%B4')).toEqual([
      { nativeId: SESSION, cwd: 'C:\\Users\\Ada\\сад' },
    ])
    expect(facts('a1b2c3')).toEqual([])
    expect(facts('%E0%A4%A')).toEqual([])
  })

  test('title, directory and branch stand in the summary beside it', () => {
    const [sidecar] = grokCli.layouts[0]?.sidecars ?? []
    const file = sourceFile()
    expect(sidecar?.pathOf(file)?.split('\\').join('/')).toBe(
      `/home/ada/.grok/sessions/%2Fhome%2Fada%2Fgarden/${SESSION}/summary.json`,
    )
    const summary = {
      info: { id: 'S', cwd: '/g' },
      session_summary: 'Water.',
      generated_title: 'Watering',
      head_branch: 'main',
    }
    expect(sidecar?.read(summary, file).sessions).toEqual([
      { nativeId: 'S', title: 'Watering', cwd: '/g', branch: 'main' },
    ])
    expect(sidecar?.read({ session_summary: 'Water.' }, file).sessions).toEqual([
      { nativeId: SESSION, title: 'Water.' },
    ])
  })

  test('76: a subagent is a child below the call that started it, told apart by its description', () => {
    const spawned = update('subagent_spawned', { child_session_id: 'child', description: 'two' })
    const { sessions } = read(
      call('c1', 'spawn_subagent', { description: 'one' }),
      call('c2', 'spawn_subagent', { description: 'two' }),
      spawned,
    )
    expect(sessions).toContainEqual({
      nativeId: 'child',
      parent: { nativeId: SESSION, relation: 'subagent', callId: 'c2' },
    })
  })
})

describe('events', () => {
  test('have names that stay apart when the program starts anew and counts from 1', () => {
    const at = (agentTimestampMs: number) => update('agent_message_chunk', {}, { eventId: 'S-2', agentTimestampMs })
    const ids = read(at(1790000000123), at(1790000999123)).drafts.map(({ native }) => native.id)
    expect(new Set(ids).size).toBe(2)
  })

  test('have their time in milliseconds, or in seconds where those are missing', () => {
    const exact = say('a')
    const rough = { timestamp: 1790000000, method: 'session/update', params: { update: { sessionUpdate: 'plan' } } }
    expect(read(exact, rough).drafts.map(({ at }) => at)).toEqual([1790000000123, 1790000000000])
    expect(read({ ...rough, timestamp: 8640000000000001 }).drafts[0]?.at).toBeUndefined()
  })

  test('17: a history that is loaded again is copied', () => {
    const replayed = update('user_message_chunk', { content: { type: 'text', text: 'a' } }, { isReplay: true })
    expect(read(replayed).drafts[0]?.copied).toBe(true)
  })

  test('a compaction is one; what leads to it is not', () => {
    const { drafts } = read(
      update('auto_compact_started', { tokens_used: 9 }),
      update('compaction_checkpoint', { checkpoint_id: 'x' }),
      update('auto_compact_completed', { tokens_before: 9, summary_preview: 'All wet.' }),
      update('auto_compact_failed', {}),
    )
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['runtime', ''],
      ['runtime', ''],
      ['compaction', 'All wet.'],
      ['runtime', ''],
    ])
  })

  test('31: kinds nobody knows are unknown, whole', () => {
    expect(read(update('something_new', { text: 'x' })).drafts.map(({ type }) => type)).toEqual(['unknown'])
    expect(read({ jsonrpc: '2.0', method: 'initialize' }).drafts.map(({ type }) => type)).toEqual(['unknown'])
  })
})

test('GROK_HOME stands in for .grok, and only the log of updates is a transcript', () => {
  const [source] = grokCli.sources
  expect(source?.roots({ home: '/home/ada', env: {}, platform: 'linux' })).toEqual(['/home/ada/.grok/sessions'])
  expect(source?.roots({ home: 'C:\\A', env: {}, platform: 'win32' })).toEqual(['C:\\A\\.grok\\sessions'])
  expect(source?.roots({ home: '/home/ada', env: { GROK_HOME: '/g' }, platform: 'darwin' })).toEqual(['/g/sessions'])
  const names = ['f/S/updates.jsonl', 'f/S/events.jsonl', 'f/S/chat_history.jsonl', 'f/prompt_history.jsonl']
  expect(names.map((name) => source?.matches(name))).toEqual([true, false, false, false])
})
