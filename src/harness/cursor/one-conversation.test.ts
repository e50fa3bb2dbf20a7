/** A conversation that stands in several places is in the archive once. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../../capture/index.ts'
import { openStore } from '../../store/index.ts'
import { cursor } from './index.ts'
import { fixture, IDS, layOut, writeEditor } from './testing.ts'

let folder: string
beforeEach(() => {
  folder = layOut()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Archive {
  turns: { ending: string | null; events: number }[]
  /** Type and text, in order. */
  events: string[]
  touched: number
}

/** Captures the sources one after the other, as they would be found over time, and returns what is kept of a session. */
async function captured(
  session: string,
  order: readonly (readonly [source: string, folder: string])[],
): Promise<Archive> {
  const engine = await openStore({ url: ':memory:' })
  try {
    for (const [source, below] of order) {
      const sources = cursor.sources.map((each) => ({
        ...each,
        roots: () => (each.name === source ? [join(folder, below)] : []),
      }))
      await captureOnce({
        engine,
        owner: 1,
        harnesses: [{ ...cursor, sources }],
        host: { home: folder, env: {}, platform: process.platform },
        clock: Date.now,
        redactor: createRedactor({ enabled: false }),
        projects: { projectOf: () => undefined },
      })
    }
    const [row] = await engine.all<{ pk: number }>('SELECT pk FROM session WHERE native_id = ?', [session])
    const turns = await engine.all<{ ending: string | null; events: number }>(
      'SELECT ending, event_count AS events FROM turn WHERE session_pk = ? ORDER BY pk',
      [row?.pk ?? 0],
    )
    const events = await engine.all<{ type: number; text: string }>(
      'SELECT type, text FROM event WHERE session_pk = ? AND copied = 0 ORDER BY type, text',
      [row?.pk ?? 0],
    )
    const [touches] = await engine.all<{ touched: number }>(
      'SELECT count(*) AS touched FROM touch WHERE session_pk = ?',
      [row?.pk ?? 0],
    )
    return {
      turns: turns.map(({ ending, events: count }) => ({ ending, events: count })),
      events: events.map(({ type, text }) => `${type} ${text}`),
      touched: touches?.touched ?? 0,
    }
  } finally {
    await engine.close()
  }
}

const TRANSCRIPTS = ['cursor', 'projects'] as const
const CHATS = ['cursor-sqlite', 'chats'] as const
const EDITOR = ['cursor-sqlite', 'editor'] as const

/** Prompts, answers and calls. */
const saidIn = ({ events }: Archive): string[] => events.filter((event) => /^[013] /.test(event))

describe('a conversation of the command line, in a transcript and a database', () => {
  test.each([
    ['the transcript first', [TRANSCRIPTS, CHATS]],
    ['the database first', [CHATS, TRANSCRIPTS]],
  ] as const)('%s: each prompt, text and call is there once, and the turns end', async (_name, order) => {
    const both = await captured(IDS.watering, order)
    const transcript = await captured(IDS.watering, [TRANSCRIPTS])
    expect(saidIn(both)).toEqual(saidIn(transcript))
    expect(both.turns.map(({ ending }) => ending)).toEqual(['answered', 'interrupted', 'failed'])
    expect(both.events).toContain('2 Dry beds first.')
    expect(both.events).toContain('4 beans\npeas')
    expect(both.touched).toBe(transcript.touched)
  })
})

describe('a conversation of the editor, in a transcript and a database', () => {
  test('calls go by different names and are still one', async () => {
    const bubbles = [
      { bubbleId: 'a', type: 1, text: 'Which beds need water?' },
      { bubbleId: 'b', type: 2, thinking: { text: 'Dry beds first.' } },
      { bubbleId: 'c', type: 2, text: 'I look at the list of beds.' },
      {
        bubbleId: 'd',
        type: 2,
        toolFormerData: {
          name: 'read_file_v2',
          status: 'completed',
          params: { targetFile: '/home/ada/garden/beds.txt' },
          result: '{"contents":"beans"}',
        },
      },
      {
        bubbleId: 'e',
        type: 2,
        toolFormerData: {
          name: 'run_terminal_command_v2',
          status: 'completed',
          params: { command: './dry.sh' },
          result: '{"output":"2","exitCodeV2":0}',
        },
      },
      {
        bubbleId: 'f',
        type: 2,
        toolFormerData: {
          name: 'task_v2',
          status: 'completed',
          params: { description: 'Ask the forecast' },
          result: '{}',
        },
      },
      { bubbleId: 'g', type: 2, text: 'The beds of beans and peas need water.', turnDurationMs: 900 },
    ]
    const rows = fixture<{ cursorDiskKV: [string, unknown][] }>('editor.json')
    const id = IDS.watering
    rmSync(join(folder, 'editor'), { recursive: true })
    writeEditor(join(folder, 'editor', 'state.vscdb'), {
      ...rows,
      cursorDiskKV: [
        ...rows.cursorDiskKV,
        [
          `composerData:${id}`,
          { name: 'Watering', fullConversationHeadersOnly: bubbles.map(({ bubbleId }) => ({ bubbleId })) },
        ],
        ...bubbles.map((bubble): [string, unknown] => [`bubbleId:${id}:${bubble.bubbleId}`, bubble]),
      ],
    })
    const both = await captured(id, [TRANSCRIPTS, EDITOR])
    const transcript = await captured(id, [TRANSCRIPTS])
    expect(both.turns.map(({ ending }) => ending)).toEqual(['answered', 'interrupted', 'failed'])
    const kinds = (archive: Archive) => saidIn(archive).map((event) => event[0])
    expect(kinds(both)).toEqual(kinds(transcript))
    expect(both.events).toContain('4 beans')
  })
})
