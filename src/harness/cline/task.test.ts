import { describe, expect, test } from 'vitest'
import { usageTotals } from '../reading.testing.ts'
import { cline } from './index.ts'
import { readTask, step, taskDrafts, taskEndings, taskFile } from './testing.ts'

const task = step('say', 'task', 'Plant the beans.')
const request = (more: object = {}) => step('say', 'api_req_started', { request: 'x', tokensIn: 1, ...more })

describe('a turn of a task', () => {
  test('is answered when the client waits with a result, and not by what is said on the way', () => {
    expect(taskEndings(task, step('say', 'text', 'I look.'))).toEqual([undefined])
    const done = [step('say', 'completion_result', 'Done.HAS_CHANGES'), step('ask', 'completion_result')]
    expect(taskEndings(task, ...done)).toEqual(['answered'])
    expect(taskDrafts(...done)[0]).toMatchObject({ type: 'assistant_response', text: 'Done.' })
    expect(taskDrafts(step('say', 'text', 'I look.'))[0]).toMatchObject({ commentary: true })
  })

  test('is answered by a question or a plan, once it is whole', () => {
    const question = step('ask', 'followup', { question: 'Which?', options: ['first', 'last'] })
    expect(taskDrafts(question)[0]).toMatchObject({ text: 'Which?\n- first\n- last', ends: 'answered' })
    expect(taskEndings(task, step('ask', 'plan_mode_respond', { response: 'First dig.' }))).toEqual(['answered'])
    expect(taskEndings(task, step('ask', 'plan_mode_respond', '{"respon', { partial: true }))).toEqual([undefined])
  })

  test('is interrupted when its request was cancelled, or the task is taken up again', () => {
    expect(taskEndings(task, request({ cancelReason: 'user_cancelled' }))).toEqual(['interrupted'])
    expect(taskEndings(task, step('say', 'text', 'I'), step('ask', 'resume_task'))).toEqual(['interrupted'])
    const done = [step('say', 'completion_result', 'Done.'), step('ask', 'completion_result')]
    expect(taskEndings(task, ...done, step('ask', 'resume_completed_task'))).toEqual(['answered'])
  })

  test('has failed when a request failed for good, and goes on when it is tried again', () => {
    const failed = [request({ cancelReason: 'streaming_failed' }), step('ask', 'api_req_failed', 'no key')]
    expect(taskEndings(task, ...failed)).toEqual(['failed'])
    expect(taskEndings(task, ...failed, step('say', 'api_req_retried'), step('say', 'text', 'Hi.'))).toEqual([
      undefined,
    ])
    expect(taskEndings(task, step('ask', 'mistake_limit_reached', 'Too many.'))).toEqual(['failed'])
  })

  test('opens when the user says something', () => {
    const drafts = taskDrafts(task, step('say', 'user_feedback', 'And peas.'), step('say', 'user_feedback_diff', '{}'))
    expect(drafts.map(({ opensTurn }) => opensTurn)).toEqual([true, true, undefined])
  })
})

describe('a call of a task', () => {
  const callOf = (kind: string, shown: unknown) => taskDrafts(step('say', kind, shown))[0]

  test.each([
    [
      { tool: 'editedExistingFile', path: 'a.ts', diff: '+x', content: '+x' },
      'replace_in_file',
      { path: 'a.ts', diff: '+x' },
    ],
    [{ tool: 'newFileCreated', path: 'a.ts', content: 'x' }, 'write_to_file', { path: 'a.ts', content: 'x' }],
    [{ tool: 'readFile', path: 'a.ts', content: '/p/a.ts' }, 'read_file', { path: 'a.ts' }],
    [{ tool: 'fileDeleted', path: 'a.ts' }, 'delete_file', { path: 'a.ts' }],
    [{ tool: 'searchFiles', path: 'src', regex: 'x', content: 'found' }, 'search_files', { path: 'src', regex: 'x' }],
    [{ tool: 'listFilesTopLevel', path: 'src', content: 'a\nb' }, 'list_files', { path: 'src' }],
  ])('has the name by which the model called it: %j', (shown, name, input) => {
    expect(callOf('tool', shown)?.tool).toMatchObject({ name, input })
  })

  test('has the response that follows it', () => {
    const drafts = taskDrafts(step('ask', 'command', 'wc -l a'), step('say', 'command_output', '3 a'))
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['tool_call', 'wc -l a'],
      ['tool_response', '3 a'],
    ])
    expect(drafts[1]?.tool?.callId).toBe(drafts[0]?.tool?.callId)
    expect(drafts[0]?.tool).toMatchObject({ name: 'execute_command', input: { command: 'wc -l a' } })
  })

  test('of an MCP server names it', () => {
    const shown = { serverName: 'probe', type: 'use_mcp_tool', toolName: 'echo', arguments: '{"text":"hi"}' }
    expect(callOf('use_mcp_server', shown)?.tool).toMatchObject({
      name: 'echo',
      server: 'probe',
      input: { text: 'hi' },
    })
  })

  test('of the browser leaves its pictures out (fault 46)', () => {
    const screenshot = `data:image/png;base64,${'A'.repeat(5000)}`
    const shown = step('say', 'browser_action_result', { screenshot, logs: 'ok', currentUrl: 'http://a' })
    expect(taskDrafts(shown)[0]?.text).toBe('http://a\nok\n[screenshot]')
  })
})

describe('a request of a task', () => {
  const environment =
    '<environment_details>\n# Current Working Directory (/home/kim/garden) Files\na\n</environment_details>'

  test('tells tokens and directory, and is not kept', () => {
    const { drafts, sessions } = readTask(
      request({ request: environment, tokensIn: 100, tokensOut: 20, cacheReads: 30, cacheWrites: 5, cost: 0.1 }),
      step('say', 'text', 'x'),
    )
    expect(usageTotals(drafts)).toEqual({ input: 100, output: 20, cacheRead: 30, cacheWrite: 5, reasoning: 0 })
    expect(sessions).toEqual([{ nativeId: 't1', cwd: '/home/kim/garden' }])
    expect(drafts[1]).toMatchObject({ cwd: '/home/kim/garden' })
    expect(JSON.stringify(drafts)).not.toContain('environment_details')
  })
})

describe('the document of a task', () => {
  const layout = cline.layouts.find(({ matches }) => matches(taskFile))
  const recordsOf = (steps: unknown, metadata: unknown = {}) => {
    if (layout?.format.kind !== 'bundle') throw new Error('a task is a bundle')
    const json = (path: string): unknown => (path.endsWith('ui_messages.json') ? steps : metadata)
    return [...layout.format.records({ names: () => [], json }, taskFile)]
  }

  test('gives steps of one time and kind different ids, and the same ones when it grows', () => {
    const steps = [1, 1, 2].map((ts) => ({ ts, type: 'say', say: 'text', text: 'x' }))
    const ids = (records: unknown[]) => records.map((record) => Object(record).id)
    expect(ids(recordsOf(steps))).toEqual([undefined, '1:text', '1:text#1', '2:text'])
    expect(ids(recordsOf([...steps, steps[0]])).slice(0, 4)).toEqual(ids(recordsOf(steps)))
  })

  test('takes each step’s model from the list of those in use', () => {
    const usage = [
      { ts: 10, model_id: 'm-large' },
      { ts: 20, model_id: 'm-small' },
    ]
    const steps = [5, 15, 20].map((ts) => ({ ts, type: 'say', say: 'text', text: 'x' }))
    const models = recordsOf(steps, { model_usage: usage }).map((record) => Object(record).model)
    expect(models.slice(1)).toEqual(['m-large', 'm-large', 'm-small'])
  })
})
