import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { draftsOf } from './testing.ts'

let count = 0

function call(name: string, input: unknown, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const block = { type: 'tool_use', id: 't1', name, input, ...fields }
  const message = { id: `m${count}`, role: 'assistant', stop_reason: 'tool_use', content: [block] }
  return { type: 'assistant', uuid: `a${count++}`, sessionId: 'S', message }
}

function result(
  content: unknown,
  block: Record<string, unknown> = {},
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content, ...block }] }
  return { type: 'user', uuid: `u${count++}`, sessionId: 'S', message, ...fields }
}

/** The response to one call. */
function response(name: string, ...answer: Parameters<typeof result>): Draft | undefined {
  return draftsOf(call(name, { command: 'x' }), result(...answer))[1]
}

function exitCode(...answer: Parameters<typeof result>): number | undefined {
  return response('Bash', ...answer)?.tool?.exitCode
}

describe('a call', () => {
  test.each([
    ['Bash', { command: 'ls -la', description: 'list' }, 'ls -la'],
    ['Read', { file_path: '/w/a.ts' }, '/w/a.ts'],
    ['Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, '/w/a.ts\n- a\n+ b'],
    ['MultiEdit', { file_path: '/w/a.ts', edits: [{ old_string: 'a', new_string: 'b' }] }, '/w/a.ts\n- a\n+ b'],
    ['Write', { file_path: '/w/a.ts', content: 'one\ntwo' }, '/w/a.ts\none\ntwo'],
    ['Grep', { pattern: 'x+', path: 'src' }, 'x+\nsrc'],
    ['Task', { description: 'Count', prompt: 'Count lines' }, 'Count\nCount lines'],
    ['Skill', { skill: 'tidy', args: 'now' }, 'tidy now'],
    ['TodoWrite', { todos: [{ content: 'dig', status: 'pending' }] }, '[pending] dig'],
    ['ToolSearch', { query: 'select:TaskCreate' }, 'select:TaskCreate'],
    ['Bash', { restart: true }, '{"restart":true}'],
    ['Novelty', { a: 1 }, '{"a":1}'],
  ])('of %s reads well', (name, input, text) => {
    const [draft] = draftsOf(call(name, input))
    expect(draft).toMatchObject({ type: 'tool_call', text, tool: { name, callId: 't1', phase: 'call', input } })
  })

  test('of an MCP tool names its server apart', () => {
    const [draft] = draftsOf(call('mcp__probe__echo', { text: 'hi' }))
    expect(draft).toMatchObject({ text: '{"text":"hi"}', tool: { name: 'echo', server: 'probe' } })
    const [hosted] = draftsOf(call('echo', {}, { type: 'mcp_tool_use', server_name: 'probe' }))
    expect(hosted?.tool).toMatchObject({ name: 'echo', server: 'probe' })
  })
})

describe('a result', () => {
  test('has the name and server of its call', () => {
    expect(response('mcp__probe__echo', [{ type: 'text', text: 'hi' }])).toMatchObject({
      type: 'tool_response',
      text: 'hi',
      tool: { name: 'echo', server: 'probe', callId: 't1', phase: 'response' },
    })
  })

  test('without its call is of an unknown tool', () => {
    expect(draftsOf(result('late'))[0]?.tool).toEqual({ name: 'unknown', callId: 't1', phase: 'response' })
  })

  test('of a tool search names the tools found', () => {
    expect(response('ToolSearch', [{ type: 'tool_reference', tool_name: 'TaskCreate' }])?.text).toBe('TaskCreate')
  })

  test('in a message marked meta is a result all the same', () => {
    expect(response('Bash', 'ok', {}, { isMeta: true })?.type).toBe('tool_response')
  })

  test.each([
    ['text', 'plain', 'plain'],
    ['console output', { stdout: 'out', stderr: 'err' }, 'out\nerr'],
    ['blocks', { content: [{ type: 'text', text: 'block' }] }, 'block'],
    ['a file', { file: { content: [{ type: 'text', text: 'line' }] } }, 'line'],
  ])('without content is read from toolUseResult as %s (fault 28)', (_shape, toolUseResult, text) => {
    expect(response('Bash', undefined, {}, { toolUseResult })?.text).toBe(text)
  })

  test('keeps small facts of toolUseResult and none of its texts', () => {
    const toolUseResult = {
      filePath: '/w/a',
      originalFile: 'x'.repeat(9000),
      structuredPatch: [{}],
      userModified: false,
    }
    expect(response('Edit', 'updated', {}, { toolUseResult })?.payload).toEqual({ filePath: '/w/a' })
    const file = { filePath: '/w/b', content: 'text' }
    expect(response('Read', 'text', {}, { toolUseResult: { type: 'text', file } })?.payload).toEqual({
      type: 'text',
      filePath: '/w/b',
    })
  })

  test('that was refused says why', () => {
    const draft = response('Bash', 'not wanted', { is_error: true }, { toolDenialKind: 'user-rejected' })
    expect(draft).toMatchObject({ tool: { error: true }, payload: { toolDenialKind: 'user-rejected' } })
    expect(draft?.tool).not.toHaveProperty('exitCode')
  })

  test('of a search on the provider’s side lists titles and addresses', () => {
    const hits = [{ type: 'web_search_result', title: 'Beans', url: 'https://example.org/b', encrypted_content: 'zz' }]
    const content = [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'beans' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: hits },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's2',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
    ]
    const drafts = draftsOf({ type: 'assistant', uuid: 'w', sessionId: 'S', message: { id: 'm', content } })
    expect(drafts.map(({ type, text, tool }) => [type, text, tool?.name, tool?.error])).toEqual([
      ['tool_call', '{"query":"beans"}', 'web_search', undefined],
      ['tool_response', 'Beans\nhttps://example.org/b\n', 'web_search', undefined],
      ['tool_response', 'unavailable', 'unknown', true],
    ])
  })

  test('of early clients stands in a record of its own', () => {
    const drafts = draftsOf(
      { type: 'tool_use', sessionId: 'S', uuid: 'x1', name: 'bash', input: { command: 'ls' } },
      { type: 'tool_result', sessionId: 'S', uuid: 'x2', name: 'bash', output: 'a' },
    )
    expect(drafts.map(({ type, text, tool }) => [type, text, tool?.name])).toEqual([
      ['tool_call', 'ls', 'bash'],
      ['tool_response', 'a', 'bash'],
    ])
  })
})

describe('the exit code of a command', () => {
  test('is the one its error begins with', () => {
    expect(exitCode('Exit code 3\nno', { is_error: true }, { toolUseResult: 'Error: Exit code 3\nno' })).toBe(3)
  })

  test('is 0 when the record says that it went well', () => {
    expect(exitCode('ok', { is_error: false })).toBe(0)
    expect(exitCode('ok', {}, { toolUseResult: { stdout: 'ok', interrupted: false } })).toBe(0)
  })

  test('is the one stated', () => {
    expect(exitCode('ok', {}, { toolUseResult: { stdout: '', exitCode: 7 } })).toBe(7)
    expect(response('TaskOutput', 'ok', {}, { toolUseResult: { task: { exitCode: 1 } } })?.tool?.exitCode).toBe(1)
  })

  test.each([
    ['nothing says how it went', 'ok', {}, undefined],
    ['an error names none', 'The user rejected it', { is_error: true }, 'User rejected tool use'],
    [
      'it runs in the background',
      'Command running in background with ID: b1',
      { is_error: false },
      { backgroundTaskId: 'b1' },
    ],
    ['it was cut off', 'half', { is_error: false }, { stdout: 'half', interrupted: true }],
    [
      'the client explains an unusual one',
      '',
      { is_error: false },
      { stdout: '', returnCodeInterpretation: 'No matches found' },
    ],
  ])('is not known when %s', (_why, content, block, toolUseResult) => {
    expect(exitCode(content, block, { toolUseResult })).toBeUndefined()
  })

  test('is nothing other tools have', () => {
    expect(response('Read', 'text', { is_error: false })?.tool).not.toHaveProperty('exitCode')
  })
})

test('calls in flight are bounded', () => {
  const calls = Array.from({ length: 300 }, (_item, index) => call('Bash', { command: 'x' }, { id: `t${index}` }))
  const late = {
    type: 'user',
    uuid: 'late',
    sessionId: 'S',
    message: { content: [{ type: 'tool_result', tool_use_id: 't0', content: '' }] },
  }
  const last = {
    type: 'user',
    uuid: 'last',
    sessionId: 'S',
    message: { content: [{ type: 'tool_result', tool_use_id: 't299', content: '' }] },
  }
  const drafts = draftsOf(...calls, late, last)
  expect(drafts.slice(-2).map(({ tool }) => tool?.name)).toEqual(['unknown', 'Bash'])
})
