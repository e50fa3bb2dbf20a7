/** Conversations and saves for a pack: what they quote, best first. */

import type { PassageHit } from '../../retrieval/passages.ts'
import type { SessionView } from '../../store/index.ts'
import { charactersBefore } from '../conversations/stored-text.ts'
import { conversationName, expandOf, itemName, type RowName } from '../rows.ts'
import { type PackConversation, type PackPassage, TEXT_CAPS } from './pack.ts'
import { quoteOf, shortLine } from './quote.ts'
import { type Sources, stretchOf } from './sources.ts'
import { termsIn } from './terms.ts'

/** Something a conversation says about the task. */
export interface Quoted {
  score: number
  passage: PackPassage
}

export interface FoundConversation {
  /** Of its best passage. */
  score: number
  /** Number of the session; undefined for a save. */
  sessionPk?: number
  name: RowName
  title: string
  /** When it was last added to, RFC 3339. */
  timestamp: string
  bytes: number
  /** Best first, none empty, no two overlapping. */
  quotes: Quoted[]
}

/** A title is one line of a list, not what is quoted. */
const TITLE_LENGTH = 80

/** Conversations whose user is heard further: what was decided stands in what the user said next. */
const FOLLOWED = 2

/** Prompts that are read of each, and their length in characters. */
const FOLLOWING_PROMPTS = 6
const PROMPT_READ = 2_000

/** What the user said next is worth this part of what led to it. */
const FOLLOWING_SHARE = 0.8

/**
 * Groups hits by what they are from, in the order of their best. Hits whose text is gone are left out.
 * @param limit conversations wanted
 */
export async function foundConversations(
  sources: Sources,
  hits: readonly PassageHit[],
  terms: readonly string[],
  now: number,
  limit: number,
): Promise<FoundConversation[]> {
  const groups = new Map<string, PassageHit[]>()
  for (const hit of hits) {
    const key = hit.kind === 'conversation' ? `session ${hit.sessionPk}` : `item ${hit.itemPk}`
    groups.set(key, [...(groups.get(key) ?? []), hit])
  }
  const found: FoundConversation[] = []
  for (const group of groups.values()) {
    if (found.length === limit) break
    const one = await foundOne(sources, group, terms, now)
    if (one) found.push(one)
  }
  for (const one of found.slice(0, FOLLOWED)) await follow(sources, one, groups.get(`session ${one.sessionPk}`), terms)
  return found
}

async function foundOne(
  sources: Sources,
  group: readonly PassageHit[],
  terms: readonly string[],
  now: number,
): Promise<FoundConversation | undefined> {
  const [best] = group
  if (!best) return undefined
  const quotes: Quoted[] = []
  for (const hit of group) {
    const { start, text } = quoteOf(hit.passage.text, terms, TEXT_CAPS.passage)
    const stretch = text === '' ? undefined : await stretchOf(sources, hit, start, text)
    if (stretch) addQuote(quotes, hit.score, passageOf(stretch.text, stretch.offset, terms))
  }
  if (quotes.length === 0) return undefined
  const header =
    best.kind === 'conversation' ? await ofSession(sources, best.sessionPk, now) : await ofItem(sources, best.itemPk)
  return header && { score: best.score, ...header, quotes }
}

type Header = Omit<FoundConversation, 'score' | 'quotes'>

async function ofSession(sources: Sources, sessionPk: number, now: number): Promise<Header | undefined> {
  const session = await sources.session(sessionPk)
  if (!session) return undefined
  return {
    sessionPk,
    name: conversationName(session, now),
    title: shortLine(titleOf(session), TITLE_LENGTH),
    timestamp: new Date(session.updated_at).toISOString(),
    bytes: (await sources.conversation(sessionPk)).bytes,
  }
}

async function ofItem(sources: Sources, itemPk: number): Promise<Header | undefined> {
  const item = await sources.item(itemPk)
  if (!item) return undefined
  return {
    name: itemName(item),
    title: shortLine(item.title, TITLE_LENGTH),
    timestamp: new Date(item.at).toISOString(),
    bytes: item.bytes,
  }
}

/** What a session is called: its title, else how it began. */
export function titleOf({ title, first_prompt, slug }: SessionView): string {
  return title ?? first_prompt ?? slug ?? 'Untitled'
}

function passageOf(text: string, offset: number, terms: readonly string[]): PackPassage {
  return { text, offset, matched: `${termsIn(text, terms).size}/${terms.length}` }
}

/** Unless something that overlaps it is there. */
function addQuote(quotes: Quoted[], score: number, passage: PackPassage): void {
  const end = ({ text, offset }: PackPassage): number => offset + text.length
  const isNew = quotes.every(({ passage: other }) => end(other) <= passage.offset || end(passage) <= other.offset)
  if (isNew) quotes.push({ score, passage })
}

/** Adds what the user said after the best passage. */
async function follow(
  sources: Sources,
  found: FoundConversation,
  group: readonly PassageHit[] | undefined,
  terms: readonly string[],
): Promise<void> {
  const best = group?.[0]
  if (found.sessionPk === undefined || best?.kind !== 'conversation') return
  const { pieces } = await sources.conversation(found.sessionPk)
  const place = pieces.findIndex(({ eventPk }) => eventPk === best.eventPk)
  const prompts = pieces.slice(place + 1).filter(({ saidBy }) => saidBy === 'user')
  for (const { eventPk } of prompts.slice(0, FOLLOWING_PROMPTS)) {
    const text = await sources.beginning(eventPk, PROMPT_READ)
    const quote = quoteOf(text, terms, TEXT_CAPS.passage)
    const stretch = await sources.inEvent(found.sessionPk, eventPk, quote.start, quote.text)
    if (stretch && stretch.text !== '') {
      addQuote(found.quotes, found.score * FOLLOWING_SHARE, passageOf(stretch.text, stretch.offset, terms))
    }
  }
}

/** How a conversation stands in a pack with its first passage: as it is, and ever shorter. */
export function conversationForms(
  found: FoundConversation,
  first: PackPassage,
  terms: readonly string[],
): PackConversation[] {
  const { name, title, timestamp, bytes } = found
  const { stable_evidence_key: _, ...brief } = expandOf(name, 'middle').params
  const full = expandOf(name, 'middle', first.offset)
  const row = { id: name.id, title, source: name.source, timestamp, content_bytes: bytes, passage: first }
  const slim = (passage: PackPassage): PackConversation => {
    const params = { ...brief, offset: passage.offset }
    return {
      id: name.id,
      title: shortLine(title, TITLE_LENGTH / 2),
      source: name.source,
      timestamp,
      passage,
      expand: { route: '/search', params },
    }
  }
  return [{ ...row, expand: full }, ...passageForms(first, terms).map(slim)]
}

/** A passage as it is and shorter. */
export function passageForms(passage: PackPassage, terms: readonly string[]): PackPassage[] {
  const shorter = [240, 120].flatMap((limit) => {
    if (passage.text.length <= limit) return []
    const { start, text } = quoteOf(passage.text, terms, limit)
    return text === '' ? [] : [passageOf(text, passage.offset + charactersBefore(passage.text, start), terms)]
  })
  return [passage, ...shorter]
}
