import { describe, expect, test } from 'vitest'
import type { SourceFile } from '../harness.ts'
import { foldTurns, layoutFor, readWith, usageTotals } from '../reading.testing.ts'
import { continueHarness } from './index.ts'

const file: SourceFile = {
  source: 'continue',
  path: '/home/ada/.continue/sessions/s.json',
  relative: 's.json',
  modifiedAt: 0,
}

const user = (content: unknown) => ({ message: { role: 'user', content }, contextItems: [] })
const assistant = (content: string, more: object = {}, message: object = {}) => ({
  message: { role: 'assistant', content, ...message },
  contextItems: [],
  ...more,
})
const call = (name: string, status: string, content?: string) => ({
  toolCallId: `call_${name}`,
  toolCall: { id: `call_${name}`, function: { name, arguments: '{"command":"ls"}' } },
  status,
  output: content === undefined ? [] : [{ content }],
})

function records(history: object[], more: object = {}, list: unknown = []): unknown[] {
  const { format } = layoutFor(continueHarness, file)
  if (format.kind !== 'bundle') throw new Error('a session is a bundle')
  const document = { sessionId: 's', title: 'Talk', workspaceDirectory: '/w', history, ...more }
  const json = (path: string) => (path.endsWith('sessions.json') ? list : document)
  return [...format.records({ names: () => [], json }, file)]
}

const read = (history: object[], more?: object, list?: unknown) =>
  readWith(continueHarness, file, records(history, more, list))
const turns = (...history: object[]) => foldTurns(read(history).drafts)

describe('turns', () => {
  test('are answered by a message that calls nothing', () => {
    const told = turns(
      user('Go.'),
      assistant('I look.', { toolCallStates: [call('Bash', 'done', 'x')] }),
      assistant('Gone.'),
      user('Again.'),
      assistant('I look.', { toolCallStates: [call('Read', 'calling')] }),
    )
    expect(told.map(({ prompt, answer, ending }) => [prompt, answer, ending])).toEqual([
      ['Go.', 'Gone.', 'answered'],
      ['Again.', undefined, undefined],
    ])
  })

  test('a prompt without an answer stands alone', () => {
    expect(turns(user('Go.'), user('Again.'), assistant('Gone.')).map(({ ending }) => ending)).toEqual([
      undefined,
      'answered',
    ])
  })
})

describe('tools', () => {
  const one = (state: object) => turns(user('Go.'), assistant('', { toolCallStates: [state] }))[0]?.calls

  test.each<[string, string, string | undefined, string]>([
    ['Bash', 'errored', 'Error executing tool Bash: Error (exit code 3): no', 'Bash 3'],
    ['Bash', 'done', 'yes', 'Bash 0'],
    ['Bash', 'canceled', undefined, 'Bash failed'],
    ['Edit', 'errored', 'no such file', 'Edit failed'],
    ['echo', 'done', '[{"type":"text","text":"hello"}]', 'echo'],
    ['Read', 'generated', undefined, 'Read'],
  ])('%s that is %s with %j', (name, status, content, told) => {
    expect(one(call(name, status, content))).toEqual([told])
  })

  test('what an MCP server answers is told as its text', () => {
    const { drafts } = read([
      user('Go.'),
      assistant('', { toolCallStates: [call('echo', 'done', '[{"type":"text","text":"hello"}]')] }),
    ])
    expect(drafts.at(-1)?.text).toBe('hello')
  })

  test('a call without a state, and a result without a call, are told as they stand', () => {
    const bare = { toolCalls: [{ id: 'x', function: { name: 'Read', arguments: '{"filepath":"a"}' } }] }
    const { drafts } = read([
      user('Go.'),
      assistant('', {}, bare),
      { message: { role: 'tool', content: 'beans', toolCallId: 'x' } },
    ])
    expect(drafts.slice(-2).map(({ type, text, tool }) => [type, text, tool?.callId])).toEqual([
      ['tool_call', 'a', 'x'],
      ['tool_response', 'beans', 'x'],
    ])
  })

  test('a result that editors write twice is told once', () => {
    const state = { toolCallState: call('Read', 'done', 'beans') }
    const again = { message: { role: 'tool', content: 'beans', toolCallId: 'call_Read' } }
    const { drafts } = read([user('Go.'), assistant('', state), again])
    expect(drafts.filter(({ type }) => type === 'tool_response').length).toBe(1)
  })
})

describe('a document that is written anew', () => {
  const ids = (...history: object[]) => read(history).drafts.map(({ native }) => `${native.id} ${native.index}`)

  test('keeps the names of what was there, also of a message whose tool has answered since', () => {
    const before = ids(user('Go.'), assistant('I look.', { toolCallStates: [call('Bash', 'calling')] }))
    const after = ids(
      user('Go.'),
      assistant('I look.', { toolCallStates: [call('Bash', 'done', 'x')] }),
      assistant('Gone.'),
    )
    expect(after).toEqual(expect.arrayContaining(before))
    expect(after.length).toBe(before.length + 2)
  })

  test('and a prompt that was edited is another one', () => {
    expect(ids(user('Go.'))[1]).not.toBe(ids(user('Go now.'))[1])
  })
})

describe('tokens', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 40 },
    model: 'large',
  }
  const sum = { usage: { promptTokens: 500, completionTokens: 50, promptTokensDetails: { cachedTokens: 100 } } }

  test('are those of the messages, where these say so', () => {
    const { drafts } = read([user('Go.'), assistant('Gone.', {}, { usage })], sum)
    expect(usageTotals(drafts)).toEqual({ input: 60, output: 20, cacheRead: 40, cacheWrite: 0, reasoning: 0 })
    expect(drafts.at(-1)?.model).toBe('large')
  })

  test('are the session’s sum where none does', () => {
    expect(usageTotals(read([user('Go.'), assistant('Gone.')], sum).drafts)).toMatchObject({
      input: 400,
      output: 50,
      cacheRead: 100,
    })
  })
})

describe('the session', () => {
  test('has its time from the list, and its folder from its address', () => {
    const list = [{ sessionId: 's', dateCreated: '1777629600250' }]
    const { drafts, sessions } = read([user('Go.')], { workspaceDirectory: 'file:///c%3A/my%20garden' }, list)
    expect(sessions).toEqual([{ nativeId: 's', title: 'Talk', cwd: 'c:/my garden' }])
    expect(drafts.map(({ at }) => at)).toEqual([1777629600250, 1777629600250])
    expect(read([user('Go.')], {}, 'no list').drafts[0]?.at).toBeUndefined()
  })

  test('that nobody named has no title', () => {
    expect(read([], { title: 'Untitled Session' }).sessions).toEqual([{ nativeId: 's', cwd: '/w' }])
  })

  test('lies below .continue, or where the variable says; the list is none', () => {
    const [source] = continueHarness.sources
    const roots = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
      source?.roots({ home, env, platform })
    expect(roots({})).toEqual(['/home/ada/.continue/sessions'])
    expect(roots({ CONTINUE_GLOBAL_DIR: '/c' })).toEqual(['/c/sessions'])
    expect(roots({}, 'win32', 'C:\\Users\\ada')).toEqual(['C:\\Users\\ada\\.continue\\sessions'])
    const taken = ['08ebc2e3-7b6c-4f40-902f-0e1d8b915116.json', 'sessions.json', 'package.json', 'a/b.json']
    expect(taken.map((path) => source?.matches(path))).toEqual([true, false, false, false])
  })
})

test('46: pictures leave by reference, and what was given along is named', () => {
  const item = {
    ...user([{ type: 'text', text: 'Look.' }, { type: 'imageUrl' }]),
    contextItems: [{ name: 'beds.md', content: 'beans' }],
  }
  expect(read([item]).drafts.at(-1)).toMatchObject({ text: 'Look.\n[image]', payload: { contextItems: ['beds.md'] } })
})
