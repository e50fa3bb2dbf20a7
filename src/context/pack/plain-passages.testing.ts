/** For tests: a search of passages as plain as can be, over all that the store holds, on either engine. */

import { EVENT_TYPES } from '../../core/event.ts'
import type { ConversationHit, ItemHit, PassageHit, PassageKind } from '../../retrieval/passages.ts'
import type { SearchPassages } from './build.ts'
import { taskTerms, termsIn } from './terms.ts'

interface EventRow {
  pk: number
  id: Buffer
  session_pk: number
  turn_pk: number
  type: number
  at: number
  text: string
  cwd: string | null
}

interface PassageRow {
  pk: number
  item_pk: number
  kind: Exclude<PassageKind, 'conversation'>
  heading: string
  line: number | null
  at: number
  text: string
  project_id: string | null
  root: string | null
}

/** Scores by the share of the query's stems; no word order, no weights. */
export const plainPassages: SearchPassages = async (engine, caller, request) => {
  const { query, kinds, limit, perConversation = 2, since = -1, projectIds, session } = request
  const terms = taskTerms(query)
  const isVisible = (root: string | null): boolean =>
    caller.projectRoots === undefined ||
    caller.projectRoots.some((each) => root === each || root?.startsWith(`${each}/`) === true)
  const events = await engine.all<EventRow>(
    `SELECT event.pk, event.id, event.session_pk, event.turn_pk, event.type, event.at, event.text, session.cwd FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.copied = 0 AND event.type IN (0, 1)`,
    [caller.owner],
  )
  const passages = await engine.all<PassageRow>('SELECT * FROM context_passage WHERE owner = ?', [caller.owner])
  const hits: PassageHit[] = [
    ...events
      .filter((row) => isVisible(row.cwd) && (session === undefined || row.session_pk === session))
      .map((row): ConversationHit => ({ kind: 'conversation', ...hitOf(row, terms), ...eventOf(row) })),
    ...passages
      .filter(
        (row) =>
          session === undefined &&
          isVisible(row.root) &&
          (projectIds === undefined || row.kind === 'save' || projectIds.includes(row.project_id ?? '')),
      )
      .map((row): ItemHit => ({ ...hitOf(row, terms), ...itemOf(row) })),
  ]
  const counts = new Map<string, number>()
  const sorted = hits
    .filter((hit) => hit.matched > 0 && hit.at > since && (kinds === undefined || kinds.includes(hit.kind)))
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .filter((hit) => {
      const key = hit.kind === 'conversation' ? `s${hit.sessionPk}` : `${hit.kind}${hit.itemPk}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      return (counts.get(key) ?? 0) <= perConversation
    })
  return { hits: sorted.slice(0, limit), truncated: sorted.length > limit, mode: 'lexical', warnings: [] }
}

function hitOf(
  { text, at }: { text: string; at: number },
  terms: readonly string[],
): Omit<ConversationHit, keyof ReturnType<typeof eventOf> | 'kind'> {
  const matched = termsIn(text, terms).size
  return {
    passage: { start: 0, end: text.length, text },
    matched,
    terms: terms.length,
    method: 'keyword',
    score: Math.round((matched / Math.max(1, terms.length)) * 10_000) / 10_000,
    at,
    bytes: Buffer.byteLength(text),
    duplicates: 0,
  }
}

function eventOf({ pk, id, session_pk, turn_pk, type }: EventRow) {
  return { eventPk: pk, eventId: id, sessionPk: session_pk, turnPk: turn_pk, type: EVENT_TYPES[type] ?? 'unknown' }
}

function itemOf({ kind, pk, item_pk, heading, line, project_id }: PassageRow) {
  return { kind, passagePk: pk, itemPk: item_pk, heading, line, projectId: project_id }
}
