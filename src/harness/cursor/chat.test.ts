import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { foldTurns, readFileOf, type TranscriptReading } from '../reading.testing.ts'
import { cursor } from './index.ts'
import { type ChatFixture, fixture, IDS, writeChat } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-cursor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const watering = (): ChatFixture => fixture('chat.json')

async function read(
  chat: ChatFixture,
  change?: (database: BetterSqlite3.Database) => void,
): Promise<TranscriptReading> {
  const path = join(folder, chat.meta['agentId'] as string, 'store.db')
  writeChat(path, chat)
  if (change) {
    const database = new BetterSqlite3(path)
    change(database)
    database.close()
  }
  return readFileOf(cursor, path, { root: folder, source: 'cursor-sqlite' })
}

describe('conversations of the command line', () => {
  test('a turn with calls, what they returned and the answer', async () => {
    const { drafts } = await read(watering())
    expect(foldTurns(drafts)).toMatchObject([
      {
        prompt: 'Which beds need water?',
        ending: 'answered',
        answer: 'The beds of beans and peas need water.',
        calls: ['Read', 'Shell 3', 'Subagent'],
      },
    ])
    expect(drafts.filter(({ type }) => type === 'tool_response').map(({ text, tool }) => [text, tool?.error])).toEqual([
      ['beans\npeas', undefined],
      ['Exit code: 3\n\nCommand output:\n\n```\ndry: 2\n```', true],
      ['No rain until Sunday.', undefined],
    ])
  })

  test('the system prompt and the machine’s description are told by their size, and a summary is a compaction', async () => {
    const { drafts } = await read(watering())
    expect(drafts.slice(1, 3).map(({ type, text, payload }) => [type, text, payload])).toEqual([
      ['system', 'System prompt', { characters: 29 }],
      ['system', 'Added by the client: user_info, git_status', { characters: 71 }],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction').map(({ text }) => text)).toEqual([
      'Summary so far: the beds were listed.',
    ])
  })

  test('workspace, branch, title, model and the subagent it started are told', async () => {
    const { drafts, sessions } = await read(watering())
    const parent = { nativeId: IDS.watering, relation: 'subagent', callId: 'c3' }
    expect(sessions).toEqual([
      { nativeId: IDS.watering, title: 'Watering', cwd: '/home/ada/garden', branch: 'spring' },
      { nativeId: IDS.forecast, parent },
    ])
    expect(drafts.find(({ type }) => type === 'reasoning')?.model).toBe('composer-2-fast')
  })

  test('the placeholder for a name is no title', async () => {
    const chat = watering()
    const { sessions } = await read({ ...chat, meta: { ...chat.meta, name: 'New Agent' } })
    expect(sessions.some(({ title }) => title !== undefined)).toBe(false)
  })

  test('without a root the messages are read in the order they were written', async () => {
    const { drafts } = await read(watering(), (database) => {
      const meta = Buffer.from(JSON.stringify({ agentId: IDS.watering, latestRootBlobId: '' })).toString('hex')
      database.prepare('UPDATE meta SET value = ?').run(meta)
    })
    expect(foldTurns(drafts)).toMatchObject([
      { prompt: 'Which beds need water?', calls: ['Read', 'Shell 3', 'Subagent'] },
    ])
  })

  test('a message that is no JSON is kept as it is, and one that is gone is passed over', async () => {
    const { drafts } = await read(watering(), (database) => {
      const rows = database.prepare('SELECT id FROM blobs ORDER BY rowid').all() as { id: string }[]
      database.prepare('UPDATE blobs SET data = ? WHERE id = ?').run(Buffer.from('#not JSON'), rows[0]?.id)
      database.prepare('DELETE FROM blobs WHERE id = ?').run(rows[9]?.id)
    })
    expect(drafts.filter(({ type }) => type === 'unknown').map(({ payload }) => payload)).toMatchObject([
      { message: '#not JSON' },
    ])
    expect(foldTurns(drafts)[0]?.ending).toBeUndefined()
  })

  test('a database that holds something else holds no conversation', async () => {
    const path = join(folder, 'store.db')
    new BetterSqlite3(path).exec('CREATE TABLE other (id TEXT)').close()
    const { drafts } = await readFileOf(cursor, path, { root: folder, source: 'cursor-sqlite' })
    expect(drafts).toEqual([])
  })
})
