/** What people download from web pages, through capture: zips and files of all makers, taken for what they are. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, openDesk } from '../capture/capture.testing.ts'
import { type Member, zipOf } from '../capture/zip.testing.ts'
import { harnesses } from './index.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const fixture = (path: string): string => readFileSync(join('test', 'fixtures', path), 'utf8')

function put(name: string, content: string | Buffer): string {
  const path = join(desk.home, name)
  writeFileSync(path, content)
  return path
}

const capture = (path: string) => desk.capture({ harnesses, paths: [path] })

async function sessions(): Promise<string[]> {
  const rows = await desk.engine.all<{ source: string; native_id: string }>(
    'SELECT source, native_id FROM session ORDER BY source, native_id',
  )
  return rows.map(({ source, native_id }) => `${source} ${native_id}`)
}

const CHATGPT = fixture('chatgpt/export/conversations.json')
const CLAUDE = fixture('claude-web/export/conversations.json')
const GROK = fixture('grok-web/export/prod-grok-backend.json')
const PROMPT = fixture('gemini-web/studio/Slug traps.json')
const ACTIVITY = fixture('gemini-web/activity/MyActivity.json')

describe('79: an export is taken for that of its maker', () => {
  const noise: Member[] = [
    { name: 'user.json', content: '{"id": "u"}' },
    { name: 'chat.html', content: '<html>' },
  ]
  test.each<[string, number, Member[]]>([
    ['chatgpt', 2, [{ name: 'conversations.json', content: CHATGPT }]],
    ['claude-web', 3, [{ name: 'data-2026/conversations.json', content: CLAUDE }]],
    ['grok-web', 2, [{ name: 'ttl/30d/export_data/u/prod-grok-backend.json', content: GROK }]],
    [
      'gemini-web',
      4,
      [
        { name: 'Takeout/Drive/Google AI Studio/Slug traps', content: PROMPT },
        { name: 'Takeout/Drive/Google AI Studio/leaf.png', content: 'no JSON' },
        { name: 'Takeout/Gemini/gemini_gems_data.json', content: '{"gems": []}' },
        { name: 'Takeout/My Activity/Gemini Apps/MyActivity.json', content: ACTIVITY },
      ],
    ],
  ])('%s, as a zip', async (source, count, members) => {
    const report = await capture(put('download.zip', zipOf(...members, ...noise)))
    expect(report).toMatchObject({ files: 1, sessions: count, skipped: [] })
    expect((await sessions()).map((session) => session.split(' ')[0])).toEqual(Array(count).fill(source))
  })

  test.each([
    ['chatgpt', 2, CHATGPT],
    ['claude-web', 3, CLAUDE],
    ['grok-web', 2, GROK],
    ['gemini-web', 1, PROMPT],
    ['gemini-web', 3, ACTIVITY],
  ])('%s, as a file', async (source, count, content) => {
    expect(await capture(put('anything.json', content))).toMatchObject({ files: 1, sessions: count, skipped: [] })
    expect((await sessions()).every((session) => session.startsWith(`${source} `))).toBe(true)
  })

  test.each([
    ['chatgpt', CHATGPT],
    ['claude-web', CLAUDE],
  ])('%s, one conversation saved alone', async (source, content) => {
    const [first] = JSON.parse(content) as unknown[]
    expect(await capture(put('one.json', JSON.stringify(first)))).toMatchObject({ sessions: 1, skipped: [] })
    expect((await sessions())[0]).toMatch(`${source} `)
  })

  test('a zip whose conversations are cut into several files is read whole', async () => {
    const members = (JSON.parse(CHATGPT) as unknown[]).map((conversation, place) => ({
      name: `conversations-00${place}.json`,
      content: JSON.stringify([conversation]),
    }))
    expect(await capture(put('download.zip', zipOf(...members)))).toMatchObject({ records: 2, sessions: 2 })
  })
})

describe('a later export', () => {
  const grown = (answer: string): string => {
    const node = (id: string, parent: string | null, role: string, text: string) => ({
      id,
      parent,
      message: {
        id,
        author: { role },
        recipient: 'all',
        end_turn: role === 'assistant',
        create_time: 1_700_000_000,
        content: { content_type: 'text', parts: [text] },
      },
    })
    const mapping = {
      u: node('u', null, 'user', 'How much water?'),
      a: node('a', 'u', 'assistant', 'Ten litres.'),
      ...(answer === '' ? {} : { b: node('b', 'u', 'assistant', answer) }),
    }
    return JSON.stringify([{ id: 'talk', title: answer || 'First', mapping, current_node: answer === '' ? 'a' : 'b' }])
  }
  const turns = () =>
    desk.engine.all<{ event_count: number; ending: string }>('SELECT event_count, ending FROM turn ORDER BY pk')

  test('brings what is new, and the answer that was replaced is none any more', async () => {
    await capture(put('may.json', grown('')))
    expect(await capture(put('june.json', grown('Twelve litres.')))).toMatchObject({
      events: 1,
      changed: 1,
      sessions: 0,
    })
    expect((await desk.texts()).filter((text) => text !== '').sort()).toEqual([
      'How much water?',
      'Ten litres.',
      'Twelve litres.',
    ])
    expect((await turns()).length).toBe(1)
    const marked = await desk.engine.all('SELECT text FROM event WHERE payload LIKE ?', ['%abandoned%'])
    expect(marked).toEqual([{ text: 'Ten litres.' }])
  })

  test('that says the same changes nothing, whatever its name', async () => {
    await capture(put('may.zip', zipOf({ name: 'conversations.json', content: CHATGPT })))
    const report = await capture(put('june.json', CHATGPT))
    expect(report).toMatchObject({ records: 2, events: 0, changed: 0 })
  })
})
