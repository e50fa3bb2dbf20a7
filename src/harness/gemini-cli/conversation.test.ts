import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { foldTurns, layoutFor, readWith, usageTotals } from '../reading.testing.ts'
import { geminiCli } from './index.ts'
import { projectDirectory } from './paths.ts'
import { HEADER, readAfterHeader, sourceFile } from './testing.ts'

const user = (id: string, text: string, more: object = {}) => ({
  id,
  timestamp: '2026-05-01T10:00:01.000Z',
  type: 'user',
  content: [{ text }],
  ...more,
})

const gemini = (id: string, content: string, more: object = {}) => ({
  id,
  timestamp: '2026-05-01T10:00:02.000Z',
  type: 'gemini',
  content,
  thoughts: [],
  model: 'gemini-3-pro',
  ...more,
})

const history = (...messages: object[]) => ({ $set: { messages, lastUpdated: '2026-05-01T10:00:03.000Z' } })

const call = (id: string, name: string, args: object, response: object, more: object = {}) => ({
  id,
  name,
  args,
  result: [{ functionResponse: { id, name, response } }],
  status: 'success',
  timestamp: '2026-05-01T10:00:04.000Z',
  ...more,
})

const turns = (...records: object[]) => foldTurns(readAfterHeader(...records).drafts)

describe('turns', () => {
  test('a prompt opens one, and text without a tool call answers it', () => {
    expect(turns(user('u', 'Water the beds.'), gemini('g', 'They are wet now.'))).toEqual([
      expect.objectContaining({ prompt: 'Water the beds.', answer: 'They are wet now.', ending: 'answered' }),
    ])
  })

  test('what the client and tools say in the user’s name opens none', () => {
    const { drafts } = readAfterHeader(
      history(user('c', '<session_context>\nThis is the Gemini CLI.\n</session_context>')),
      user('p', 'System: Please continue.'),
      user('s', '<state_snapshot>\nall is wet\n</state_snapshot>'),
      user('r', '', { content: [{ functionResponse: { id: 'x', name: 'glob', response: { output: 'none' } } }] }),
      user('b', '', { content: [{ functionResponse: { id: 'y', name: 'glob', response: {} } }, { text: 'go on' }] }),
    )
    expect(drafts.filter(({ opensTurn }) => opensTurn)).toEqual([])
    expect(drafts.slice(1).map(({ type }) => type)).toEqual([
      'system',
      'system',
      'compaction',
      'tool_response',
      'tool_response',
      'user_input',
    ])
  })

  test('a prompt is told as it was typed, without the files that were put into it', () => {
    const typed = user('u', 'a whole file\nRead @beds.md', { displayContent: [{ text: 'Read @beds.md' }] })
    expect(turns(typed)[0]?.prompt).toBe('Read @beds.md')
  })

  test('text that goes on to call a tool is commentary, and answers nothing', () => {
    const said = gemini('g', 'I look first.', { toolCalls: [call('t', 'glob', { pattern: '*' }, { output: 'none' })] })
    const { drafts } = readAfterHeader(user('u', 'Look.'), gemini('g', 'I look first.'), said)
    expect(foldTurns(drafts)[0]?.ending).toBeUndefined()
    expect(drafts.find(({ type }) => type === 'assistant_response')?.commentary).toBe(true)
  })

  test('text that cost more tokens than it has bytes was followed by a call nobody answered', () => {
    const tokens = { input: 10, output: 42, cached: 0, thoughts: 0, tool: 0, total: 52 }
    expect(turns(user('u', 'Check.'), gemini('g', 'I start the check.', { tokens }))[0]?.ending).toBeUndefined()
  })

  test('a subagent answers by handing in its result', () => {
    const done = call('d', 'complete_task', { result: 'three' }, { output: 'done' })
    const file = sourceFile('garden/chats/parent/child.jsonl')
    const records = [
      { ...HEADER, sessionId: 'child' },
      user('u', 'Count.'),
      gemini('g', 'Three.', { toolCalls: [done] }),
    ]
    expect(foldTurns(readWith(geminiCli, file, records).drafts)).toEqual([
      expect.objectContaining({ answer: 'Three.', ending: 'answered', calls: ['complete_task'] }),
    ])
  })
})

describe('turns that are cut short', () => {
  test('Escape is told by a notice', () => {
    const notice = { id: 'i', timestamp: '2026-05-01T10:00:05.000Z', type: 'info', content: 'Request cancelled.' }
    expect(turns(user('u', 'Explain.'), notice)[0]?.ending).toBe('interrupted')
    expect(turns(user('u', 'Explain.'), gemini('g', 'So.'), notice)[0]?.ending).toBe('answered')
  })

  test('a prompt that is taken back failed', () => {
    const first = [user('u', 'One.'), gemini('g', 'Done.')]
    expect(turns(...first, user('v', 'Two.'), history(...first)).map(({ ending }) => ending)).toEqual([
      'answered',
      'failed',
    ])
  })

  test('an error of the API fails the turn; other notices do not', () => {
    const error = (content: string) => ({ id: content, type: 'error', content })
    expect(turns(user('u', 'Go.'), error('[API Error: invalid key]'))[0]?.ending).toBe('failed')
    expect(turns(user('u', 'Go.'), error('Failed to connect to a server.'))[0]?.ending).toBeUndefined()
  })

  test('a resume tells that whoever was at work is gone', () => {
    expect(turns(user('u', 'Go.'), HEADER)[0]?.ending).toBe('exited')
    expect(turns(user('u', 'Go.'), { $set: { sessionId: HEADER.sessionId } })[0]?.ending).toBe('exited')
    expect(turns(user('u', 'Go.'), gemini('g', 'Gone.'), HEADER)[0]?.ending).toBe('answered')
  })

  test('a client that begins its history anew in the middle of a turn does not end it', () => {
    const records = [user('u', 'Go.'), { $set: { sessionId: HEADER.sessionId } }, gemini('g', 'Gone.')]
    expect(turns(...records)).toEqual([expect.objectContaining({ ending: 'answered' })])
  })
})

describe('messages that are written again', () => {
  test('53: are one event each, with what they hold at last', () => {
    const thoughts = [{ subject: 'Water', description: 'Is there any?' }]
    const shell = call('t', 'run_shell_command', { command: 'pump' }, { output: 'Output: wet\nProcess Group PGID: 4' })
    const { drafts } = readAfterHeader(
      user('u', 'Pump.'),
      gemini('g', '', { thoughts }),
      gemini('g', '', { thoughts, toolCalls: [shell] }),
    )
    expect(drafts.slice(2).map(({ type, native }) => [type, native.id])).toEqual([
      ['reasoning', 'g/thought/0'],
      ['runtime', 'g'],
      ['tool_call', 'g/call/t'],
      ['tool_response', 'result/t'],
    ])
  })

  test('cost once, the cached part and the thoughts counted apart', () => {
    const tokens = { input: 100, output: 20, cached: 60, thoughts: 5, tool: 7, total: 132 }
    const { drafts } = readAfterHeader(gemini('g', 'Wet, all of it, by now.', { tokens }), gemini('g', '', { tokens }))
    expect(usageTotals(drafts)).toEqual({ input: 47, output: 25, cacheRead: 60, cacheWrite: 0, reasoning: 5 })
  })

  test('a copy of the history adds no events, but for the summary that stands nowhere else', () => {
    const summary = user('s', '<state_snapshot>\nall is wet\n</state_snapshot>')
    const { drafts } = readAfterHeader(
      user('u', 'Pump.'),
      gemini('g', 'Done.'),
      history(user('u', 'Pump.'), gemini('g', 'Done.')),
      history(summary, gemini('k', 'Got it.')),
      history(summary, gemini('k', 'Got it.'), user('u2', 'x')),
    )
    expect(drafts.map(({ type }) => type)).toEqual([
      'system',
      'user_input',
      'assistant_response',
      'system',
      'compaction',
      'system',
    ])
  })
})

describe('tools', () => {
  const response = (toolCall: object) =>
    readAfterHeader(gemini('g', '', { toolCalls: [toolCall] })).drafts.find(({ type }) => type === 'tool_response')

  test.each([
    ['Output: no\nExit Code: 3\nProcess Group PGID: 4', 3],
    ['Output: yes\nProcess Group PGID: 4', 0],
    ['Command: x\nOutput: Exit Code: 7\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 4', 0],
    ['Command: x\nError: (none)\nExit Code: (none)\nSignal: 9\nProcess Group PGID: 4', undefined],
    ['Output: \nSignal: 9\nProcess Group PGID: 4', undefined],
    ['Command moved to background (PID: 4).', undefined],
  ])('the exit code of %j is %j', (output, exitCode) => {
    expect(response(call('t', 'run_shell_command', {}, { output }))?.tool?.exitCode).toBe(exitCode)
  })

  test('a command that fails is no failed call; a cancelled call is', () => {
    const ended = { output: 'Output: no\nExit Code: 3\nProcess Group PGID: 4' }
    expect(response(call('t', 'run_shell_command', {}, ended))?.tool?.error).toBeUndefined()
    expect(response(call('t', 'glob', {}, { error: 'cancelled' }, { status: 'cancelled' }))?.tool?.error).toBe(true)
  })

  test('an MCP tool has its server from the name for people, whatever underscores are in it', () => {
    const shown = { displayName: 'dig_up (garden_tools MCP Server)' }
    expect(response(call('t', 'mcp_garden_tools_dig_up', {}, { output: '' }, shown))?.tool).toMatchObject({
      name: 'dig_up',
      server: 'garden_tools',
    })
  })

  test('a result is told once, though it stands in two messages', () => {
    const toolCall = call('t', 'glob', { pattern: '*' }, { output: 'none' })
    const { drafts } = readAfterHeader(
      gemini('g', '', { toolCalls: [toolCall] }),
      user('r', '', { content: toolCall.result }),
    )
    expect(drafts.filter(({ type }) => type === 'tool_response')).toHaveLength(1)
  })

  test('the tag around what comes from outside is left out', () => {
    const output = '<untrusted_context>\nnothing\n</untrusted_context>'
    expect(response(call('t', 'read_file', {}, { output }))?.text).toBe('nothing')
  })
})

describe('sessions', () => {
  test('a subagent is a child of the session its folder is named after, and the parent names the call', () => {
    const child = readWith(geminiCli, sourceFile('garden/chats/parent/child.jsonl'), [
      { ...HEADER, sessionId: 'child' },
    ])
    expect(child.sessions).toContainEqual({ nativeId: 'child', parent: { nativeId: 'parent', relation: 'subagent' } })
    const started = call('a', 'invoke_agent', { prompt: 'Count.' }, { output: 'three' }, { agentId: 'child' })
    expect(readAfterHeader(gemini('g', '', { toolCalls: [started] })).sessions).toContainEqual({
      nativeId: 'child',
      parent: { nativeId: HEADER.sessionId, relation: 'subagent', callId: 'a' },
    })
  })

  test('the title is the summary the client makes, and the directory the first it names', () => {
    const context = '<session_context>\n- **Workspace Directories:**\n  - /home/ada/garden\n  - /home/ada/shed\n'
    const { sessions } = readAfterHeader(history(user('c', context)), { $set: { summary: 'Watering' } })
    expect(sessions).toEqual([
      { nativeId: HEADER.sessionId, cwd: '/home/ada/garden' },
      { nativeId: HEADER.sessionId, title: 'Watering' },
    ])
  })
})

describe('faults others have had', () => {
  test('68: documents and journals are both read, in the chats folder and in a session’s own', () => {
    const [source] = geminiCli.sources
    const names = ['g/chats/session-1.json', 'g/chats/session-1.jsonl', 'g/chats/parent/child.jsonl']
    expect(names.map((name) => source?.matches(name))).toEqual([true, true, true])
    const others = [
      'g/logs.json',
      'g/checkpoint-x.json',
      'g/chats/notes.json',
      'g/chats/a/b/c.jsonl',
      'g/chats/session-1.md',
    ]
    expect(others.map((name) => source?.matches(name))).toEqual([false, false, false, false, false])
  })

  test('70: one session as .json and .jsonl has one id and one name for each event', () => {
    const messages = [user('u', 'Pump.'), gemini('g', 'Done.')]
    const [, ...journal] = readAfterHeader(...messages).drafts
    const [, ...document] = readWith(geminiCli, sourceFile('garden/chats/session-x.json'), [HEADER, ...messages]).drafts
    expect(document).toEqual(journal)
  })

  test('70: what was rewound stays, and the conversation says where it was', () => {
    const { drafts } = readAfterHeader(user('u', 'Pump.'), { $rewindTo: 'u' }, user('v', 'Dig.'), gemini('g', 'Done.'))
    expect(foldTurns(drafts).map(({ prompt, ending }) => [prompt, ending])).toEqual([
      ['Pump.', 'interrupted'],
      ['Dig.', 'answered'],
    ])
    expect(drafts.some(({ text }) => text === 'The conversation was rewound.')).toBe(true)
  })

  test('71: a header without projectHash is a header, and the project is told in its folder', () => {
    const { projectHash: _, ...header } = HEADER
    const file = sourceFile()
    expect(readWith(geminiCli, file, [header, user('u', 'Pump.')]).drafts[1]?.session).toBe(HEADER.sessionId)
    const [sidecar] = layoutFor(geminiCli, file).sidecars ?? []
    expect(sidecar?.pathOf(file)?.split('\\').join('/')).toBe('/home/ada/.gemini/tmp/garden/.project_root')
    expect(sidecar?.pathOf(sourceFile('garden/chats/parent/child.jsonl'))).toBe(sidecar?.pathOf(file))
    expect(sidecar?.read('/home/ada/garden\n', file, HEADER.sessionId).sessions).toEqual([
      { nativeId: HEADER.sessionId, cwd: '/home/ada/garden' },
    ])
    expect(sidecar?.read('/home/ada/garden', file).sessions).toEqual([])
  })

  test('22: a project’s folder is found in the registry by its name or by the hash of its path', () => {
    const hash = createHash('sha256').update('/home/ada/an orchard').digest('hex')
    const projects = { '/home/ada/garden': 'garden', '/home/ada/an orchard': 'an-orchard' }
    const directory = (folder: string, note?: string) => {
      const files = { names: () => [], json: (path: string) => (path.endsWith('.project_root') ? note : { projects }) }
      return projectDirectory(files, sourceFile(`${folder}/chats/session-x.json`))
    }
    expect(directory('garden')).toBe('/home/ada/garden')
    expect(directory(hash)).toBe('/home/ada/an orchard')
    expect(directory('garden', '/mnt/garden\n')).toBe('/mnt/garden')
    expect(directory('elsewhere')).toBe('')
  })

  test('32: times that are none leave the event without one', () => {
    for (const timestamp of ['yesterday', 8640000000000001, '', null]) {
      expect(readAfterHeader(user('u', 'Pump.', { timestamp })).drafts[1]?.at).toBeUndefined()
    }
  })

  test('46: pictures leave by reference', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'A'.repeat(8000) } }
    const { drafts } = readAfterHeader(user('u', '', { content: [{ text: 'What is this?' }, picture] }))
    expect(drafts[1]?.text).toBe('What is this?\n[image/png 6 kB]')
  })
})

describe('places', () => {
  test('GEMINI_CLI_HOME stands in for the home folder', () => {
    const [source] = geminiCli.sources
    expect(source?.roots({ home: '/home/ada', env: {}, platform: 'linux' })).toEqual(['/home/ada/.gemini/tmp'])
    expect(source?.roots({ home: 'C:\\Users\\Ada', env: {}, platform: 'win32' })).toEqual([
      'C:\\Users\\Ada\\.gemini\\tmp',
    ])
    expect(source?.roots({ home: '/h', env: { GEMINI_CLI_HOME: '/data/g' }, platform: 'darwin' })).toEqual([
      '/data/g/.gemini/tmp',
    ])
  })
})
