import { describe, expect, test } from 'vitest'
import { foldTurns } from '../reading.testing.ts'
import { readConversations, told } from '../web-export.testing.ts'
import { grokWeb } from './index.ts'

const response = (id: string, sender: string, more: object = {}): object => ({
  response: {
    _id: id,
    sender,
    message: `said ${id}`,
    create_time: { $date: { $numberLong: '1777622400250' } },
    ...more,
  },
})
const human = (id: string, more?: object) => response(id, 'human', more)
const grok = (id: string, more?: object) => response(id, 'ASSISTANT', more)
const behind = (parent: string) => ({ parent_response_id: parent })

const read = (responses: object[], more: object = {}) =>
  readConversations(grokWeb, { conversation: { id: 'talk', title: 'Talk', ...more }, responses })
const turns = (...responses: object[]) => foldTurns(read(responses).drafts)

describe('turns', () => {
  test('82: all of many are told', () => {
    const responses = Array.from({ length: 40 }, (_, n) => [human(`u${n}`), grok(`a${n}`)]).flat()
    expect(turns(...responses).length).toBe(40)
    expect(turns(...responses)[39]).toMatchObject({ prompt: 'said u39', answer: 'said a39', ending: 'answered' })
  })

  test.each<[object, string]>([
    [{}, 'answered'],
    [{ partial: true }, 'interrupted'],
    [{ error: 'overloaded' }, 'failed'],
    [{ error: { message: 'overloaded' }, message: '' }, 'failed'],
  ])('an answer with %j has ended %s', (more, ending) => {
    expect(turns(human('u'), grok('a', more))[0]?.ending).toBe(ending)
  })

  test('the time is that of the page’s database, in milliseconds, or a text', () => {
    const { drafts } = read([human('u'), grok('a', { create_time: '2026-05-01T08:00:01.500Z' })])
    expect(drafts.slice(1).map(({ at }) => at)).toEqual([1777622400250, Date.UTC(2026, 4, 1, 8, 0, 1, 500)])
  })
})

describe('branches', () => {
  const responses = [human('u'), grok('a', behind('u')), grok('b', behind('u')), human('v', behind('b'))]

  test('the newest is the current one, where no leaf is named', () => {
    expect(told(read(responses))).toEqual(['said u', '(said a)', 'said b', 'said v'])
    expect(told(read(responses, { leaf_response_id: 'a' }))).toEqual(['(said v)', 'said u', '(said b)', 'said a'])
  })

  test('responses without parents follow one another', () => {
    expect(told(read([human('u'), grok('a'), human('v')]))).toEqual(['said u', 'said a', 'said v'])
  })
})

test('what was found on the web is a search and its result, before the answer', () => {
  const found = { web_search_results: [{ title: 'T', url: 'https://example.com', preview: 'p' }], query: 'q' }
  const { drafts } = read([human('u'), grok('a', { ...found, thinking_trace: 'Hm.' })])
  expect(drafts.slice(2).map(({ type, text }) => [type, text])).toEqual([
    ['reasoning', 'Hm.'],
    ['tool_call', 'q'],
    ['tool_response', 'T\nhttps://example.com\np'],
    ['assistant_response', 'said a'],
  ])
})

test('attachments are named by what they are called, else by what they are', () => {
  const named = { file_attachments: ['asset-1'], file_attachments_metadata: [{ fileName: 'roof.pdf' }] }
  expect(read([human('u', named)]).drafts.at(-1)?.text).toBe('said u\n[file roof.pdf]')
  expect(read([human('u', { file_attachments: ['asset-1'] })]).drafts.at(-1)?.text).toBe('said u\n[file asset-1]')
})

test('a conversation without an id is the same one when it has grown', () => {
  const talk = (...responses: object[]) => ({
    conversation: { title: 'T', create_time: '2025-04-01T08:00:00Z' },
    responses,
  })
  const [first, grown] = readConversations(grokWeb, talk(human('u')), talk(human('u'), grok('a'))).sessions
  expect(grown?.nativeId).toBe(first?.nativeId)
  expect(first?.nativeId).toMatch(/^[0-9a-f]{32}$/)
})
