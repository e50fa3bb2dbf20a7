import { describe, expect, test } from 'vitest'
import { foldTurns } from '../reading.testing.ts'
import { readConversations, told } from '../web-export.testing.ts'
import { claudeWeb } from './index.ts'

const message = (uuid: string, sender: string, more: object = {}): object => ({
  uuid,
  sender,
  text: `said ${uuid}`,
  created_at: '2026-05-01T10:00:00.250000Z',
  ...more,
})
const human = (uuid: string, more?: object) => message(uuid, 'human', more)
const claude = (uuid: string, more?: object) => message(uuid, 'assistant', more)
const behind = (parent: string) => ({ parent_message_uuid: parent })

const read = (messages: object[], more: object = {}) =>
  readConversations(claudeWeb, { uuid: 'talk', name: 'Talk', chat_messages: messages, ...more })
const turns = (...messages: object[]) => foldTurns(read(messages).drafts)

describe('turns', () => {
  test('82: all of many are told', () => {
    const messages = Array.from({ length: 40 }, (_, n) => [human(`u${n}`), claude(`a${n}`)]).flat()
    expect(turns(...messages).length).toBe(40)
    expect(turns(...messages)[39]).toMatchObject({ prompt: 'said u39', answer: 'said a39', ending: 'answered' })
  })

  test.each([
    ['user_canceled', 'interrupted'],
    ['max_tokens', 'failed'],
    ['end_turn', 'answered'],
    [undefined, 'answered'],
  ])('an answer that stopped by %s has ended %s', (stop_reason, ending) => {
    expect(turns(human('u'), claude('a', { stop_reason }))[0]?.ending).toBe(ending)
  })

  test('one whose answer is empty, or breaks off at a tool, has not ended', () => {
    expect(turns(human('u'), claude('a', { text: '' }))[0]?.ending).toBeUndefined()
    const content = [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 't', name: 'web_search', input: {} },
    ]
    expect(turns(human('u'), claude('a', { content }))[0]?.ending).toBeUndefined()
  })
})

describe('branches', () => {
  const messages = [
    human('u', behind('0')),
    claude('a', behind('u')),
    claude('b', behind('u')),
    human('v', behind('b')),
  ]

  test('the newest is the current one, where none is named', () => {
    expect(told(read(messages))).toEqual(['said u', '(said a)', 'said b', 'said v'])
  })

  test('the named one is, where one is', () => {
    expect(told(read(messages, { current_leaf_message_uuid: 'a' }))).toEqual([
      '(said v)',
      'said u',
      '(said b)',
      'said a',
    ])
  })

  test('messages without parents follow one another', () => {
    expect(told(read([human('u'), claude('a'), human('v')]))).toEqual(['said u', 'said a', 'said v'])
  })
})

describe('blocks', () => {
  const blocks = (...content: object[]) => read([human('u'), claude('a', { content })]).drafts.slice(2)

  test('thinking is reasoning, and text before the last is commentary', () => {
    const drafts = blocks(
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'First.' },
      { type: 'text', text: 'Last.' },
    )
    expect(drafts.map(({ type, commentary, ends }) => [type, commentary, ends])).toEqual([
      ['reasoning', undefined, undefined],
      ['assistant_response', true, undefined],
      ['assistant_response', undefined, 'answered'],
    ])
  })

  test('calls and results are paired by id, or by name and order where there is none', () => {
    const use = (more: object) => ({ type: 'tool_use', name: 'web_search', input: { query: 'q' }, ...more })
    const result = (more: object) => ({
      type: 'tool_result',
      name: 'web_search',
      content: [{ type: 'text', text: 'r' }],
      ...more,
    })
    const byId = blocks(use({ id: 'x' }), use({ id: 'y' }), result({ tool_use_id: 'y' }), result({ tool_use_id: 'x' }))
    expect(byId.map(({ tool }) => tool?.callId)).toEqual(['x', 'y', 'y', 'x'])
    const byOrder = blocks(use({}), result({ is_error: true }), use({}), result({}))
    expect(byOrder.map(({ tool }) => tool?.callId)).toEqual(['a/0', 'a/0', 'a/2', 'a/2'])
    expect(byOrder.map(({ tool }) => tool?.error)).toEqual([undefined, true, undefined, undefined])
  })

  test('a connector is an MCP server', () => {
    const [call] = blocks({ type: 'tool_use', id: 'x', name: 'Garden:find_bed', integration_name: 'Garden', input: {} })
    expect(call?.tool).toMatchObject({ name: 'find_bed', server: 'Garden' })
  })

  test('a block nobody knows is kept as unknown, and each has its own time', () => {
    const [draft] = blocks({ type: 'dream', start_timestamp: '2026-05-01T11:00:00Z' })
    expect(draft).toMatchObject({ type: 'unknown', at: Date.UTC(2026, 4, 1, 11) })
  })
})

test('attachments are named, with the text that was taken out of them', () => {
  const files = { attachments: [{ file_name: 'n.txt', extracted_content: 'frost' }], files: [{ file_name: 'bed.jpg' }] }
  expect(read([human('u', files)]).drafts.at(-1)?.text).toBe('said u\n[file n.txt]\n[file bed.jpg]\nfrost')
})
