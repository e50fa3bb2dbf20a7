import { describe, expect, it } from 'vitest'
import { done, event, item, readRecords, types } from './testing.ts'

describe('tools', () => {
  const call = (name: string, args: unknown, more: object = {}) =>
    item('function_call', { name, arguments: JSON.stringify(args), call_id: 'call_1', ...more })
  const output = (value: unknown) => item('function_call_output', { call_id: 'call_1', output: value })
  const response = (value: unknown, before: unknown[] = []) =>
    readRecords([call('exec_command', { cmd: 'ls' }), ...before, output(value)]).drafts.at(-1)

  it('reads the exit code wherever it stands', () => {
    expect(response('Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 3\nOutput:\nx')?.tool?.exitCode).toBe(
      3,
    )
    expect(response('Exit code: -1\nWall time: 0 seconds\nOutput:\nx')?.tool?.exitCode).toBe(-1)
    expect(response('{"output":"x\\n","metadata":{"exit_code":2}}')).toMatchObject({
      text: 'x\n',
      tool: { exitCode: 2 },
    })
    expect(response({ content: 'Exit code: 4\nOutput:\nx', success: false })?.tool).toMatchObject({
      exitCode: 4,
      error: true,
    })
    const ended = done({ type: 'CommandExecution', id: 'call_1', command: ['ls'], status: 'failed', exit_code: 5 })
    expect(response('aborted', [ended])?.tool).toMatchObject({ exitCode: 5, error: true })
  })

  it('is not fooled by a command that prints such a line itself', () => {
    expect(response('Wall time: 1 seconds\nOutput:\nProcess exited with code 9')?.tool?.exitCode).toBeUndefined()
    expect(response('listing\nExit code: 9')?.tool?.exitCode).toBeUndefined()
  })

  it('tells an exit code that becomes known after the output', () => {
    const ended = done({ type: 'CommandExecution', id: 'call_1', command: ['ls'], status: 'failed', exit_code: 137 })
    const { drafts } = readRecords([call('exec_command', { cmd: 'ls' }), output('aborted by user'), ended])
    expect(drafts.map(({ type }) => type)).toEqual(['tool_call', 'tool_response', 'runtime'])
    expect(drafts[2]?.tool).toMatchObject({ callId: 'call_1', phase: 'response', exitCode: 137, error: true })
  })

  it('names the tool of an output by its call, and both by the call id', () => {
    const { drafts } = readRecords([call('view_image', { path: 'kite.png', detail: 'low' }), output('ok')])
    expect(drafts).toMatchObject([
      { native: { id: 'call:call_1' }, text: 'kite.png', tool: { name: 'view_image', phase: 'call' } },
      { native: { id: 'output:call_1' }, tool: { name: 'view_image', phase: 'response' } },
    ])
  })

  it('reads commands in all shapes and keeps the arguments as they were', () => {
    const text = (args: unknown) => readRecords([call('shell', args)]).drafts[0]
    expect(text({ command: ['bash', '-lc', 'ls | wc -l'] })?.text).toBe('ls | wc -l')
    expect(text({ command: ['powershell.exe', '-NoLogo', '-Command', 'dir'] })?.text).toBe('dir')
    expect(text({ command: ['git', 'commit', '-m', "it's red"] })?.text).toBe(`git commit -m 'it'\\''s red'`)
    expect(text({ cmd: 'ls', workdir: '/x' })).toMatchObject({
      text: 'ls',
      tool: { input: { cmd: 'ls', workdir: '/x' } },
    })
    expect(text({ command: ['ls', '-l'] })?.tool?.input).toEqual({ command: ['ls', '-l'] })
    expect(text({ a: 1 })?.text).toBe('{"a":1}')
  })

  it('knows the MCP server by the namespace, and leaves the tool its name', () => {
    const tool = (name: string, more: object) => readRecords([call(name, {}, more)]).drafts[0]?.tool
    expect(tool('echo', { namespace: 'mcp__probe' })).toMatchObject({ name: 'echo', server: 'probe' })
    expect(tool('probe_echo', { namespace: 'mcp__probe' })).toMatchObject({ name: 'probe_echo', server: 'probe' })
    expect(tool('mcp__probe__echo', {})).toMatchObject({ name: 'echo', server: 'probe' })
    expect(tool('spawn_agent', { namespace: 'collaboration' })).not.toHaveProperty('server')
    expect(tool('functions.exec', {})).toMatchObject({ name: 'exec' })
  })

  it('makes what a script of the code mode did into calls of their own', () => {
    const values = [
      item('custom_tool_call', { name: 'exec', namespace: 'functions', call_id: 'call_1', input: 'await tools.x()' }),
      done({
        type: 'FileChange',
        id: 'exec-1',
        status: 'completed',
        changes: { '/x/a.md': { type: 'add', content: 'hi\n' } },
      }),
      done({
        type: 'McpToolCall',
        id: 'exec-2',
        server: 'probe',
        tool: 'fail',
        arguments: {},
        status: 'failed',
        result: { content: [{ type: 'text', text: 'no' }] },
      }),
      item('custom_tool_call_output', {
        call_id: 'call_1',
        output: [{ type: 'input_text', text: 'Script completed' }],
      }),
    ]
    const { records } = readRecords(values)
    expect(records[1]).toMatchObject([
      {
        type: 'tool_call',
        native: { id: 'call:exec-1', index: 0 },
        text: '*** Add File: /x/a.md\nhi\n',
        tool: { name: 'apply_patch', input: { changes: { '/x/a.md': { type: 'add' } } } },
      },
      { type: 'tool_response', native: { id: 'output:exec-1', index: 1 } },
    ])
    expect(records[2]).toMatchObject([
      { type: 'tool_call', tool: { name: 'fail', server: 'probe' } },
      { type: 'tool_response', text: 'no', tool: { name: 'fail', server: 'probe', error: true } },
    ])
  })

  it('remembers a command in the background however many calls follow', () => {
    const others = Array.from({ length: 400 }, (_, n) =>
      item('function_call', { name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: `call_other_${n}` }),
    )
    const started = [
      call('exec_command', { cmd: 'serve' }),
      output('Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n'),
    ]
    const ended = done({ type: 'CommandExecution', id: 'call_1', command: ['serve'], exit_code: 0 })
    const { drafts, state } = readRecords([...started, ...others, ended])
    expect(drafts.at(-1)?.type).toBe('runtime')
    expect(JSON.stringify(state).length).toBeLessThan(10_000)
  })

  it('counts a web search once and takes its results from the event', () => {
    const search = { action: { type: 'search', query: 'kites' } }
    const results = [{ title: 'Kites', url: 'https://example.org', snippet: 'They fly.' }]
    const values = [item('web_search_call', search), event('web_search_end', { call_id: 'ws_1', ...search, results })]
    expect(types(values)).toEqual(['tool_call', 'tool_response'])
    expect(types([...values].reverse())).toEqual(['tool_call', 'tool_response', 'runtime'])
    expect(readRecords(values).drafts[0]).toMatchObject({ text: 'kites', tool: { name: 'web_search' } })
  })

  it('leaves a command the user typed to the message that tells of it', () => {
    expect(types([event('exec_command_end', { call_id: 'u', command: ['ls'], source: 'user_shell' })])).toEqual([
      'runtime',
    ])
  })

  it('keeps pictures out of outputs', () => {
    const draft = response([{ type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=' }])
    expect(JSON.stringify(draft)).not.toContain('aGVsbG8')
    expect(
      types([item('image_generation_call', { id: 'ig_1', result: 'aGVsbG8=', revised_prompt: 'a kite' })]),
    ).toEqual(['tool_call'])
  })
})
