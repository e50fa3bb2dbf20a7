/** Searching the archive for events: a query is read, events are found and ranked, and the best are cut to snippets. */

import type { Caller } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'
import { composed, type Engine, laneTotals, type SearchScope, searchedText } from '../store/index.ts'
import { type ArchiveSearch, findEvents } from './find-events.ts'
import { searchable } from './match.ts'
import { relatedTo } from './meaning/expand.ts'
import { parseQuery } from './query.ts'
import { findPlaces, type RankedHit } from './rank.ts'
import { makeSnippet } from './snippet.ts'
import { WEIGHTS, type Weights } from './weights.ts'

export interface SearchRequest {
  query: string
  types: readonly EventType[]
  harness?: string
  source?: string
  /** Numbers of a session or turn to stay in. */
  session?: number
  turn?: number
  /** Hits wanted, 1 or more. */
  limit: number
}

export interface SearchHit {
  eventPk: number
  /** 0 to 1, whatever else was found. */
  score: number
  /** One line around what was found. */
  snippet: string
  snippetTruncated: boolean
}

export interface SearchResult {
  /** Best first; of equals the later, then the smaller id. */
  hits: SearchHit[]
  /** There are more hits than `limit`. */
  truncated: boolean
  /** For people. */
  warnings: string[]
}

/**
 * Finds events. Never throws for what a query says.
 * @throws what `signal` was aborted with, and what the database throws.
 */
export async function searchEvents(
  engine: Engine,
  caller: Caller,
  request: SearchRequest,
  signal?: AbortSignal,
  weights: Weights = WEIGHTS,
): Promise<SearchResult> {
  signal?.throwIfAborted()
  const query = parseQuery(request.query)
  const warnings = [...query.warnings]
  if (query.required.length + query.optional.length === 0) return { hits: [], truncated: false, warnings }
  const scope = scopeOf(caller, request)
  const totals = await laneTotals(engine, caller.owner, signal)
  const related = await relatedTo(engine, caller, query, weights, signal)
  const search: ArchiveSearch = { engine, query, scope, totals, wanted: request.limit + 1, weights, related, signal }
  const ranked = await findEvents(search)
  const best = ranked.hits.slice(0, request.limit)
  const hits: SearchHit[] = []
  for (const hit of best) hits.push(await toHit(search, hit))
  return { hits, truncated: ranked.hits.length > request.limit || !ranked.complete, warnings }
}

function scopeOf(caller: Caller, { types, harness, source, session, turn }: SearchRequest): SearchScope {
  return {
    caller,
    types,
    ...(harness === undefined ? {} : { harnesses: [harness] }),
    ...(source === undefined ? {} : { sources: [source] }),
    ...(session === undefined ? {} : { session }),
    ...(turn === undefined ? {} : { turn }),
  }
}

async function toHit({ engine, scope, signal }: ArchiveSearch, hit: RankedHit): Promise<SearchHit> {
  const { candidate, score, units } = hit
  let { text } = candidate
  let { places } = hit
  if (places.length === 0) {
    text = await searchedText(engine, scope.caller.owner, candidate.pk, signal)
    places = findPlaces(units, searchable(text))
  }
  const snippet = makeSnippet(composed(text), places)
  return {
    eventPk: candidate.pk,
    score,
    snippet: snippet.text,
    snippetTruncated: snippet.truncated,
  }
}
