/** Ranked search for rows: passages found, grouped by what they are from. */

import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { formatId } from '../../core/id.ts'
import type { Lanes, PassageHit, PassageKind, PassageRequest, PassageResult } from '../../retrieval/passages.ts'
import { type Engine, findSessionByPk, loadItems } from '../../store/index.ts'
import type { SearchPassages } from '../pack/build.ts'
import { quoteOf } from '../pack/quote.ts'
import { openSources, type Sources, stretchOf } from '../pack/sources.ts'
import { taskTerms, termsIn } from '../pack/terms.ts'
import { type Detail, describeRow, type Row, type RowSource, SNIPPET_LENGTH, toRow } from './row.ts'

export interface SearchParts {
  engine: Engine
  clock: Clock
  search: SearchPassages
  lanes?: Lanes
  /** What earlier citations add to scores, by stable key; see `ContextServices.outcomeBoosts`. */
  boosts?(caller: Caller, stableKeys: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export interface RowSearch {
  query: string
  kinds: readonly PassageKind[]
  topK: number
  since?: number
  /** Narrows documents and digests. */
  projectIds?: readonly string[]
  /** Conversations of these alone; `accepts` says which items go with them. */
  harnesses?: readonly string[]
  detail: Detail
  /** Rows that may be shown; all by default. */
  accepts?: (source: RowSource) => boolean | Promise<boolean>
}

export interface FoundRow extends Row {
  score: number
  retrieval_method: PassageHit['method']
  matched_sections?: MatchedSection[]
  chunk_count?: number
  duplicate_count?: number
}

export interface MatchedSection {
  text: string
  /** In characters of the whole text. */
  offset: number
  event_id?: string
  score: number
  matched: string
}

export interface FoundRows {
  rows: FoundRow[]
  mode: PassageResult['mode']
  degraded?: NonNullable<PassageResult['degraded']>
}

/** Passages asked for per row wanted, and of one row at most. */
const PER_ROW = 4
const OF_ONE = 6

/** How often more is asked for when too few rows were left, and by how much. */
const ROUNDS = 4
const MORE = 4

/** Sections shown besides the snippet, and their length. */
const MAX_SECTIONS = 4
const SECTION_LENGTH = 240

/** Bytes of content over all rows; rows after that show their middle. */
const CONTENT_BYTES = 4_000_000

/** Finds rows, the best first. @throws what `caller.signal` was aborted with, and what the database throws */
export async function searchRows(parts: SearchParts, caller: Caller, request: RowSearch): Promise<FoundRows> {
  const { engine, clock, search, lanes } = parts
  const { query, kinds, topK, since, projectIds, harnesses } = request
  const now = clock()
  const ask = (limit: number, only: Pick<PassageRequest, 'kinds' | 'harnesses'>): Promise<PassageResult> => {
    const asked: PassageRequest = {
      query,
      limit,
      perConversation: OF_ONE,
      now,
      ...(since === undefined ? {} : { since }),
      ...(projectIds === undefined ? {} : { projectIds }),
      ...only,
    }
    return search(engine, caller, asked, caller.signal, lanes)
  }
  const askAll = async (limit: number): Promise<PassageResult> => {
    const items = kinds.filter((kind) => kind !== 'conversation')
    if (harnesses === undefined) return ask(limit, { kinds })
    const said = await ask(limit, { kinds: ['conversation'], harnesses })
    return items.length === 0 ? said : merged(said, await ask(limit, { kinds: items }))
  }
  const sources = openSources(engine, caller)
  let limit = topK * PER_ROW
  for (let round = 1; ; round++) {
    const result = await askAll(limit)
    const groups = await acceptedGroups(parts, caller, request, result.hits)
    if (groups.length < topK && result.truncated && round < ROUNDS) {
      limit *= MORE
      continue
    }
    const rows = await boosted(parts, caller, await rowsOf(parts, caller, sources, request, groups.slice(0, topK), now))
    return { rows, mode: result.mode, ...(result.degraded === undefined ? {} : { degraded: result.degraded }) }
  }
}

/** Rows with what citations add; those of equal score keep their order. */
async function boosted({ boosts }: SearchParts, caller: Caller, rows: FoundRow[]): Promise<FoundRow[]> {
  const keyOf = ({ expand }: FoundRow): string => expand.params.stable_evidence_key ?? ''
  const added = await boosts?.(caller, rows.map(keyOf))
  if (added === undefined || added.size === 0) return rows
  return rows
    .map((row) => ({
      ...row,
      score: Math.round(Math.min(1, row.score + (added.get(keyOf(row)) ?? 0)) * 10_000) / 10_000,
    }))
    .sort((a, b) => b.score - a.score)
}

/** Two answers as one, the best first. */
function merged(first: PassageResult, second: PassageResult): PassageResult {
  return {
    ...first,
    hits: [...first.hits, ...second.hits].sort((a, b) => b.score - a.score || b.at - a.at),
    truncated: first.truncated || second.truncated,
  }
}

interface Group {
  source: RowSource
  /** Best first. */
  hits: PassageHit[]
}

/** Hits by what they are from, in the order of their best, of the rows that may be shown. */
async function acceptedGroups(
  { engine }: SearchParts,
  caller: Caller,
  { accepts }: RowSearch,
  hits: readonly PassageHit[],
): Promise<Group[]> {
  const grouped = new Map<string, PassageHit[]>()
  for (const hit of hits) {
    const key = hit.kind === 'conversation' ? `session ${hit.sessionPk}` : `${hit.kind} ${hit.itemPk}`
    const known = grouped.get(key)
    if (known) known.push(hit)
    else grouped.set(key, [hit])
  }
  const groups: Group[] = []
  for (const group of grouped.values()) {
    const source = await sourceOf(engine, caller, group)
    if (source && ((await accepts?.(source)) ?? true)) groups.push({ source, hits: group })
  }
  return groups
}

async function sourceOf(engine: Engine, caller: Caller, [hit]: readonly PassageHit[]): Promise<RowSource | undefined> {
  if (hit === undefined) return undefined
  if (hit.kind === 'conversation') {
    const session = await findSessionByPk(engine, caller, hit.sessionPk)
    return session && { kind: 'conversation', session }
  }
  const item = (await loadItems(engine, caller, [hit.itemPk])).get(hit.itemPk)
  return item && { kind: 'item', item }
}

async function rowsOf(
  { engine }: SearchParts,
  caller: Caller,
  sources: Sources,
  { query, detail }: RowSearch,
  groups: readonly Group[],
  now: number,
): Promise<FoundRow[]> {
  const terms = taskTerms(query)
  const rows: FoundRow[] = []
  let left = CONTENT_BYTES
  for (const { source, hits } of groups) {
    caller.signal?.throwIfAborted()
    const [best, ...others] = hits
    if (!best) continue
    const described = await describeRow(engine, caller, source, now)
    const quote = quoteOf(best.passage.text, terms, SNIPPET_LENGTH)
    const place = await stretchOf(sources, best, quote.start, quote.text)
    const shown = detail === 'full' && described.text.bytes > left ? 'middle' : detail
    const row = await toRow(described, { snippet: quote.text, detail: shown, place: place?.offset })
    left -= detail === 'summary' ? 0 : Buffer.byteLength(row.content ?? '')
    const sections = await sectionsOf(sources, others, terms)
    const duplicates = hits.reduce((sum, hit) => sum + hit.duplicates, 0)
    rows.push({
      ...row,
      score: best.score,
      retrieval_method: methodOf(hits),
      ...(sections.length > 0 ? { matched_sections: sections } : {}),
      ...(hits.length > 1 ? { chunk_count: hits.length } : {}),
      ...(duplicates > 0 ? { duplicate_count: duplicates } : {}),
    })
  }
  return rows
}

/** A row that one lane found by one passage and another by another was found by both. */
function methodOf(hits: readonly PassageHit[]): PassageHit['method'] {
  const methods = new Set(hits.map(({ method }) => method))
  const [only] = methods
  return methods.size === 1 && only !== undefined ? only : 'hybrid'
}

async function sectionsOf(
  sources: Sources,
  hits: readonly PassageHit[],
  terms: readonly string[],
): Promise<MatchedSection[]> {
  const sections: MatchedSection[] = []
  for (const hit of hits.slice(0, MAX_SECTIONS)) {
    const { start, text } = quoteOf(hit.passage.text, terms, SECTION_LENGTH)
    const stretch = text === '' ? undefined : await stretchOf(sources, hit, start, text)
    if (!stretch) continue
    sections.push({
      text,
      offset: stretch.offset,
      ...(hit.kind === 'conversation' ? { event_id: formatId('event', hit.eventId) } : {}),
      score: hit.score,
      matched: `${termsIn(text, terms).size}/${terms.length}`,
    })
  }
  return sections
}
