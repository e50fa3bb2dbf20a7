import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ForeignDatabase, openForeignDatabase } from '../../capture/foreign-database.ts'
import type { Draft, SessionFacts } from '../../core/event.ts'
import type { Database } from '../harness.ts'
import { foldTurns, readFileOf, usageTotals } from '../reading.testing.ts'
import { desktopFormat } from './desktop-database.ts'
import { cursor } from './index.ts'
import { type EditorRows, fixture, IDS, writeEditor } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-cursor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const place = { source: 'cursor-sqlite' }

async function readRows(rows: EditorRows): Promise<{ drafts: Draft[]; sessions: SessionFacts[] }> {
  const path = join(folder, 'state.vscdb')
  writeEditor(path, rows)
  return readFileOf(cursor, path, place)
}

const readFixture = (name: string) => readRows(fixture(name))

/** A conversation of a prompt and further bubbles of the agent. */
function conversation(composer: object, ...bubbles: { bubbleId: string; [field: string]: unknown }[]): EditorRows {
  const all = [{ bubbleId: 'p', type: 1, text: 'Go.' }, ...bubbles.map((bubble) => ({ type: 2, ...bubble }))]
  return {
    cursorDiskKV: [
      [
        'composerData:C',
        { name: 'Trip', fullConversationHeadersOnly: all.map(({ bubbleId }) => ({ bubbleId })), ...composer },
      ],
      ...all.map((bubble): [string, unknown] => [`bubbleId:C:${bubble.bubbleId}`, bubble]),
    ],
  }
}

describe('conversations of the editor', () => {
  test('turns are answered, failed and stopped, with their calls and exit codes', async () => {
    const { drafts } = await readFixture('editor.json')
    const turns = foldTurns(drafts.filter(({ session }) => session === IDS.fence))
    expect(turns.map(({ prompt, ending, answer, calls }) => ({ prompt, ending, answer, calls }))).toEqual([
      {
        prompt: 'Mend the fence.\n[image]',
        ending: 'answered',
        answer: 'One board is broken.',
        calls: ['read_file_v2', 'run_terminal_command_v2 4'],
      },
      { prompt: 'Take the spare one.', ending: 'failed', answer: undefined, calls: ['shed/fetch-board'] },
      { prompt: 'And paint it.', ending: 'interrupted', answer: undefined, calls: ['edit_file_v2 failed'] },
    ])
    expect(drafts.find(({ tool }) => tool?.server === 'shed' && tool.phase === 'response')?.text).toBe('here it is')
  })

  test('title, summary, workspace, branch and children are told', async () => {
    const { sessions } = await readFixture('editor.json')
    expect(sessions[0]).toEqual({
      nativeId: IDS.fence,
      title: 'Fence repair',
      summary: 'Edited fence.txt',
      cwd: '/home/ada/garden',
      branch: 'summer',
    })
    const parent = { nativeId: IDS.fence, relation: 'subagent' }
    expect(sessions.filter(({ nativeId }) => nativeId === IDS.nails)).toEqual([
      { nativeId: IDS.nails, parent },
      { nativeId: IDS.nails, parent },
      { nativeId: IDS.nails, cwd: '/home/ada/shed one' },
    ])
  })

  test('tokens are counted where they were noted', async () => {
    const { drafts } = await readFixture('editor.json')
    expect(usageTotals(drafts)).toEqual({ input: 1200, output: 40, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  })

  test('bubbles come in the order of the conversation; what was taken back is kept and counts nowhere', async () => {
    const { drafts } = await readFixture('editor.json')
    const texts = drafts.filter(({ type }) => type === 'user_input').map(({ text, copied }) => [text, copied])
    expect(texts.slice(0, 4)).toEqual([
      ['Mend the fence.\n[image]', undefined],
      ['Take the spare one.', undefined],
      ['And paint it.', undefined],
      ['Burn the fence.', true],
    ])
  })

  test('what was typed is read out of either kind of tree', async () => {
    const doc = {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'one' },
            { type: 'hardBreak' },
            { type: 'mention', attrs: { label: '@two' } },
          ],
        },
      ],
    }
    const root = {
      root: { children: [{ type: 'paragraph', children: [{ text: 'one' }, { type: 'linebreak' }, { text: '@two' }] }] },
    }
    for (const tree of [doc, root]) {
      rmSync(join(folder, 'state.vscdb'), { force: true })
      const bubble = { type: 1, text: '', richText: JSON.stringify(tree) }
      const { drafts } = await readRows({
        cursorDiskKV: [
          ['composerData:C', { name: 'Trip', fullConversationHeadersOnly: [{ bubbleId: 'p' }] }],
          ['bubbleId:C:p', bubble],
        ],
      })
      expect(drafts.find(({ type }) => type === 'user_input')?.text).toBe('one\n@two')
    }
  })

  test('nothing but conversations is read', async () => {
    const all = JSON.stringify(await readFixture('editor.json'))
    for (const secret of ['not-for-reading', 'wire payload', 'AAAA', 'xxxxx']) expect(all).not.toContain(secret)
  })

  test('a window that was opened and never used makes no session', async () => {
    const shell = { composerId: 'S', createdAt: 1, status: 'none', fullConversationHeadersOnly: [] }
    const { drafts, sessions } = await readRows({ cursorDiskKV: [['composerData:S', shell]] })
    expect([drafts, sessions]).toEqual([[], []])
  })

  test('fault 74: the global database is read while the workspace names a conversation alone', async () => {
    const index = { selectedComposerIds: ['C'], hasMigratedComposerData: true }
    const workspace = await readRows({ ItemTable: [['composer.composerData', index]], cursorDiskKV: [] })
    expect(workspace.drafts).toEqual([])
    rmSync(join(folder, 'state.vscdb'))
    const told = { bubbleId: 'a', text: 'Gone.', workspaceUris: ['file:///home/ada/garden'] }
    const global = await readRows(conversation({ status: 'completed' }, told))
    expect(foldTurns(global.drafts)).toMatchObject([{ prompt: 'Go.', ending: 'answered', answer: 'Gone.' }])
    expect(global.sessions).toContainEqual({ nativeId: 'C', cwd: '/home/ada/garden' })
  })

  test('conversations of the first clients are read from the workspace', async () => {
    const { drafts, sessions } = await readFixture('workspace.json')
    expect(drafts.filter(({ type }) => type !== 'system').map(({ session, text }) => [session, text])).toEqual([
      ['tab-1', 'What goes on the heap?'],
      ['tab-1', 'Leaves and peels.'],
      ['first-1', 'Sort the seeds.'],
      ['first-1', 'Sorted.'],
      ['first-1', 'completed'],
    ])
    expect(sessions).toEqual([
      { nativeId: 'tab-1', title: 'Compost' },
      { nativeId: 'first-1', title: 'Seeds' },
    ])
  })
})

describe('a conversation that goes on', () => {
  test('a text that is being written is read when it is done, so that it has one name', async () => {
    const running = await readRows(conversation({ status: 'generating' }, { bubbleId: 'a', text: 'Half a sen' }))
    expect(foldTurns(running.drafts)).toMatchObject([{ prompt: 'Go.', calls: [] }])
    expect(running.drafts.map(({ text }) => text)).not.toContain('Half a sen')
    rmSync(join(folder, 'state.vscdb'))
    const done = await readRows(conversation({ status: 'completed' }, { bubbleId: 'a', text: 'Half a sentence.' }))
    expect(foldTurns(done.drafts)).toMatchObject([{ ending: 'answered', answer: 'Half a sentence.' }])
  })

  test('a call that waits has no result, and keeps its name when it has one', async () => {
    const call = (status: string) => ({
      bubbleId: 'a',
      toolFormerData: {
        name: 'read_file',
        toolCallId: 'c',
        status,
        params: '{"targetFile":"a.txt"}',
        result: '{"contents":"text"}',
      },
    })
    const waiting = await readRows(conversation({ status: 'generating' }, call('loading')))
    expect(waiting.drafts.map(({ type }) => type)).toEqual(['system', 'user_input', 'tool_call'])
    rmSync(join(folder, 'state.vscdb'))
    const done = await readRows(conversation({ status: 'generating' }, call('completed')))
    expect(done.drafts.map(({ type }) => type)).toEqual(['system', 'user_input', 'tool_call', 'tool_response'])
    expect(done.drafts[2]?.native).toEqual(waiting.drafts[2]?.native)
  })

  test('what has changed is listed with another version, and nothing else', async () => {
    const path = join(folder, 'state.vscdb')
    const other: [string, unknown][] = [
      ['composerData:D', { name: 'Other', fullConversationHeadersOnly: [{ bubbleId: 'd' }] }],
      ['bubbleId:D:d', { type: 1, text: 'Stay.' }],
    ]
    const rows = (bubble: { bubbleId: string; text: string }): EditorRows => {
      const { cursorDiskKV = [] } = conversation({ status: 'completed' }, bubble)
      return { cursorDiskKV: [...other, ...cursorDiskKV] }
    }
    writeEditor(path, rows({ bubbleId: 'a', text: 'Gone.' }))
    const before = versionsIn(path)
    rmSync(path)
    writeEditor(path, rows({ bubbleId: 'a', text: 'Gone away.' }))
    const after = versionsIn(path)
    expect(Object.keys(before).sort()).toEqual(['C', 'D'])
    expect(after['D']).toBe(before['D'])
    expect(after['C']).not.toBe(before['C'])
  })
})

describe('fault 50: a large database', () => {
  test('is listed from keys and sizes, and read a row at a time', () => {
    const path = join(folder, 'state.vscdb')
    writeEditor(path, fixture('editor.json'))
    const asked: string[] = []
    withDatabase(path, (database) => {
      const watched: Database = {
        ...database,
        all: (sql, ...params) => {
          asked.push(sql)
          return database.all(sql, ...params)
        },
        each: (sql, ...params) => {
          asked.push(sql)
          return database.each(sql, ...params)
        },
      }
      expect([...desktopFormat.transcripts(watched)]).toHaveLength(2)
      const listing = asked.filter((sql) => sql.includes('cursorDiskKV'))
      expect(listing).toHaveLength(2)
      for (const sql of listing)
        expect(sql.replace(/octet_length\(value\)|value IS NOT NULL/g, '')).not.toContain('value')
      asked.length = 0
      const records = [...desktopFormat.records(watched, IDS.fence)]
      expect(records.length).toBeGreaterThan(10)
      const reading = asked.filter((sql) => /\bvalue\b/.test(sql) && sql.includes('cursorDiskKV'))
      expect(reading.length).toBeGreaterThan(10)
      expect(new Set(reading)).toEqual(new Set(['SELECT value FROM cursorDiskKV WHERE key = ?']))
    })
  })
})

function withDatabase<T>(path: string, work: (database: ForeignDatabase) => T): T {
  const database = openForeignDatabase(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Versions of all conversations. */
function versionsIn(path: string): Record<string, string> {
  return withDatabase(path, (database) =>
    Object.fromEntries([...desktopFormat.transcripts(database)].map(({ key, version }) => [key, version])),
  )
}
