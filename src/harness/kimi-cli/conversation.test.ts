import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { foldTurns, layoutFor, usageTotals } from '../reading.testing.ts'
import { kimiCli } from './index.ts'
import { placeOf, projectsSidecar, stateSidecar } from './paths.ts'
import { ended, loop, prompt, readCode, readContext, readWire, say, sourceFile } from './testing.ts'

const codeTurns = (...records: object[]) => foldTurns(readCode(...records).drafts)
const wireTurns = (...messages: [string, object?][]) => foldTurns(readWire(...messages).drafts)
const contextTurns = (...records: object[]) => foldTurns(readContext(...records).drafts)

const begin = (text: string): [string, object] => ['TurnBegin', { user_input: text }]
const part = (text: string): [string, object] => ['ContentPart', { type: 'text', text }]

describe('turns of Kimi Code', () => {
  test.each([
    ['completed', 'answered'],
    ['cancelled', 'interrupted'],
    ['failed', 'failed'],
    ['filtered', 'failed'],
  ])('one that ended %s was %s', (reason, ending) => {
    expect(codeTurns(prompt('Go.'), say('Gone.'), ended(reason))[0]?.ending).toBe(ending)
  })

  test('before 2.0 the last step tells that it was answered, and a cancel that it was stopped', () => {
    expect(codeTurns(prompt('Go.'), say('Gone.'), loop('step.end', { finishReason: 'end_turn' }))).toMatchObject([
      { prompt: 'Go.', answer: 'Gone.', ending: 'answered' },
    ])
    expect(codeTurns(prompt('Go.'), { type: 'turn.cancel' })[0]?.ending).toBe('interrupted')
    expect(codeTurns(prompt('Go.'), loop('step.end', { finishReason: 'tool_use' }))[0]?.ending).toBeUndefined()
  })

  test('one that was told of no more is open, and does not become the next one’s', () => {
    const turns = codeTurns(prompt('Explain.'), prompt('Go.'), say('Gone.'), ended('completed'))
    expect(turns.map((turn) => [turn.prompt, turn.ending])).toEqual([
      ['Explain.', undefined],
      ['Go.', 'answered'],
    ])
  })

  test('a subagent’s task is told without the repository’s state in front of it', () => {
    const task = '<git-context>\nBranch: main\n</git-context>\nCount the lines.'
    const [first] = readCode(prompt(task)).drafts
    expect(first).toMatchObject({
      text: 'Count the lines.',
      opensTurn: true,
      payload: { context: '<git-context>\nBranch: main\n</git-context>' },
    })
  })

  const copy = (text: string, origin: object) => ({
    type: 'context.append_message',
    message: { role: 'user', content: [{ type: 'text', text }], origin },
  })

  test('a prompt that is written twice is told once', () => {
    const { drafts } = readCode(prompt('Go.'), copy('Go.', { kind: 'user' }), { type: 'agent.message.appended' })
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['user_input', 'Go.'],
      ['runtime', ''],
      ['runtime', ''],
    ])
  })

  test('reminders, what wakes the agent and what is said while it works open none', () => {
    const { drafts } = readCode(
      prompt('Go.'),
      copy('<system-reminder>Today is Friday.</system-reminder>', { kind: 'injection' }),
      { type: 'turn.steer', input: [{ type: 'text', text: 'faster' }], origin: { kind: 'user' } },
      copy('faster', { kind: 'user' }),
      prompt('A task is done.', { origin: { kind: 'system_trigger', name: 'background_task' } }),
    )
    expect(drafts.map(({ type }) => type)).toEqual(['user_input', 'system', 'user_input', 'runtime', 'system'])
    expect(foldTurns(drafts).length).toBe(1)
  })

  test('a subagent’s prompt is its parent’s call', () => {
    expect(codeTurns(prompt('Count.', { origin: { kind: 'system_trigger', name: 'subagent' } }))[0]?.prompt).toBe(
      'Count.',
    )
  })
})

describe('tokens of Kimi Code', () => {
  const usage = { inputOther: 100, output: 20, inputCacheRead: 50, inputCacheCreation: 4 }
  const record = (usageScope: string) => ({ type: 'usage.record', model: 'k2', usage, usageScope })
  const once = { input: 100, output: 20, cacheRead: 50, cacheWrite: 4, reasoning: 0 }

  test('1: a step that tells them twice counts once', () => {
    const begun = loop('step.begin', { uuid: 's' })
    const step = [begun, record('turn'), loop('step.end', { uuid: 's', usage, finishReason: 'end_turn' })]
    expect(usageTotals(readCode(prompt('Go.'), ...step).drafts)).toEqual(once)
    expect(usageTotals(readCode(prompt('Go.'), begun, record('turn')).drafts)).toEqual(once)
  })

  test('those of a compaction count beside', () => {
    const { drafts } = readCode(record('session'), loop('step.end', { uuid: 's', usage }))
    expect(usageTotals(drafts).input).toBe(200)
  })
})

describe('tools', () => {
  const call = (name: string, args: object) => loop('tool.call', { uuid: 'c', toolCallId: 't', name, args })
  const result = (output: string, more: object = {}) =>
    loop('tool.result', { parentUuid: 'c', toolCallId: 't', result: { output, ...more } })

  test.each<[string, string, object, string]>([
    ['Bash', 'no\nCommand failed with exit code: 3.', {}, 'Bash 3'],
    ['Bash', 'yes', {}, 'Bash 0'],
    ['Bash', 'started\nSession closed', { isError: true }, 'Bash failed'],
    ['Bash', 'Command failed with exit code: 7.\nbut went on', {}, 'Bash 0'],
    ['mcp__weather__forecast', 'none', { isError: true }, 'weather/forecast failed'],
  ])('%s that answers %j', (name, output, more, told) => {
    expect(codeTurns(prompt('Go.'), call(name, {}), result(output, more))[0]?.calls).toEqual([told])
  })

  test('of Kimi CLI have arguments as text, and the verdict beside the output', () => {
    const made: [string, object] = ['ToolCall', { id: 't', function: { name: 'Shell', arguments: '{"command":"ls"}' } }]
    const done: [string, object] = [
      'ToolResult',
      {
        tool_call_id: 't',
        return_value: { is_error: true, output: 'no', message: 'Command failed with exit code: 2.' },
      },
    ]
    const { drafts } = readWire(begin('Go.'), made, done)
    expect(drafts[1]).toMatchObject({ text: 'ls', tool: { input: { command: 'ls' } } })
    expect(drafts[2]).toMatchObject({ text: 'no', tool: { name: 'Shell', exitCode: 2, error: true } })
  })
})

describe('turns of Kimi CLI', () => {
  test('end when it says so', () => {
    expect(wireTurns(begin('Go.'), part('Gone.'), ['TurnEnd'])).toMatchObject([{ answer: 'Gone.', ending: 'answered' }])
    expect(wireTurns(begin('Go.'), part('Gone.'))[0]?.ending).toBeUndefined()
  })

  test('that were stopped stay so, whether their end is told or not', () => {
    const stopped: [string, object?][] = [begin('Go.'), ['StepBegin', { n: 1 }], ['StepInterrupted']]
    expect(wireTurns(...stopped)[0]?.ending).toBe('interrupted')
    expect(wireTurns(...stopped, ['TurnEnd'])[0]?.ending).toBe('interrupted')
    expect(wireTurns(...stopped, ['StepBegin', { n: 2 }], part('Gone.'), ['TurnEnd'])[0]?.ending).toBe('answered')
  })

  test('times are seconds, to the millisecond', () => {
    expect(readWire(begin('Go.')).drafts[0]?.at).toBe(100_000)
  })

  test('5: tokens told again under the same message count once', () => {
    const status: [string, object] = ['StatusUpdate', { message_id: 'm', token_usage: { input_other: 9, output: 4 } }]
    expect(usageTotals(readWire(status, status).drafts)).toMatchObject({ input: 9, output: 4 })
  })

  test('76: a subagent is read in its own file, or here where it has none', () => {
    const event = { type: 'ContentPart', payload: { type: 'text', text: 'three' } }
    const own = readWire(begin('Go.'), ['SubagentEvent', { agent_id: 'a1', parent_tool_call_id: 't', event }])
    expect(own.drafts.map(({ type }) => type)).toEqual(['user_input', 'runtime'])
    const link = { nativeId: 'session', relation: 'subagent', callId: 't' }
    expect(own.sessions).toEqual([{ nativeId: 'session/a1', parent: link }])
    const inside = readWire(begin('Go.'), ['SubagentEvent', { task_tool_call_id: 't', event }])
    expect(inside.drafts[1]).toMatchObject({ session: 'session/t', type: 'assistant_response', text: 'three' })
    expect(inside.sessions).toEqual([{ nativeId: 'session/t', parent: link }])
  })

  test('a message nobody knows is kept as unknown', () => {
    expect(readWire(['Dream', { of: 'sheep' }]).drafts[0]?.type).toBe('unknown')
  })
})

describe('the history of the first clients', () => {
  const user = (content: unknown) => ({ role: 'user', content })
  const assistant = (content: unknown, ...calls: object[]) => ({ role: 'assistant', content, tool_calls: calls })

  test('has a turn for each prompt, answered by a message that calls nothing', () => {
    const call = { id: 'Bash:0', function: { name: 'Bash', arguments: '{"command":"ls"}' } }
    const turns = contextTurns(
      user('Go.'),
      assistant('I look.', call),
      { role: 'tool', tool_call_id: 'Bash:0', content: '<system>Command executed successfully.</system>' },
      assistant([{ type: 'text', text: 'Gone.' }]),
      user('Again.'),
      assistant('', { ...call, id: 'Bash:1' }),
    )
    expect(turns.map(({ prompt, answer, ending, calls }) => [prompt, answer, ending, calls])).toEqual([
      ['Go.', 'Gone.', 'answered', ['Bash 0']],
      ['Again.', undefined, undefined, ['Bash']],
    ])
  })

  test('what is put in is no prompt', () => {
    const { drafts } = readContext(
      user('<system>CHECKPOINT 1</system>'),
      user('Previous context has been compacted. So:'),
    )
    expect(drafts.map(({ type }) => type)).toEqual(['system', 'compaction'])
  })

  const records = (files: Record<string, unknown>, relative = '0123/session/context.jsonl'): unknown[] => {
    const file = sourceFile(relative)
    const { format } = layoutFor(kimiCli, file)
    if (format.kind !== 'bundle') throw new Error('a history is a bundle')
    const json = (path: string) => files[path.split(/[\\/]/).at(-1) ?? '']
    return [...format.records({ names: () => [], json }, file)]
  }
  const text = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const wire = text({ type: 'metadata' }, { message: { type: 'TurnBegin', payload: { user_input: 'Go.' } } })

  test('is left to the wire but for what is older', () => {
    const history = text(user('Before.'), assistant('Yes.'), user('Go.'), assistant('Gone.'))
    expect(records({ 'context.jsonl': history })).toHaveLength(4)
    expect(records({ 'context.jsonl': history, 'wire.jsonl': wire })).toEqual([user('Before.'), assistant('Yes.')])
    expect(records({ 'context.jsonl': text(user('Go.')), 'wire.jsonl': wire })).toEqual([])
    expect(records({ 'context.jsonl': text(user('Compacted.'), assistant('x')), 'wire.jsonl': wire })).toEqual([])
  })

  test('52: a last line that is half written waits; a broken one is kept as it is', () => {
    expect(records({ 'context.jsonl': `${text(user('Go.'))}{"role": "assis` })).toEqual([user('Go.')])
    expect(records({ 'context.jsonl': `{"half\n${text(user('Go.'))}` })).toEqual(['{"half', user('Go.')])
  })

  test('that was never written to is no conversation', () => {
    expect(records({ 'context.jsonl': '' })).toEqual([{ role: '_empty' }])
    expect(readContext({ role: '_empty' }).drafts.map(({ type }) => type)).toEqual(['runtime'])
  })
})

describe('places', () => {
  test.each([
    ['wd/session_1/agents/main/wire.jsonl', 'session_1', ''],
    ['wd/session_1/agents/agent-0/wire.jsonl', 'session_1/agent-0', 'session_1'],
    ['0123/abc/wire.jsonl', 'abc', ''],
    ['0123/abc/subagents/a1/wire.jsonl', 'abc/a1', 'abc'],
    ['0123/abc/subagents/a1/context.jsonl', 'abc/a1', 'abc'],
    ['0123/abc/context_2.jsonl', 'abc', ''],
    ['0123/abc/context_sub_1.jsonl', 'abc/sub_1', 'abc'],
    ['0123/abc.jsonl', 'abc', ''],
    ['0123/abc_1.jsonl', 'abc', ''],
    ['0123/abc_read_2.jsonl', 'abc/read_2', 'abc'],
  ])('%s is of session %s', (relative, session, parent) => {
    expect(placeOf(sourceFile(relative))).toEqual({ session, parent })
  })

  test('roots follow the variables, on each platform', () => {
    const roots = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
      kimiCli.sources.flatMap((source) => source.roots({ home, env, platform }))
    expect(roots({})).toEqual(['/home/ada/.kimi/sessions', '/home/ada/.kimi-code/sessions'])
    expect(roots({ KIMI_SHARE_DIR: '/k', KIMI_CODE_HOME: '/c' })).toEqual(['/k/sessions', '/c/sessions'])
    expect(roots({}, 'win32', 'C:\\Users\\ada')[0]).toBe('C:\\Users\\ada\\.kimi\\sessions')
  })

  test('what lies beside transcripts is none', () => {
    const isTaken = (path: string) => kimiCli.sources.some((source) => source.matches(path))
    for (const path of [
      '.index-cache/scan.json',
      'wd/session_1/state.json',
      'wd/session_1/notify/state.json',
      'wd/a/logs/x.jsonl',
    ]) {
      expect(isTaken(path), path).toBe(false)
    }
  })

  test('the project is found by the hash of its path, and the title in the session’s state', () => {
    const hash = createHash('md5').update('/home/ada/garden').digest('hex')
    const file = sourceFile(`${hash}/abc/wire.jsonl`)
    const projects = { work_dirs: [{ path: '/elsewhere' }, { path: '/home/ada/garden' }] }
    expect(projectsSidecar.pathOf(file)?.split(/[\\/]/).join('/')).toBe('/home/ada/kimi.json')
    expect(projectsSidecar.read(projects, file).sessions).toEqual([{ nativeId: 'abc', cwd: '/home/ada/garden' }])
    expect(projectsSidecar.read(projects, sourceFile('0123/abc/wire.jsonl')).sessions).toEqual([])
    expect(stateSidecar.read({ custom_title: 'Beds' }, file).sessions).toEqual([{ nativeId: 'abc', title: 'Beds' }])
  })

  test('a subagent of a subagent hangs under the one that called it', () => {
    const file = sourceFile('wd/session_1/agents/agent-1/wire.jsonl', 'kimi-code')
    const state = { cwd: '/w', title: 'T', agents: { 'agent-1': { type: 'sub', parentAgentId: 'agent-0' } } }
    expect(stateSidecar.read(state, file).sessions).toEqual([
      { nativeId: 'session_1/agent-1', cwd: '/w', parent: { nativeId: 'session_1/agent-0', relation: 'subagent' } },
    ])
  })
})
