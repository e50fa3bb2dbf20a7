/** What the hits of one call are from: conversations, items and statements, each loaded once. */

import type { Caller } from '../../core/caller.ts'
import type { ConversationHit, ItemHit, PassageHit } from '../../retrieval/passages.ts'
import {
  type ContextItem,
  findSessionByPk,
  itemContent,
  loadItems,
  loadPassages,
  proseText,
  type Queryable,
  type SessionView,
} from '../../store/index.ts'
import { type ConversationText, conversationText } from '../conversations/conversation-text.ts'
import { charactersBefore } from '../conversations/stored-text.ts'

/** A stretch of text as it is stored now. */
export interface Stretch {
  text: string
  /** Where it begins in the stored text of its conversation or item, in characters. */
  offset: number
  /** Of a file: its first line, from 1. */
  line?: number
}

export interface Sources {
  session(pk: number): Promise<SessionView | undefined>
  conversation(sessionPk: number): Promise<ConversationText>
  item(pk: number): Promise<ContextItem | undefined>
  /** The beginning of an event's text, in characters. */
  beginning(eventPk: number, characters: number): Promise<string>
  /** `text` at `start` (UTF-16 units) of an event's text; undefined when it does not stand there any more. */
  inEvent(sessionPk: number, eventPk: number, start: number, text: string): Promise<Stretch | undefined>
  /** The same of an item's content. */
  inItem(itemPk: number, start: number, text: string): Promise<Stretch | undefined>
  /** Where the stored passage of an item begins in its content, in UTF-16 units. */
  passageStart(passagePk: number): Promise<number | undefined>
}

export function openSources(db: Queryable, caller: Caller): Sources {
  const session = remembered((pk: number) => findSessionByPk(db, caller, pk))
  const conversation = remembered((pk: number) => conversationText(db, caller, pk))
  const item = remembered(async (pk: number) => (await loadItems(db, caller, [pk])).get(pk))
  const content = remembered((pk: number) => itemContent(db, caller, pk))
  return {
    session,
    conversation,
    item,
    beginning: (eventPk, characters) => proseText(db, caller, eventPk, 0, characters),
    passageStart: async (pk) => (await loadPassages(db, caller, [pk])).get(pk)?.start,
    async inEvent(sessionPk, eventPk, start, text) {
      const before = (await conversation(sessionPk)).startOf(eventPk)
      if (before === undefined) return undefined
      // As many characters as units are always enough.
      const stored = await proseText(db, caller, eventPk, 0, start + text.length)
      if (stored.slice(start, start + text.length) !== text) return undefined
      return { text, offset: before + charactersBefore(stored, start) }
    },
    async inItem(itemPk, start, text) {
      const stored = await content(itemPk)
      if (stored.slice(start, start + text.length) !== text) return undefined
      return { text, offset: charactersBefore(stored, start), line: lineAt(stored, start) }
    },
  }
}

/** What a hit quotes, or a part of it, where it is stored now. @param from units to leave out at its start */
export async function stretchOf(
  sources: Sources,
  hit: PassageHit,
  from: number,
  text: string,
): Promise<Stretch | undefined> {
  return hit.kind === 'conversation' ? ofEvent(sources, hit, from, text) : ofItem(sources, hit, from, text)
}

function ofEvent(sources: Sources, hit: ConversationHit, from: number, text: string): Promise<Stretch | undefined> {
  return sources.inEvent(hit.sessionPk, hit.eventPk, hit.passage.start + from, text)
}

async function ofItem(sources: Sources, hit: ItemHit, from: number, text: string): Promise<Stretch | undefined> {
  const start = await sources.passageStart(hit.passagePk)
  return start === undefined ? undefined : sources.inItem(hit.itemPk, start + hit.passage.start + from, text)
}

function remembered<K, V>(load: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, Promise<V>>()
  return (key) => {
    const found = known.get(key) ?? load(key)
    known.set(key, found)
    return found
  }
}

function lineAt(text: string, start: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++
  return line
}
