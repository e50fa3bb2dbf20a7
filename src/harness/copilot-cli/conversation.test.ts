import { describe, expect, test } from 'vitest'
import { foldTurns, readWith, usageTotals } from '../reading.testing.ts'
import { copilotCli } from './index.ts'
import { event, read, SESSION, sourceFile } from './testing.ts'

const start = event('session.start', {
  sessionId: SESSION,
  copilotVersion: '1.0.102',
  context: { cwd: '/home/ada/garden', branch: 'main' },
})

const user = (content: string, more: object = {}, agent?: string) => event('user.message', { content, ...more }, agent)

const say = (content: string, toolRequests: object[] = [], more: object = {}, agent?: string) =>
  event('assistant.message', { content, toolRequests, model: 'gpt-5.4', ...more }, agent)

const request = (toolCallId: string, name: string, args: object = {}, more: object = {}) => ({
  toolCallId,
  name,
  arguments: args,
  ...more,
})

const complete = (toolCallId: string, more: object) =>
  event('tool.execution_complete', { toolCallId, success: true, ...more })

const turnEnd = (agent?: string) => event('assistant.turn_end', { turnId: '0' }, agent)

const turns = (...records: object[]) => foldTurns(read(...records).drafts)

describe('turns', () => {
  test('a prompt opens one, which is answered when the model ends without calling a tool', () => {
    expect(turns(user('Water.'), say('I look.', [request('t', 'bash')]), turnEnd())[0]?.ending).toBeUndefined()
    expect(turns(user('Water.'), say('Wet.'), turnEnd())).toEqual([
      expect.objectContaining({ prompt: 'Water.', answer: 'Wet.', ending: 'answered' }),
    ])
  })

  test('turnId counts calls of the model, not turns', () => {
    const call = (id: string) => [say('', [request(id, 'glob')]), complete(id, {}), turnEnd()]
    expect(turns(user('a'), ...call('t1'), ...call('t2'), say('b'), turnEnd())).toHaveLength(1)
  })

  test('what skills and the client say in the user’s name opens none, nor does what is typed in the middle of one', () => {
    const { drafts } = read(
      user('tools', { source: 'skill-garden' }),
      user('Water.'),
      user('The roses, too.', { delivery: 'steering' }),
      user('Later: the shed.', { delivery: 'queued' }),
    )
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn ?? false])).toEqual([
      ['system', false],
      ['user_input', true],
      ['user_input', false],
      ['user_input', true],
    ])
  })

  test('a prompt is told as it was typed, and names what was attached', () => {
    const prompt = user('Read it.', {
      transformedContent: '<now/>\nRead it.',
      attachments: [{ type: 'file', path: '/a.md' }],
    })
    expect(read(prompt).drafts[0]).toMatchObject({ text: 'Read it.', payload: { attachments: ['/a.md'] } })
  })

  test('text beside a call is commentary', () => {
    const { drafts } = read(say('I look.', [request('t', 'glob')], { reasoningText: 'Where?' }))
    expect(drafts.map(({ type, commentary }) => [type, commentary ?? false])).toEqual([
      ['reasoning', false],
      ['assistant_response', true],
      ['tool_call', false],
    ])
  })

  test('a thought that is told by itself and in its message is told once', () => {
    const { drafts } = read(
      event('assistant.reasoning', { content: 'Where?' }),
      say('Here.', [], { reasoningText: 'Where?' }),
      say('There.', [], { reasoningText: 'Where?' }),
    )
    expect(drafts.filter(({ type }) => type === 'reasoning')).toHaveLength(2)
  })
})

describe('turns that are cut short', () => {
  test('an abort interrupts, whether the model or a tool was at work', () => {
    expect(turns(user('a'), turnEnd(), event('abort', { reason: 'user_abort' }))[0]?.ending).toBe('interrupted')
    const call = say('I start.', [request('t', 'bash')])
    expect(turns(user('a'), call, event('abort', { reason: 'user_initiated' }), turnEnd())).toEqual([
      expect.objectContaining({ ending: 'interrupted', calls: ['bash'] }),
    ])
  })

  test('an abort after the answer takes nothing back', () => {
    expect(turns(user('a'), say('b'), turnEnd(), event('abort'))[0]?.ending).toBe('answered')
  })

  test('an error fails the turn, and says why', () => {
    const { drafts } = read(user('a'), turnEnd(), event('session.error', { message: 'HTTP 401', statusCode: 401 }))
    expect(drafts[2]).toMatchObject({ type: 'runtime', text: 'HTTP 401', ends: 'failed' })
  })

  test('a shutdown or a resume in the middle of a turn tells that the program is gone', () => {
    expect(turns(user('a'), event('session.shutdown', { shutdownType: 'error' }))[0]?.ending).toBe('exited')
    expect(turns(user('a'), event('session.resume'))[0]?.ending).toBe('exited')
    expect(turns(user('a'), say('b'), turnEnd(), event('session.shutdown'))[0]?.ending).toBe('answered')
  })
})

describe('tools', () => {
  test('a command that fails is no failed call; its exit code stands apart or in the last line', () => {
    const outcome = (more: object) => read(say('', [request('t', 'bash')]), complete('t', more)).drafts.at(-1)?.tool
    expect(outcome({ shellExecution: { exitCode: 3 }, result: { content: 'no' } })).toEqual({
      name: 'bash',
      callId: 't',
      phase: 'response',
      exitCode: 3,
    })
    expect(outcome({ result: { content: 'no\n<exited with exit code 2>' } })?.exitCode).toBe(2)
    expect(outcome({ result: { content: 'no\n<shellId: 1 completed with exit code 4>' } })?.exitCode).toBe(4)
    expect(outcome({ result: { content: '<exited with exit code 2>\nsaid the manual' } })?.exitCode).toBeUndefined()
  })

  test('server and tool of MCP stand beside the name', () => {
    const probe = { mcpServerName: 'probe', mcpToolName: 'echo' }
    const refused = { success: false, error: { message: 'it failed', code: 'failure' } }
    const { drafts } = read(say('', [request('t', 'probe-echo', { text: 'hi' }, probe)]), complete('t', refused))
    expect(drafts[0]?.tool).toMatchObject({ server: 'probe', name: 'echo', input: { text: 'hi' } })
    expect(drafts[1]).toMatchObject({ text: 'it failed', tool: { server: 'probe', name: 'echo', error: true } })
  })

  test('a call is one, asked for and begun; one that the user makes is only begun', () => {
    const begun = (toolCallId: string) => event('tool.execution_start', { toolCallId, toolName: 'bash', arguments: {} })
    const { drafts } = read(say('', [request('t', 'bash')]), begun('t'), begun('u'))
    expect(drafts.map(({ type, tool }) => [type, tool?.callId])).toEqual([
      ['tool_call', 't'],
      ['runtime', undefined],
      ['tool_call', 'u'],
    ])
  })
})

describe('usage', () => {
  const used = (apiCallId: string, inputTokens: number) => ({
    usage: {
      model: 'm',
      apiCallId,
      inputTokens,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
      reasoningTokens: 5,
    },
  })

  test('the cached part is taken out of the prompt, and a response counts once', () => {
    const record = event('session.usage_record', used('c1', 100))
    expect(usageTotals(read(record, record).drafts)).toEqual({
      input: 30,
      output: 20,
      cacheRead: 60,
      cacheWrite: 10,
      reasoning: 5,
    })
  })

  test('sums at the end are counted only where calls are not told, and the largest of them', () => {
    const sum = (inputTokens: number) =>
      event('session.shutdown', { modelMetrics: { a: { usage: { inputTokens, outputTokens: 1 } } } })
    expect(usageTotals(read(sum(100), sum(300)).drafts).input).toBe(300)
    expect(usageTotals(read(event('session.usage_record', used('c1', 100)), sum(300)).drafts).input).toBe(30)
  })
})

describe('sessions', () => {
  test('the start tells directory, branch and version, and events have the directory', () => {
    const { sessions, drafts } = read(start, user('a'))
    expect(sessions).toEqual([{ nativeId: SESSION, cwd: '/home/ada/garden', branch: 'main', cliVersion: '1.0.102' }])
    expect(drafts[1]?.cwd).toBe('/home/ada/garden')
  })

  test('77: a subagent’s events are a session below the call that started it', () => {
    const started = event('subagent.started', { toolCallId: 't', agentDescription: 'Count the beds' }, 'A')
    const { drafts, sessions } = read(
      start,
      user('Count.'),
      say('', [request('t', 'task')]),
      started,
      user('Count the beds.', { source: `agent-${SESSION}` }, 'A'),
      say('One.', [], {}, 'A'),
      turnEnd('A'),
      complete('t', { result: { content: 'One.' } }),
      say('One bed.'),
      turnEnd(),
    )
    expect(sessions).toContainEqual({
      nativeId: `${SESSION}/agent-A`,
      parent: { nativeId: SESSION, relation: 'subagent', callId: 't' },
      title: 'Count the beds',
      cwd: '/home/ada/garden',
    })
    const of = (session: string) => foldTurns(drafts.filter((draft) => draft.session === session))
    expect(of(`${SESSION}/agent-A`)).toEqual([
      expect.objectContaining({ prompt: 'Count the beds.', answer: 'One.', ending: 'answered' }),
    ])
    expect(of(SESSION)).toEqual([expect.objectContaining({ prompt: 'Count.', answer: 'One bed.', ending: 'answered' })])
  })

  test('a subagent of a subagent is a child of the one that called it', () => {
    const { sessions } = read(
      say('', [request('t1', 'task')]),
      event('subagent.started', { toolCallId: 't1' }, 'A'),
      say('', [request('t2', 'task')], {}, 'A'),
      event('subagent.started', { toolCallId: 't2' }, 'B'),
    )
    expect(sessions[1]?.parent).toEqual({ nativeId: `${SESSION}/agent-A`, relation: 'subagent', callId: 't2' })
  })

  test('a subagent that breaks down has failed', () => {
    const failed = event('subagent.failed', { error: 'no model' }, 'A')
    expect(turns(user('Count.', { source: 'agent-x' }, 'A'), failed)[0]?.ending).toBe('failed')
  })

  const named = (name: string) => {
    const [sidecar] = copilotCli.layouts[0]?.sidecars ?? []
    return sidecar?.read(`id: S\ncwd: /g\nname: ${name}\nbranch: main\n`, sourceFile()).sessions?.[0]?.title
  }

  test.each([
    ['Water the beds: all of them', 'Water the beds: all of them'],
    ['"Say \\"wet\\""', 'Say "wet"'],
    ["'It''s dry'", "It's dry"],
    ['|-\n  Water\n  the beds', 'Water'],
    ['null', undefined],
    ['', undefined],
  ])('the workspace’s name %j is the title %j', (yaml, title) => expect(named(yaml)).toBe(title))
})

describe('events', () => {
  test('a compaction that was cancelled is none', () => {
    const { drafts } = read(
      event('session.compaction_start'),
      event('session.compaction_complete', { success: false, error: 'Compaction Cancelled' }),
      event('session.compaction_complete', { success: true, summaryContent: 'All wet.' }),
    )
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['runtime', ''],
      ['runtime', 'Compaction Cancelled'],
      ['compaction', 'All wet.'],
    ])
  })

  test('the system’s prompt says that it was there, not what it held', () => {
    const { drafts } = read(event('system.message', { role: 'system', content: 'x'.repeat(20_000) }))
    expect(drafts[0]).toMatchObject({ type: 'system', text: '', payload: { leftOut: { content: 20_002 } } })
  })

  test('31: kinds nobody knows are unknown, whole', () => {
    expect(read(event('session.something_new', { text: 'x' })).drafts.map(({ type }) => type)).toEqual(['unknown'])
  })

  test('32: a time that is none leaves the event without one', () => {
    expect(read({ ...user('a'), timestamp: 'yesterday' }).drafts[0]?.at).toBeUndefined()
  })
})

describe('places', () => {
  test('COPILOT_HOME stands in for .copilot', () => {
    const [source] = copilotCli.sources
    expect(source?.roots({ home: '/h', env: {}, platform: 'linux' })).toEqual(['/h/.copilot/session-state'])
    expect(source?.roots({ home: 'C:\\A', env: {}, platform: 'win32' })).toEqual(['C:\\A\\.copilot\\session-state'])
    expect(source?.roots({ home: '/h', env: { COPILOT_HOME: '/c' }, platform: 'darwin' })).toEqual(['/c/session-state'])
  })

  test('a session is a folder, or a file of its own in old clients', () => {
    const [source] = copilotCli.sources
    expect(['S/events.jsonl', 'S.jsonl'].map((name) => source?.matches(name))).toEqual([true, true])
    const others = ['S/workspace.yaml', 'S/checkpoints/index.md', 'S/session.db', 'S/x/events.jsonl', 'S.json']
    expect(others.map((name) => source?.matches(name))).toEqual([false, false, false, false, false])
    const old = readWith(copilotCli, sourceFile('old-session.jsonl'), [user('a')])
    expect(old.drafts[0]?.session).toBe('old-session')
  })
})
