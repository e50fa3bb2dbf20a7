import { describe, expect, test } from 'vitest'
import type { Host } from '../harness.ts'
import { readWith, usageTotals } from '../reading.testing.ts'
import { cline } from './index.ts'
import {
  assistant,
  draftsOf,
  endingsOf,
  prompt,
  promptsOf,
  result,
  say,
  sessionFile,
  status,
  use,
  user,
} from './testing.ts'

describe('the places', () => {
  const [sessions, tasks] = cline.sources
  const host = (more: Partial<Host>): Host => ({ home: '/home/kim', env: {}, platform: 'linux', ...more })

  test('of sessions follow the most particular variable', () => {
    expect(sessions?.roots(host({}))).toEqual(['/home/kim/.cline/data/sessions'])
    expect(sessions?.roots(host({ env: { CLINE_DIR: '/c' } }))).toEqual(['/c/data/sessions'])
    expect(sessions?.roots(host({ env: { CLINE_DIR: '/c', CLINE_DATA_DIR: '/d' } }))).toEqual(['/d/sessions'])
    expect(sessions?.roots(host({ env: { CLINE_DATA_DIR: '/d', CLINE_SESSION_DATA_DIR: '/s' } }))).toEqual(['/s'])
  })

  test('of tasks are those of each editor, on each platform', () => {
    const extension = 'User/globalStorage/saoudrizwan.claude-dev/tasks'
    expect(tasks?.roots(host({}))).toContain(`/home/kim/.config/Code/${extension}`)
    expect(tasks?.roots(host({}))).toContain(`/home/kim/.vscode-server/data/${extension}`)
    expect(tasks?.roots(host({}))).toContain('/home/kim/.cline/data/tasks')
    expect(tasks?.roots(host({ platform: 'darwin' }))).toContain(
      `/home/kim/Library/Application Support/Cursor/${extension}`,
    )
    const windows = host({ home: 'C:\\Users\\kim', platform: 'win32' })
    expect(tasks?.roots(windows)).toContain(
      `C:\\Users\\kim\\AppData\\Roaming\\Code\\${extension.replaceAll('/', '\\')}`,
    )
  })

  test.each([
    ['1796_a/1796_a.messages.json', true],
    ['1796_a/agent_1.messages.json', true],
    ['1796_a/1796_a.json', false],
    ['1796_a.messages.json', false],
  ])('session %s: %s', (path, expected) => expect(sessions?.matches(path)).toBe(expected))

  test.each([
    ['1796/ui_messages.json', true],
    ['1796/api_conversation_history.json', false],
    ['1796/task_metadata.json', false],
  ])('task %s: %s', (path, expected) => expect(tasks?.matches(path)).toBe(expected))
})

describe('a prompt', () => {
  test('is what stands in its wrapping, and a subagent’s task without one', () => {
    expect(promptsOf(prompt('Mend it.'))).toEqual(['Mend it.'])
    expect(promptsOf(user(say('<mode_notice>x</mode_notice><user_input mode="plan">Plan it.</user_input>')))).toEqual([
      'Plan it.',
    ])
    expect(promptsOf(user(say('Count the bows.')))).toEqual(['Count the bows.'])
  })

  test('is neither a result, nor what comes with one, nor a summary', () => {
    const drafts = draftsOf(
      prompt('go'),
      user(result('x', 'ok'), say('Remember the tail.')),
      user(say('Context summary:\n\n## Goal')),
    )
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn])).toEqual([
      ['user_input', true],
      ['tool_response', undefined],
      ['system', undefined],
      ['compaction', undefined],
    ])
  })
})

describe('a turn', () => {
  const called = assistant([say('I look'), use('run_commands')])

  test('is answered by a message without a call', () => {
    expect(endingsOf(prompt('go'), called)).toEqual([undefined])
    expect(endingsOf(prompt('go'), called, assistant([say('done')]))).toEqual(['answered'])
    expect(draftsOf(called)[0]).toMatchObject({ type: 'assistant_response', commentary: true })
  })

  test('has failed when the user is shown an error in place of an answer', () => {
    const error = assistant([say('invalid key')], { metadata: { displayOnly: true, displayRole: 'error' } })
    expect(endingsOf(prompt('go'), error, status('failed'))).toEqual(['failed'])
    expect(draftsOf(error)[0]).toMatchObject({ type: 'runtime', text: 'invalid key' })
  })

  test.each([
    ['cancelled', 'interrupted'],
    ['failed', 'failed'],
    ['completed', 'answered'],
    ['running', undefined],
  ])('that its messages leave open ends as the session stands: %s', (word, ending) => {
    expect(endingsOf(prompt('go'), called, status(word))).toEqual([ending])
    expect(endingsOf(prompt('go'), assistant([say('done')]), status(word))).toEqual(['answered'])
  })

  test('keeps its end when the session is taken up again: the state is named after the newest message', () => {
    const first = [prompt('go'), called]
    const [, , , before] = draftsOf(...first, status('cancelled'))
    const after = draftsOf(...first, prompt('more'), assistant([say('done')]), status('completed')).at(-1)
    expect(before?.ends).toBe('interrupted')
    expect(after?.native.id).not.toBe(before?.native.id)
  })
})

describe('the documents of a session', () => {
  const layout = cline.layouts.find(({ matches }) => matches(sessionFile))
  const readAll = (messages: readonly unknown[], word: string) => {
    if (layout?.format.kind !== 'bundle') throw new Error('a session is a bundle')
    const json = (path: string): unknown => (path.endsWith('.messages.json') ? { messages } : { status: word })
    return readWith(cline, sessionFile, layout.format.records({ names: () => [], json }, sessionFile)).drafts
  }
  const messages = [
    prompt('go'),
    assistant([say('I look'), use('editor')]),
    user(result('editor', 'ok')),
    assistant([say('done')]),
  ].map((record) => Object(record).message)

  test('keep the events they had when they grow', () => {
    const whole = readAll(messages, 'running')
    for (let length = 0; length <= messages.length; length++) {
      const part = readAll(messages.slice(0, length), 'running')
      expect(part).toEqual(whole.slice(0, part.length))
    }
    expect(whole.map(({ type }) => type)).not.toContain('runtime')
    expect(readAll(messages, 'completed').slice(0, -1)).toEqual(whole)
  })

  test('are the messages and, beside them, how the session stands', () => {
    if (layout?.format.kind !== 'bundle') throw new Error('a session is a bundle')
    expect(layout.format.related(sessionFile)).toEqual([sessionFile.path.replace('.messages.json', '.json')])
  })
})

describe('a tool result', () => {
  const responseOf = (name: string, content: unknown, more: object = {}) => {
    const [draft] = draftsOf(user(result(name, content, more)))
    return { text: draft?.text, ...draft?.tool }
  }

  test('of commands has an exit code, which is no failure', () => {
    const failed = { query: 'false', result: 'no\n', error: 'Command exited with code 3', success: false }
    expect(responseOf('run_commands', [failed])).toEqual({
      text: 'no\n',
      name: 'run_commands',
      callId: 'call_run_commands',
      phase: 'response',
      exitCode: 3,
    })
    expect(responseOf('run_commands', [{ query: 'true', result: 'y', success: true }])).toMatchObject({ exitCode: 0 })
    expect(responseOf('run_commands', [{ query: 'true', result: 'y', success: true }, failed])).toMatchObject({
      text: 'y\nno\n',
      exitCode: 3,
    })
    const killed = { query: 'x', result: '', error: 'Command timed out', success: false }
    expect(responseOf('run_commands', [killed])).toMatchObject({ text: 'Command timed out', error: true })
  })

  test('of an MCP tool names its server, and says when it failed', () => {
    const content = JSON.stringify({ content: [{ type: 'text', text: 'no probe' }], isError: true })
    expect(responseOf('probe__fail', content)).toMatchObject({
      text: 'no probe',
      name: 'fail',
      server: 'probe',
      error: true,
    })
  })

  test('may be JSON in a text, or a text', () => {
    expect(responseOf('editor', '{"query":"edit:/a","result":"File created","success":true}').text).toBe('File created')
    expect(responseOf('spawn_agent', '{"text":"7 bows","iterations":2}').text).toBe('7 bows')
    expect(responseOf('ask', 'plain {words').text).toBe('plain {words')
    expect(responseOf('ask', '{half').text).toBe('{half')
  })

  test('leaves pictures by reference (fault 46)', () => {
    const picture = { type: 'image', data: 'A'.repeat(5000), mediaType: 'image/png' }
    expect(responseOf('read_files', [{ query: '/a.png', result: [picture], success: true }]).text).toBe(
      '[image image/png]',
    )
  })
})

describe('usage', () => {
  const metrics = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 10 }

  test('takes what came from a cache out of the prompt’s tokens', () => {
    expect(usageTotals(draftsOf(assistant([say('x')], { metrics })))).toEqual({
      input: 30,
      output: 20,
      cacheRead: 60,
      cacheWrite: 10,
      reasoning: 0,
    })
  })

  test('leaves them where they are too few to hold it', () => {
    const few = { ...metrics, inputTokens: 12 }
    expect(usageTotals(draftsOf(assistant([say('x')], { metrics: few }))).input).toBe(12)
  })

  test('is keyed by the message (fault 1)', () => {
    const record = assistant([say('x'), use('editor')], { metrics })
    expect(usageTotals(draftsOf(record, record)).output).toBe(20)
  })
})
