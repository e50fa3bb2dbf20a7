/** What ranking must know about the archive as a whole, and the identifiers whose pieces can be searched for. */

import type { Caller } from '../core/caller.ts'
import type { IndexDocument, Queryable, SearchLane } from './engine.ts'
import { eachIdentifier } from './search-terms.ts'
import { visibleSessions } from './visible.ts'

export interface LaneTotals {
  /** Documents of all owners. */
  documents: number
  /** Documents of the owner asked for. */
  own: number
  /** Mean length of a document, in characters; never 0. */
  meanLength: number
}

const NO_DOCUMENTS: LaneTotals = { documents: 0, own: 0, meanLength: 1 }

/** How much there is in each lane. */
export async function laneTotals(
  db: Pick<Queryable, 'all'>,
  owner: number,
  signal?: AbortSignal,
): Promise<(lane: SearchLane) => LaneTotals> {
  const rows = await db.all<{ lane: SearchLane; documents: number; own: number; characters: number }>(
    `SELECT lane, SUM(documents) AS documents, SUM(CASE WHEN owner = ? THEN documents ELSE 0 END) AS own,
      SUM(characters) AS characters FROM search_lane GROUP BY lane`,
    [owner],
    signal,
  )
  const byLane = new Map(
    rows.map(({ lane, documents, own, characters }) => [
      lane,
      { documents, own, meanLength: Math.max(1, characters / Math.max(1, documents)) },
    ]),
  )
  return (lane) => byLane.get(lane) ?? NO_DOCUMENTS
}

/** Adds to the totals what was indexed, or takes from them (`sign` -1) what is indexed no more. */
export async function countDocuments(tx: Queryable, documents: readonly IndexDocument[], sign: 1 | -1): Promise<void> {
  const sums = new Map<string, { owner: number; lane: SearchLane; documents: number; characters: number }>()
  for (const { owner, lane, text } of documents) {
    const key = `${owner} ${lane}`
    const sum = sums.get(key) ?? { owner, lane, documents: 0, characters: 0 }
    sum.documents += sign
    sum.characters += sign * text.length
    sums.set(key, sum)
  }
  await tx.runMany(
    `INSERT INTO search_lane (owner, lane, documents, characters) VALUES (?, ?, ?, ?)
      ON CONFLICT (owner, lane) DO UPDATE SET documents = search_lane.documents + excluded.documents,
        characters = search_lane.characters + excluded.characters`,
    [...sums.values()].map((sum) => [sum.owner, sum.lane, sum.documents, sum.characters]),
  )
}

/**
 * Remembers the identifiers of documents. Those of tool traffic are left out: there are too many, and a piece of one is
 * seldom what is looked for. An identifier stays when its documents go; it then finds nothing.
 */
export async function noteIdentifiers(tx: Queryable, documents: readonly IndexDocument[]): Promise<void> {
  const byOwner = new Map<number, Set<string>>()
  for (const { owner, lane, text } of documents) {
    if (lane === 'bulk') continue
    const names = byOwner.get(owner) ?? new Set()
    byOwner.set(owner, names)
    eachIdentifier(text, (name) => names.add(name))
  }
  for (const [owner, names] of byOwner) {
    await tx.runMany(
      'INSERT INTO identifier (owner, name) VALUES (?, ?) ON CONFLICT (owner, name) DO NOTHING',
      [...names].map((name) => [owner, name]),
    )
  }
}

/** Identifiers that contain `piece` (lower case), the shortest first. */
export async function identifiersContaining(
  db: Pick<Queryable, 'all'>,
  owner: number,
  piece: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const pattern = `%${piece.replace(/[\\%_]/g, '\\$&')}%`
  const rows = await db.all<{ name: string }>(
    "SELECT name FROM identifier WHERE owner = ? AND name LIKE ? ESCAPE '\\' ORDER BY length(name), name LIMIT ?",
    [owner, pattern, limit],
    signal,
  )
  return rows.map(({ name }) => name)
}

/** Numbers of the sessions a caller with project roots may see; undefined when there are more than `limit`. */
export async function visibleSessionPks(
  db: Pick<Queryable, 'all'>,
  caller: Caller,
  limit: number,
): Promise<number[] | undefined> {
  const { sql, params } = visibleSessions(caller)
  const rows = await db.all<{ pk: number }>(
    `SELECT pk FROM session WHERE ${sql} LIMIT ?`,
    [...params, limit + 1],
    caller.signal,
  )
  return rows.length > limit ? undefined : rows.map(({ pk }) => pk)
}

/** Documents at the last estimate of common terms, kept in `setting`. */
const SAMPLED = 'search.sampled-documents'

/** Below this many documents nothing is common: ranking all of them is cheap. */
const FEWEST_TO_SAMPLE = 2_000

/** Growth that makes the last estimate too old. */
const GROWTH = 2

/** Whether common terms should be estimated anew; tells how many events are indexed. The context's lane has no estimate. */
export async function dueForSampling(tx: Queryable): Promise<number | undefined> {
  const row = await tx.get<{ documents: number; sampled: string | null }>(
    `SELECT COALESCE(SUM(documents), 0) AS documents, (SELECT value FROM setting WHERE name = ?) AS sampled
      FROM search_lane WHERE lane <> 'context'`,
    [SAMPLED],
  )
  const documents = row?.documents ?? 0
  const sampled = Number(row?.sampled ?? 0)
  return documents >= FEWEST_TO_SAMPLE && documents >= sampled * GROWTH ? documents : undefined
}

/** Replaces the table of common terms. */
export async function saveCommonTerms(
  tx: Queryable,
  documents: number,
  terms: readonly { lane: SearchLane; term: string; share: number }[],
): Promise<void> {
  await tx.run('DELETE FROM common_term')
  await tx.runMany(
    'INSERT INTO common_term (lane, term, share) VALUES (?, ?, ?)',
    terms.map(({ lane, term, share }) => [lane, term, share]),
  )
  await tx.runMany(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [[SAMPLED, `${documents}`]],
  )
}

/** Terms looked up in one statement; shorter lists are filled up, so that there is one statement. */
const LOOKUP = 64

/** The common ones among `terms`, each with the share of the lane's documents that hold it. */
export async function commonTerms(
  db: Pick<Queryable, 'all'>,
  lane: SearchLane,
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let start = 0; start < terms.length; start += LOOKUP) {
    const part = terms.slice(start, start + LOOKUP)
    while (part.length < LOOKUP) part.push(part[0] ?? '')
    const rows = await db.all<{ term: string; share: number }>(
      `SELECT term, share FROM common_term WHERE lane = ? AND term IN (${'?, '.repeat(LOOKUP - 1)}?)`,
      [lane, ...part],
      signal,
    )
    for (const { term, share } of rows) found.set(term, share)
  }
  return found
}
