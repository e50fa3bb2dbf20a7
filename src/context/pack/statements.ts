/** Decisions and constraints for a pack, each held against the place it is from. */

import type { Caller } from '../../core/caller.ts'
import type { PassageHit } from '../../retrieval/passages.ts'
import { listStatements, loadStatements, type Queryable, type StatementView } from '../../store/index.ts'
import { conversationName, itemName } from '../rows.ts'
import { contradictions, distinctStatements } from '../statements/index.ts'
import type { FoundConversation } from './conversations.ts'
import type { LiveFiles } from './live-files.ts'
import { type PackConflict, type PackStatement, TEXT_CAPS } from './pack.ts'
import { type Quote, quoteOf } from './quote.ts'
import type { Sources } from './sources.ts'
import { termsIn } from './terms.ts'

export interface StatementSearch {
  db: Queryable
  caller: Caller
  sources: Sources
  live: LiveFiles
  terms: readonly string[]
  now: number
  /** The project that was asked for; documents of others do not count. */
  projectId?: string
  since?: number
  /** Statements wanted of each kind. */
  limit: number
}

export interface FoundStatements {
  decisions: PackStatement[]
  constraints: PackStatement[]
  conflicts: PackConflict[]
}

/** Statements looked at of each conversation that matches as a whole. */
const OF_CONVERSATION = 6
const CONVERSATIONS = 2

/** What a conversation's own statements are worth, when they hold nothing of the task themselves. */
const CONVERSATION_SHARE = 0.5

/** Below this part of the best, a statement is about something else. */
const TAIL = 0.35

/** Conflicts shown, and the length of each side. */
const MAX_CONFLICTS = 3
const CONFLICT_LENGTH = 160

interface Ranked {
  statement: StatementView
  score: number
}

/**
 * The statements that were found and those of the best conversations, best first; of several that say the same the newest.
 * Replaced ones are not among them, but in the conflicts. What does not stand at its place any more is left out.
 */
export async function foundStatements(
  search: StatementSearch,
  hits: readonly PassageHit[],
  conversations: readonly FoundConversation[],
): Promise<FoundStatements> {
  const ranked = await rankedStatements(search, hits, conversations)
  const distinct = new Set(distinctStatements(ranked.map(({ statement }) => statement)).map(({ pk }) => pk))
  const standing = ranked.filter(({ statement: { pk, superseded_by: by } }) => by === null && distinct.has(pk))
  const shown: { statement: StatementView; pack: PackStatement }[] = []
  const count = (kind: string): number => shown.filter(({ statement }) => statement.kind === kind).length
  for (const { statement } of standing) {
    if (count(statement.kind) >= search.limit) continue
    const pack = await verified(search, statement)
    if (pack && !shown.some((other) => other.pack.text === pack.text)) shown.push({ statement, pack })
  }
  const of = (kind: string): PackStatement[] =>
    shown.flatMap(({ statement, pack }) => (statement.kind === kind ? [pack] : []))
  return {
    decisions: of('decision'),
    constraints: of('constraint'),
    conflicts: conflictsOf(ranked.map(({ statement }) => statement)),
  }
}

async function rankedStatements(
  { db, caller, projectId, since, terms }: StatementSearch,
  hits: readonly PassageHit[],
  conversations: readonly FoundConversation[],
): Promise<Ranked[]> {
  const scores = new Map<number, number>()
  const top = hits[0]?.score ?? 0
  for (const hit of hits) if (hit.kind === 'statement' && hit.score >= TAIL * top) scores.set(hit.itemPk, hit.score)
  const found = new Map(await loadStatements(db, caller, [...scores.keys()]))
  for (const [place, { sessionPk, score }] of conversations.slice(0, CONVERSATIONS).entries()) {
    if (sessionPk === undefined) continue
    const own = await listStatements(db, caller, { session: sessionPk, standing: true, limit: OF_CONVERSATION })
    for (const statement of own.filter(({ at }) => at > (since ?? Number.NEGATIVE_INFINITY))) {
      const matched = termsIn(statement.text, terms).size
      // What a conversation decided without a word of the task counts in the best one alone.
      if (matched === 0 && place > 0) continue
      found.set(statement.pk, statement)
      const share = CONVERSATION_SHARE + (1 - CONVERSATION_SHARE) * (matched / Math.max(1, terms.length))
      scores.set(statement.pk, Math.max(scores.get(statement.pk) ?? 0, score * share))
    }
  }
  // Who asks about what was replaced must hear what replaced it.
  const replaced = [...found.values()].flatMap(({ pk, superseded_by: by }) => (by === null ? [] : [{ pk, by }]))
  const replacing = await loadStatements(
    db,
    caller,
    replaced.map(({ by }) => by).filter((by) => !found.has(by)),
  )
  for (const { pk, by } of replaced) {
    const newer = replacing.get(by)
    if (!newer) continue
    found.set(by, newer)
    scores.set(by, Math.max(scores.get(by) ?? 0, scores.get(pk) ?? 0))
  }
  return [...found.values()]
    .filter(
      (statement) => statement.origin !== 'document' || projectId === undefined || statement.project_id === projectId,
    )
    .map((statement) => ({ statement, score: scores.get(statement.pk) ?? 0 }))
    .sort((a, b) => b.score - a.score || b.statement.at - a.statement.at || a.statement.pk - b.statement.pk)
}

/** A statement as a pack shows it; undefined when it does not stand at its place any more. */
async function verified(search: StatementSearch, statement: StatementView): Promise<PackStatement | undefined> {
  const { sources, terms, live, projectId, now } = search
  const quote = quoteOf(statement.text, terms, TEXT_CAPS.statement)
  const timestamp = new Date(statement.at).toISOString()
  if (quote.text === '') return undefined
  if (statement.session_pk !== null && statement.event_pk !== null) {
    const session = await sources.session(statement.session_pk)
    const stretch = await sources.inEvent(
      statement.session_pk,
      statement.event_pk,
      statement.start + quote.start,
      quote.text,
    )
    if (!session || !stretch) return undefined
    const { id, source, source_table } = conversationName(session, now)
    return { text: quote.text, source, timestamp, id, source_table, offset: stretch.offset }
  }
  const item = statement.item_pk === null ? undefined : await sources.item(statement.item_pk)
  if (!item) return undefined
  if (item.kind === 'document')
    return ofDocument({ quote, timestamp, live, ...(projectId === undefined ? {} : { projectId }) }, statement)
  const stretch = await sources.inItem(item.pk, statement.start + quote.start, quote.text)
  if (!stretch) return undefined
  const { id, source, source_table } = itemName(item)
  return { text: quote.text, source, timestamp, id, source_table, offset: stretch.offset }
}

function ofDocument(
  { quote, timestamp, live, projectId }: { quote: Quote; timestamp: string; live: LiveFiles; projectId?: string },
  { root, path, line, item_role, project_id }: StatementView,
): PackStatement | undefined {
  if (root === null || path === null) return undefined
  const now = live.lineOf({ root, path }, quote.text, line ?? 1)
  if (now === undefined) return undefined
  const place = project_id === projectId ? path : `${root}/${path}`
  return { text: quote.text, source: item_role ?? 'document', timestamp, source_path: `${place}:${now}` }
}

/** Those found that say otherwise than others found or than what has replaced them. */
function conflictsOf(statements: readonly StatementView[]): PackConflict[] {
  if (statements.length < 2) return []
  return contradictions(statements)
    .slice(0, MAX_CONFLICTS)
    .map(({ a, b, subject, newer }) => ({
      a: quoteOf(a.text, [], CONFLICT_LENGTH).text,
      b: quoteOf(b.text, [], CONFLICT_LENGTH).text,
      subject,
      newer,
    }))
}
