/**
 * The editor's database: keys with JSON. A conversation is `composerData:<id>`, which lists its bubbles in order; a bubble
 * is a message or a part of one, `bubbleId:<conversation>:<bubble>`. Until 2025 bubbles stood inside the conversation, and
 * before that conversations were tabs of the workspace's own database. Nothing else in it is read, least of all accounts.
 */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, list, number, pick, text } from '../fields.ts'
import type { Database, DatabaseFormat, TranscriptEntry } from '../harness.ts'
import { isEmptyBubble } from './bubbles.ts'
import { firstConversation, firstConversations } from './first-conversations.ts'
import { storedValue } from './stored-value.ts'

export interface ComposerRecord {
  type: 'composer'
  /** Facts of the conversation, without what it holds. */
  composer: Fields
}

export interface BubbleRecord {
  type: 'bubble'
  /** The last part of its key. */
  key: string
  /** The bubble; its text where it is no JSON. */
  bubble: unknown
  /** In the database and not in the conversation: taken back. */
  unlisted?: true
}

export interface EndRecord {
  type: 'end'
  /** State of the conversation, which is that of its last turn. */
  status: string
  /** Milliseconds since 1970. */
  at: unknown
}

type DesktopRecord = ComposerRecord | BubbleRecord | EndRecord

export const desktopFormat: DatabaseFormat = {
  kind: 'database',
  *transcripts(database) {
    const composers = hasComposers(database) ? composerEntries(database) : []
    yield* composers
    const known = new Set(composers.map(({ key }) => key))
    for (const entry of firstConversations(database)) if (!known.has(entry.key)) yield entry
  },
  *records(database, key): Generator<DesktopRecord> {
    const composer = hasComposers(database) ? read(database, `composerData:${key}`) : undefined
    if (isRecord(composer)) yield* composerRecords(database, key, composer)
    else {
      const first = firstConversation(database, key)
      if (first) yield* toRecords(first, inlineBubbles(first))
    }
  },
}

function hasComposers(database: Database): boolean {
  return database.columns('cursorDiskKV').includes('value')
}

/**
 * What changes when a conversation does, from keys and sizes: a value of the client takes a new row each time it is
 * written. `octet_length` finds a size without reading the value, but not where rows are sorted, so they are added up here.
 */
function composerEntries(database: Database): TranscriptEntry[] {
  const bubbles = new Map<string, { count: number; newest: number; size: number }>()
  for (const { composer, place, size } of database.each(
    `SELECT substr(key, 10, instr(substr(key, 10), ':') - 1) AS composer, rowid AS place, octet_length(value) AS size
      FROM cursorDiskKV WHERE key >= 'bubbleId:' AND key < 'bubbleId;'`,
  )) {
    const own = bubbles.get(text(composer)) ?? { count: 0, newest: 0, size: 0 }
    own.count++
    own.newest = Math.max(own.newest, number(place) ?? 0)
    own.size += number(size) ?? 0
    bubbles.set(text(composer), own)
  }
  return database
    .all(
      `SELECT substr(key, 14) AS composer, rowid AS place, octet_length(value) AS size FROM cursorDiskKV
        WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL`,
    )
    .filter((row) => text(row['composer']) !== '')
    .map(({ composer, place, size }) => {
      const { count, newest, size: held } = bubbles.get(text(composer)) ?? { count: 0, newest: 0, size: 0 }
      return { key: text(composer), version: `${place} ${size} ${count} ${newest} ${held}`, modifiedAt: 0 }
    })
}

const VALUE = 'SELECT value FROM cursorDiskKV WHERE key = ?'

function read(database: Database, key: string): unknown {
  return storedValue(database.all(VALUE, key)[0])
}

function* composerRecords(database: Database, key: string, composer: Fields): Generator<DesktopRecord> {
  const parent = parentOf(database, key)
  const told = parent === '' ? composer : { ...composer, subagentInfo: { parentComposerId: parent } }
  const inline = inlineBubbles(composer)
  yield* toRecords(told, inline.length > 0 ? inline : storedBubbles(database, key, composer))
}

/** Newer clients keep an index of conversations, in which a subagent's names its parent. */
function parentOf(database: Database, key: string): string {
  if (!database.columns('composerHeaders').includes('value')) return ''
  const header = storedValue(database.all('SELECT value FROM composerHeaders WHERE composerId = ?', key)[0])
  return text(fields(fields(header)['subagentInfo'])['parentComposerId'])
}

/** The conversation and its bubbles. A window that was opened and never used is none. */
function* toRecords(composer: Fields, bubbles: Iterable<BubbleRecord>): Generator<DesktopRecord> {
  const status = text(composer['status'])
  const unfinished = new Set(list(composer['generatingBubbleIds']))
  let waiting: BubbleRecord | undefined
  let isStarted = false
  let last: Fields = {}
  const takenBack: BubbleRecord[] = []
  const start = function* (): Generator<DesktopRecord> {
    if (!isStarted) yield { type: 'composer', composer: factsOf(composer) }
    isStarted = true
  }
  if (text(composer['name']) !== '') yield* start()
  for (const record of bubbles) {
    if (isEmptyBubble(record.bubble) || unfinished.has(record.key)) continue
    yield* start()
    if (record.unlisted) {
      takenBack.push(record)
      continue
    }
    if (waiting) yield waiting
    waiting = record
    last = fields(record.bubble)
  }
  if (waiting) {
    // A text that is being written changes its name with every word: it is read when it is done.
    if (status !== 'generating' || last['type'] === 1 || isRecord(last['toolFormerData'])) yield waiting
    const isTold = last['turnDurationMs'] !== undefined && status === 'completed'
    if (!WITHOUT_END.has(status) && !isTold) yield { type: 'end', status, at: composer['lastUpdatedAt'] }
  }
  yield* takenBack
}

/** States of a conversation that say nothing of its last turn's end. */
const WITHOUT_END = new Set(['', 'none', 'generating'])

const FACTS = [
  'name',
  'subtitle',
  'createdAt',
  'lastUpdatedAt',
  'status',
  'unifiedMode',
  'forceMode',
  'agentBackend',
  'isArchived',
  'modelConfig',
  'workspaceIdentifier',
  'trackedGitRepos',
  'createdOnBranch',
  'subagentInfo',
  'subComposerIds',
  'subagentComposerIds',
  'totalLinesAdded',
  'totalLinesRemoved',
  'filesChangedCount',
  'contextUsagePercent',
  'promptTokenBreakdown',
] as const

function factsOf(composer: Fields): Fields {
  return pick(composer, FACTS) ?? {}
}

/** Bubbles of clients that kept them inside the conversation: a list, or a map beside the list of their names. */
function inlineBubbles(composer: Fields): BubbleRecord[] {
  const map = fields(composer['conversationMap'])
  const mapped = headersOf(composer).map((id) => map[id])
  const bubbles = [...list(composer['conversation']), ...mapped].filter(isRecord)
  return bubbles.map((bubble) => ({ type: 'bubble', key: text(bubble['bubbleId']), bubble }))
}

function headersOf(composer: Fields): string[] {
  return list(composer['fullConversationHeadersOnly']).map((header) => text(fields(header)['bubbleId']))
}

/** Bubbles with keys of their own, in the conversation's order; without one, in the order they were written. */
function* storedBubbles(
  database: Database,
  composer: string,
  { fullConversationHeadersOnly }: Fields,
): Generator<BubbleRecord> {
  const prefix = `bubbleId:${composer}:`
  const rows = database.all(
    'SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid',
    prefix,
    `${prefix}\u{10ffff}`,
  )
  const keys = rows.map((row) => text(row['key']).slice(prefix.length))
  const bubbleAt = (key: string): unknown => read(database, prefix + key)
  const headers = headersOf({ fullConversationHeadersOnly })
  if (headers.length === 0) {
    for (const key of keys) yield { type: 'bubble', key, bubble: bubbleAt(key) }
    return
  }
  const listed = new Set(headers)
  const stored = new Set(keys)
  const others = new Map<string, BubbleRecord>()
  for (const key of keys) {
    if (listed.has(key)) continue
    const bubble = bubbleAt(key)
    const own = fields(bubble)['bubbleId']
    others.set(typeof own === 'string' ? own : key, { type: 'bubble', key, bubble })
  }
  for (const key of headers) {
    // A bubble may be listed by the name it gives itself and lie under another.
    const other = others.get(key)
    others.delete(key)
    if (stored.has(key)) yield { type: 'bubble', key, bubble: bubbleAt(key) }
    else if (other) yield other
  }
  for (const other of others.values()) yield { ...other, unlisted: true }
}
