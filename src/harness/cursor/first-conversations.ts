/** Conversations of the first clients, whole in a single value of a workspace's database. */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, list, text } from '../fields.ts'
import type { Database, TranscriptEntry } from '../harness.ts'
import { flattened } from './rich-text.ts'
import { storedValue } from './stored-value.ts'

/** Tabs of the chat panel. */
const TABS = 'workbench.panel.aichat.view.aichat.chatdata'

/** Conversations of the composer; newer clients keep their names here alone. */
const COMPOSERS = 'composer.composerData'

export function* firstConversations(database: Database): Generator<TranscriptEntry> {
  if (!database.columns('ItemTable').includes('value')) return
  const seen = new Set<string>()
  for (const key of [TABS, COMPOSERS]) {
    const [row] = database.all('SELECT rowid AS place, octet_length(value) AS size FROM ItemTable WHERE key = ?', key)
    if (!row) continue
    for (const { id } of conversationsIn(database, key)) {
      if (seen.has(id)) continue
      seen.add(id)
      yield { key: id, version: `${row['place']} ${row['size']}`, modifiedAt: 0 }
    }
  }
}

/** The conversation in the shape of later ones. */
export function firstConversation(database: Database, id: string): Fields | undefined {
  if (!database.columns('ItemTable').includes('value')) return undefined
  for (const key of [TABS, COMPOSERS]) {
    for (const found of conversationsIn(database, key)) if (found.id === id) return found.composer
  }
  return undefined
}

function* conversationsIn(database: Database, key: string): Generator<{ id: string; composer: Fields }> {
  const value = fields(storedValue(database.all('SELECT value FROM ItemTable WHERE key = ?', key)[0]))
  const found = key === TABS ? list(value['tabs']).map(fromTab) : list(value['allComposers']).filter(isRecord)
  for (const composer of found) {
    const id = text(composer['composerId'])
    if (id !== '' && list(composer['conversation']).length > 0) yield { id, composer }
  }
}

function fromTab(value: unknown): Fields {
  const tab = fields(value)
  return {
    composerId: tab['tabId'],
    name: text(tab['chatTitle']),
    createdAt: tab['lastSendTime'],
    conversation: list(tab['bubbles']).map((bubble, place) => fromTabBubble(fields(bubble), place)),
  }
}

function fromTabBubble(bubble: Fields, place: number): Fields {
  const said = text(bubble['text']) || text(bubble['rawText']) || flattened(bubble['initText'])
  return { bubbleId: text(bubble['id']) || String(place), type: bubble['type'] === 'user' ? 1 : 2, text: said }
}
