/** Words of an owner's archive that are used together, and the sample of prose they are learnt from. */

import { loadProgress, saveProgress } from './context-progress.ts'
import { oneOf } from './context-scope.ts'
import type { Engine, Queryable } from './engine.ts'
import { typeNumber, typesOf } from './search-index.ts'

export interface Association {
  /** A stem. */
  term: string
  /** A word as it is written. */
  related: string
  /** How near the two are, up to 1. */
  weight: number
}

export type RelatedWord = Pick<Association, 'related' | 'weight'>

/** Name in `context_progress`: how many prose documents the owner had at the last training. */
const TRAINED = 'associations.trained-on'

const CHUNK = 200

/** The words related to each of some stems, the nearest first. */
export async function relatedWords(
  db: Pick<Queryable, 'all'>,
  owner: number,
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, RelatedWord[]>> {
  const found = new Map<string, RelatedWord[]>()
  if (terms.length === 0) return found
  const { sql, params } = oneOf('term', terms)
  const rows = await db.all<Association>(
    `SELECT term, related, weight FROM association WHERE owner = ? AND ${sql} ORDER BY term, weight DESC, related`,
    [owner, ...params],
    signal,
  )
  for (const { term, related, weight } of rows) {
    const words = found.get(term)
    if (words) words.push({ related, weight })
    else found.set(term, [{ related, weight }])
  }
  return found
}

/** Prose documents of the owner at the last training; 0 before the first. */
export async function trainedOn(db: Queryable, owner: number): Promise<number> {
  return Number((await loadProgress(db, owner, TRAINED)) ?? 0)
}

/** Replaces all associations of an owner and remembers what they were learnt from. */
export async function replaceAssociations(
  engine: Engine,
  owner: number,
  associations: readonly Association[],
  documents: number,
): Promise<void> {
  await engine.transaction(async (tx) => {
    await tx.run('DELETE FROM association WHERE owner = ?', [owner])
    await tx.runMany(
      'INSERT INTO association (owner, term, related, weight) VALUES (?, ?, ?, ?)',
      associations.map(({ term, related, weight }) => [owner, term, related, weight]),
    )
    await saveProgress(tx, owner, TRAINED, `${documents}`)
  })
}

/**
 * Takes away what an owner's archive taught, since nobody knows which texts taught it; it is learnt anew from what is left
 * with the next training.
 */
export async function forgetAssociations(tx: Queryable, owner: number): Promise<void> {
  await tx.run('DELETE FROM association WHERE owner = ?', [owner])
  await tx.run('DELETE FROM context_progress WHERE owner = ? AND name = ?', [owner, TRAINED])
}

/** Prompts and answers spread evenly over the archive, at most `limit`, the first `characters` of each. */
export async function* sampleProse(
  db: Pick<Queryable, 'all' | 'get'>,
  owner: number,
  limit: number,
  characters: number,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const types = typesOf('prose').map(typeNumber).join(', ')
  const count = await db.get<{ count: number; last: number | null }>(
    'SELECT COUNT(*) AS count, MAX(pk) AS last FROM event WHERE owner = ?',
    [owner],
    signal,
  )
  const step = Math.max(1, Math.ceil((count?.count ?? 0) / limit))
  // Consecutive events, with gaps between the stretches: what is read lies together on disk.
  const stretch = CHUNK * step
  for (let first = 0; first <= (count?.last ?? -1); first += stretch) {
    const rows = await db.all<{ text: string }>(
      `SELECT substr(text, 1, ?) AS text FROM event
        WHERE owner = ? AND pk >= ? AND pk < ? AND copied = 0 AND type IN (${types}) ORDER BY pk`,
      [characters, owner, first, first + CHUNK],
      signal,
    )
    for (const { text } of rows) yield text
  }
}
