/** Vectors of what is stored: of the stretches of prompts, answers and passages, one model's at a time. */

import { loadProgress, saveProgress } from './context-progress.ts'
import type { Engine, Queryable } from './engine.ts'
import { INDEXED_CHARACTERS, typeNumber, typesOf } from './search-index.ts'

/** What a vector is of: an event (`event.pk`), or a passage of the context (`context_passage.pk`). */
export type VectorKind = 'event' | 'passage'

/** What vectors can be compared: those of one model and length. */
export interface VectorSpace {
  model: string
  dimensions: number
}

/** One text whose vectors are due. */
export interface TextToEmbed {
  kind: VectorKind
  pk: number
  text: string
  /** Of an event: what it was when it was read. */
  digest: Buffer | null
}

export interface NewVector {
  /** Where its stretch begins in the text, in UTF-16 units. */
  start: number
  scale: number
  bytes: Uint8Array
}

export interface StoredVector extends NewVector {
  seq: number
  kind: VectorKind
  pk: number
}

const PROSE = `event.copied = 0 AND event.text <> '' AND event.type IN (${typesOf('prose').map(typeNumber).join(', ')})`
const EVENT_TEXT = `'event' AS kind, event.pk, substr(event.text, 1, ${INDEXED_CHARACTERS}) AS text, event.digest`
const PASSAGE_TEXT = "'passage' AS kind, pk, text, NULL AS digest"

const COUNTER: Readonly<Record<VectorKind, string>> = { event: 'event', passage: 'context_passage' }

/**
 * The highest number given to a text of a kind. Numbers are handed out in the transaction that writes what they name, so
 * none below it is still to come.
 */
export async function lastNumber(db: Queryable, kind: VectorKind): Promise<number> {
  const row = await db.get<{ value: number }>('SELECT value FROM counter WHERE name = ?', [COUNTER[kind]])
  return row?.value ?? 0
}

/** Texts of an owner numbered in (`after`, `upTo`], from the low end or the high one. */
export function textsToEmbed(
  db: Queryable,
  owner: number,
  kind: VectorKind,
  range: { after: number; upTo: number; newestFirst: boolean },
  limit: number,
): Promise<TextToEmbed[]> {
  const { after, upTo, newestFirst } = range
  const order = newestFirst ? 'DESC' : 'ASC'
  return db.all<TextToEmbed>(
    kind === 'event'
      ? `SELECT ${EVENT_TEXT} FROM event WHERE owner = ? AND pk > ? AND pk <= ? AND ${PROSE} ORDER BY pk ${order} LIMIT ?`
      : `SELECT ${PASSAGE_TEXT} FROM context_passage WHERE owner = ? AND pk > ? AND pk <= ? ORDER BY pk ${order} LIMIT ?`,
    [owner, after, upTo, limit],
  )
}

/** Sessions whose events were rewritten since their vectors were made, and that are quiet by now. */
export function rewrittenSinceEmbedded(
  db: Queryable,
  owner: number,
  quietSince: number,
  limit: number,
): Promise<{ pk: number; generation: number }[]> {
  return db.all(
    `SELECT session.pk, session.generation FROM session
      LEFT JOIN vector_session ON vector_session.owner = session.owner AND vector_session.session_pk = session.pk
      WHERE session.owner = ? AND session.generation > 0 AND session.updated_at <= ?
        AND (vector_session.generation IS NULL OR vector_session.generation <> session.generation)
      ORDER BY session.pk LIMIT ?`,
    [owner, quietSince, limit],
  )
}

/** Events of a session, numbered in (`after`, `upTo`], whose vectors are of another text than they have now. */
export function rewrittenTexts(
  db: Queryable,
  owner: number,
  session: number,
  range: { after: number; upTo: number },
  limit: number,
): Promise<TextToEmbed[]> {
  return db.all<TextToEmbed>(
    `SELECT ${EVENT_TEXT} FROM event WHERE owner = ? AND session_pk = ? AND pk > ? AND pk <= ? AND ${PROSE}
      AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.owner = event.owner AND vector.kind = 'event'
        AND vector.pk = event.pk AND vector.digest = event.digest) ORDER BY pk LIMIT ?`,
    [owner, session, range.after, range.upTo, limit],
  )
}

export async function noteReembedded(
  tx: Queryable,
  owner: number,
  { pk, generation }: { pk: number; generation: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO vector_session (owner, session_pk, generation) VALUES (?, ?, ?)
      ON CONFLICT (owner, session_pk) DO UPDATE SET generation = excluded.generation`,
    [owner, pk, generation],
  )
}

/**
 * Writes the vectors of texts in the place of those they had, of whatever model. A text that is gone or another by now,
 * since it was read before it was embedded, gets none. How many vectors were written.
 */
export async function writeVectors(
  engine: Engine,
  tx: Queryable,
  owner: number,
  { model, dimensions }: VectorSpace,
  texts: readonly { of: TextToEmbed; vectors: readonly NewVector[] }[],
): Promise<number> {
  let written = 0
  for (const { of, vectors } of texts) {
    if (!(await isUnchanged(engine, tx, owner, of))) continue
    await tx.run('DELETE FROM vector WHERE owner = ? AND kind = ? AND pk = ?', [owner, of.kind, of.pk])
    const first = await takeSeqs(tx, vectors.length)
    await tx.runMany(
      `INSERT INTO vector (owner, seq, kind, pk, part, start, digest, model, dimensions, scale, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      vectors.map(({ start, scale, bytes }, part) => [
        owner,
        first + part,
        of.kind,
        of.pk,
        part,
        start,
        of.digest,
        model,
        dimensions,
        scale,
        bytes,
      ]),
    )
    written += vectors.length
  }
  return written
}

/** Who takes the text out meanwhile waits for this transaction, and takes out its vectors after the text. */
async function isUnchanged(engine: Engine, tx: Queryable, owner: number, { kind, pk, digest }: TextToEmbed) {
  const table = kind === 'event' ? 'event' : 'context_passage'
  const row = await tx.get<{ digest: Buffer | null }>(
    `SELECT ${kind === 'event' ? 'digest' : 'NULL AS digest'} FROM ${table} WHERE owner = ? AND pk = ?${engine.forUpdate(table)}`,
    [owner, pk],
  )
  return row !== undefined && (digest === null || row.digest?.equals(digest) === true)
}

async function takeSeqs(tx: Queryable, count: number): Promise<number> {
  const row = await tx.get<{ value: number }>(
    "UPDATE counter SET value = value + ? WHERE name = 'vector' RETURNING value",
    [count],
  )
  if (!row) throw new Error('counter vector is missing')
  return row.value - count + 1
}

/** Takes out the vectors of texts that have just been taken out themselves. */
export async function removeVectors(
  tx: Queryable,
  owner: number,
  kind: VectorKind,
  pks: readonly number[],
): Promise<void> {
  if (pks.length === 0) return
  await tx.run(`DELETE FROM vector WHERE owner = ? AND kind = ? AND pk IN (${pks.map(() => '?').join(', ')})`, [
    owner,
    kind,
    ...pks,
  ])
}

/** Vectors of a space numbered after `after`, in order. */
export function vectorsAfter(
  db: Pick<Queryable, 'all'>,
  owner: number,
  { model, dimensions }: VectorSpace,
  after: number,
  limit: number,
): Promise<StoredVector[]> {
  return db.all<StoredVector>(
    `SELECT seq, kind, pk, start, scale, bytes FROM vector
      WHERE owner = ? AND seq > ? AND model = ? AND dimensions = ? ORDER BY seq LIMIT ?`,
    [owner, after, model, dimensions, limit],
  )
}

/** Where the newest `count` vectors of an owner begin: `vectorsAfter` this number reads no more than them. */
export async function seqBefore(db: Pick<Queryable, 'get'>, owner: number, count: number): Promise<number> {
  const row = await db.get<{ seq: number }>(
    'SELECT seq FROM vector WHERE owner = ? ORDER BY seq DESC LIMIT 1 OFFSET ?',
    [owner, count],
  )
  return row?.seq ?? 0
}

/** Which of some vectors are still there. */
export async function livingVectors(
  db: Pick<Queryable, 'all'>,
  owner: number,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set()
  const rows = await db.all<{ seq: number }>(
    `SELECT seq FROM vector WHERE owner = ? AND seq IN (${seqs.map(() => '?').join(', ')})`,
    [owner, ...seqs],
  )
  return new Set(rows.map(({ seq }) => seq))
}

/** How many vectors of a model there are. */
export async function countVectors(db: Queryable, owner: number, model: string): Promise<number> {
  const row = await db.get<{ count: number }>('SELECT COUNT(*) AS count FROM vector WHERE owner = ? AND model = ?', [
    owner,
    model,
  ])
  return row?.count ?? 0
}

/** How far an owner's texts are embedded: all numbered in (`from`, `to`] are. */
export interface VectorProgress extends VectorSpace {
  /** What the vectors of texts that have nothing to do with each other have in common: their cosine. */
  floor: number
  event: { from: number; to: number }
  passage: { from: number; to: number }
}

const PROGRESS = 'vectors'

export async function vectorProgress(db: Queryable, owner: number): Promise<VectorProgress | undefined> {
  const stored = await loadProgress(db, owner, PROGRESS)
  return stored === undefined ? undefined : (JSON.parse(stored) as VectorProgress)
}

export function saveVectorProgress(tx: Queryable, owner: number, progress: VectorProgress): Promise<void> {
  return saveProgress(tx, owner, PROGRESS, JSON.stringify(progress))
}
