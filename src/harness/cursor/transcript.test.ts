import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { foldTurns, readFileOf, readWith } from '../reading.testing.ts'
import { cursor } from './index.ts'
import { FIXTURES, IDS, OLD_TRANSCRIPT, SUBAGENT, TRANSCRIPT } from './testing.ts'

const root = join(FIXTURES, 'transcripts')
const readFixture = (path: string) => readFileOf(cursor, join(root, path), { root })

const SESSION = '/h/.cursor/projects/p/agent-transcripts/S/S.jsonl'

/** Reads records as one transcript of session `S`. */
function read(...records: unknown[]): Draft[] {
  const file = { source: 'cursor', path: SESSION, relative: 'p/agent-transcripts/S/S.jsonl', modifiedAt: 0 }
  return readWith(cursor, file, records).drafts
}

const user = (text: string) => ({ role: 'user', message: { content: [{ type: 'text', text }] } })
const agent = (...content: unknown[]) => ({ role: 'assistant', message: { content } })
const said = (text: string) => ({ type: 'text', text })
const use = (name: string, input: unknown, id?: string) => ({ type: 'tool_use', name, input, ...(id && { id }) })

describe('turns of a transcript', () => {
  test('a turn is answered, one is stopped by the user, one fails', async () => {
    const { drafts } = await readFixture(TRANSCRIPT)
    expect(foldTurns(drafts).map(({ prompt, ending, answer, calls }) => ({ prompt, ending, answer, calls }))).toEqual([
      {
        prompt: 'Which beds need water?',
        ending: 'answered',
        answer: 'The beds of beans and peas need water.',
        calls: ['Read', 'Shell', 'Subagent'],
      },
      { prompt: 'Water the beans.', ending: 'interrupted', answer: undefined, calls: ['taps/open'] },
      { prompt: 'Water the beans.', ending: 'failed', answer: undefined, calls: [] },
    ])
  })

  test('a stop that is told as an error is a stop', () => {
    const drafts = read(user('Go.'), { type: 'turn_ended', status: 'error', error: 'User aborted request' })
    expect(foldTurns(drafts)[0]?.ending).toBe('interrupted')
  })

  test('without a line that closes it, an answer without tools is the end, and tools after it take that back', () => {
    expect(foldTurns(read(user('Go.'), agent(said('Gone.'))))[0]?.ending).toBe('answered')
    expect(foldTurns(read(user('Go.'), agent(said('Gone.')), agent(use('Read', {}))))[0]?.ending).toBeUndefined()
  })

  test('a client that closes turns is waited for', () => {
    const closed = { type: 'turn_ended', status: 'success' }
    const turns = foldTurns(read(user('Go.'), agent(said('Gone.')), closed, user('Back.'), agent(said('On my way.'))))
    expect(turns.map(({ ending }) => ending)).toEqual(['answered', undefined])
  })
})

describe('prompts', () => {
  test('the time a client states is that of the prompt', () => {
    const at = (when: string) => read(user(`<timestamp>${when}</timestamp>\n<user_query>\nGo.\n</user_query>`))[0]?.at
    expect(at('Wednesday, Jun 3, 2026, 7:30 PM (UTC-7)')).toBe(Date.UTC(2026, 5, 4, 2, 30))
    expect(at('Friday, Sep 4, 2026, 12:05 AM (UTC+5:30)')).toBe(Date.UTC(2026, 8, 3, 18, 35))
    expect(at('Friday, Sep 4, 2026, 12:05 PM (UTC)')).toBe(Date.UTC(2026, 8, 4, 12, 5))
    expect(at('Sunday, Sep 27, 2026, 9:00 AM')).toBeUndefined()
  })

  test('what the client adds around a prompt is told apart from it', () => {
    const drafts = read(
      user(
        '<open_and_recently_viewed_files>\na.txt\n</open_and_recently_viewed_files>\n<user_query>\nFix <b>it</b>.\n</user_query>\n[Image]',
      ),
    )
    expect(drafts.map(({ type, text, opensTurn }) => [type, text, opensTurn])).toEqual([
      ['user_input', 'Fix <b>it</b>.\n[Image]', true],
      ['system', 'Added by the client: open_and_recently_viewed_files', undefined],
    ])
  })

  test('what the client writes alone opens no turn', () => {
    const drafts = read(user('<system_reminder>Stay calm.</system_reminder>'))
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn])).toEqual([['system', undefined]])
  })

  test('a text in tags that are no client’s is a prompt', () => {
    expect(read(user('<div>hello</div>'))[0]).toMatchObject({ type: 'user_input', text: '<div>hello</div>' })
  })

  test('a text of many tags that are never closed is read in linear time', () => {
    const drafts = read(user(`<user_query>${'<rules>'.repeat(100_000)}`))
    expect(drafts[0]?.text.length).toBe(700_012)
    const letters = 'abcdefghijklmnop'.split('')
    const names = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `<${a}${b}${c}>`)))
    expect(read(user(`<user_query>${names.join('').repeat(20)}`))[0]?.text.length).toBe(12 + 5 * 4096 * 20)
  })

  test('two texts of one message are one prompt', () => {
    const drafts = read({ role: 'user', message: { content: [said('One'), said('Two')] } })
    expect(drafts.map(({ text, opensTurn }) => [text, opensTurn])).toEqual([['One\nTwo', true]])
  })

  test('a description of the machine tells the working directory and the branch', () => {
    const file = { source: 'cursor', path: SESSION, relative: 'S.jsonl', modifiedAt: 0 }
    const info =
      '<user_info>\nWorkspace Path: /home/ada/my garden\n</user_info><git_status>On branch spring\n</git_status>'
    expect(readWith(cursor, file, [user(info)]).sessions).toEqual([
      { nativeId: 'S', cwd: '/home/ada/my garden', branch: 'spring' },
    ])
  })
})

describe('what an agent says and does', () => {
  test('results of tools are paired by id, and by place where the call has none', () => {
    const result = { type: 'tool_result', tool_use_id: 't1', content: [said('a.txt')] }
    const back = { role: 'user', message: { content: [result] } }
    for (const call of [use('Bash', { command: 'ls' }, 't1'), use('Bash', { command: 'ls' })]) {
      const drafts = read(user('List.'), agent(call), back)
      expect(drafts.at(-1)).toMatchObject({
        type: 'tool_response',
        text: 'a.txt',
        tool: { name: 'Bash', callId: 't1' },
      })
      expect(drafts.filter(({ opensTurn }) => opensTurn)).toHaveLength(1)
    }
  })

  test('a failed result says so, and a shell’s exit code is read', () => {
    const result = (content: string, more: object) => ({
      role: 'tool',
      message: { content: [{ type: 'tool-result', tool_use_id: 's1', content, ...more }] },
    })
    const call = agent(use('Shell', { command: './x' }, 's1'))
    expect(read(call, result('Exit code: 0\n\nfine', {})).at(-1)?.tool).toMatchObject({ exitCode: 0 })
    const failed = read(call, result('Exit code: 2\n\nbad', { is_error: true })).at(-1)?.tool
    expect(failed).toMatchObject({ exitCode: 2, error: true })
    expect(read(call, result('the last exited 7', {})).at(-1)?.tool?.exitCode).toBeUndefined()
  })

  test('tools of MCP servers are told by server and name, where the name shows both', () => {
    const tools = [
      use('CallMcpTool', { server: 'probe', toolName: 'echo', arguments: { word: 'hi' } }),
      use('probe-echo', {}),
      use('context-resolve-id', {}),
      use('mcp__probe__echo', {}),
    ]
    expect(read(agent(...tools)).map(({ tool }) => [tool?.server, tool?.name, tool?.input])).toEqual([
      ['probe', 'echo', { word: 'hi' }],
      ['probe', 'echo', {}],
      [undefined, 'context-resolve-id', {}],
      ['probe', 'echo', {}],
    ])
  })

  test('reasoning that was taken out leaves a trace, and no text', () => {
    const drafts = read(agent(said('[REDACTED]')), agent(said('I look.\n\n[REDACTED]')))
    expect(drafts.filter(({ type }) => type !== 'runtime').map(({ type, text }) => [type, text])).toEqual([
      ['reasoning', ''],
      ['assistant_response', 'I look.'],
    ])
  })

  test('an old client’s times, model, reasoning and failures are read', async () => {
    const { drafts } = await readFixture(OLD_TRANSCRIPT)
    expect(drafts.map(({ type, at, model }) => [type, at, model])).toEqual([
      ['user_input', Date.UTC(2026, 0, 5, 10), undefined],
      ['reasoning', Date.UTC(2026, 0, 5, 10, 0, 1), 'small-1'],
      ['assistant_response', Date.UTC(2026, 0, 5, 10, 0, 1), 'small-1'],
      ['tool_call', Date.UTC(2026, 0, 5, 10, 0, 1), 'small-1'],
      ['tool_response', Date.UTC(2026, 0, 5, 10, 0, 2), undefined],
      ['system', Date.UTC(2026, 0, 5, 10, 0, 3), undefined],
      ['assistant_response', Date.UTC(2026, 0, 5, 10, 0, 4), 'small-1'],
      ['runtime', Date.UTC(2026, 0, 5, 10, 0, 4), undefined],
      ['runtime', undefined, undefined],
    ])
    expect(drafts.find(({ type }) => type === 'tool_response')?.tool?.error).toBe(true)
  })
})

describe('sessions and names', () => {
  test('a subagent’s transcript is a session below its parent’s', async () => {
    const { drafts, sessions } = await readFixture(SUBAGENT)
    expect(new Set(drafts.map(({ session }) => session))).toEqual(new Set([IDS.forecast]))
    expect(sessions).toEqual([{ nativeId: IDS.forecast, parent: { nativeId: IDS.watering, relation: 'subagent' } }])
  })

  test('a record that names its session is right', () => {
    expect(read({ ...user('Go.'), conversationId: 'C' })[0]?.session).toBe('C')
  })

  test('a file written anew keeps the names of what it still holds', () => {
    const ended = { type: 'turn_ended', status: 'success' }
    const before = read(user('Go.'), agent(said('Gone.')), ended)
    const after = read(user('Go.'), agent(said('Gone.')), user('Go.'), agent(said('Gone.')), ended)
    const names = (drafts: readonly Draft[]) => drafts.map(({ native }) => native.id)
    expect(names(after).slice(0, 2)).toEqual(names(before).slice(0, 2))
    // The same words once more are something new.
    const prompts = after.filter(({ opensTurn }) => opensTurn)
    expect(new Set(names(prompts)).size).toBe(2)
  })
})
