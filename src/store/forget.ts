/**
 * Forgetting: what the owner wants gone is taken out of every table and the text index, and stays out, since a tombstone
 * keeps capture from reading it again. Other sessions' rows, ids and checkpoints stay as they are.
 */

import type { Clock } from '../core/clock.ts'
import { forgetAssociations } from './associations.ts'
import { forgetContextOfSession, forgetItemsOf } from './context-forget.ts'
import type { Engine, IndexDocument, Queryable } from './engine.ts'
import { type EventRow, indexDocument } from './event-rows.ts'
import { loadSession, type SessionRow } from './session-rows.ts'
import { removeVectors } from './vectors.ts'
import { allOf, type Fragment, isOrBelow } from './visible.ts'

/** What to forget. A session takes its subagents with it; a directory what is below it. */
export type ForgetTarget = { session: Buffer } | { projectId: string } | { directory: string } | { source: string }

export interface ForgetCounts {
  sessions: number
  turns: number
  events: number
  touches: number
  problems: number
}

interface SessionKey {
  pk: number
  harness: string
  native_id: string
}

/** Events taken out in one transaction, so that capture and readers never wait long. */
const BATCH = 200

/**
 * Forgets. The tombstone comes first and the session's own row last, so that an interrupted run is finished by the next.
 * Zero counts when nothing matches.
 */
export async function forget(engine: Engine, owner: number, target: ForgetTarget, clock: Clock): Promise<ForgetCounts> {
  const counts: ForgetCounts = { sessions: 0, turns: 0, events: 0, touches: 0, problems: 0 }
  for (const key of await sessionsOf(engine, owner, target)) await forgetSession(engine, owner, key, clock, counts)
  if ('projectId' in target || 'directory' in target) await forgetItemsOf(engine, owner, target)
  if ('projectId' in target) {
    await engine.run('DELETE FROM project_root WHERE owner = ? AND project_id = ?', [owner, target.projectId])
  }
  return counts
}

/** The sessions meant and, below them, the subagents they started. */
async function sessionsOf(db: Queryable, owner: number, target: ForgetTarget): Promise<SessionKey[]> {
  const found = new Map<number, SessionKey>()
  let wave = await select(db, owner, conditionOf(target))
  while (wave.length > 0) {
    const fresh = wave.filter(({ pk }) => !found.has(pk))
    for (const key of fresh) found.set(key.pk, key)
    const below = fresh.map(({ harness, native_id }) =>
      select(db, owner, {
        sql: "harness = ? AND parent_native_id = ? AND parent_relation = 'subagent'",
        params: [harness, native_id],
      }),
    )
    wave = (await Promise.all(below)).flat()
  }
  return [...found.values()]
}

function conditionOf(target: ForgetTarget): Fragment {
  if ('session' in target) return { sql: 'id = ?', params: [target.session] }
  if ('projectId' in target) return { sql: 'project_id = ?', params: [target.projectId] }
  if ('directory' in target) return isOrBelow('cwd', target.directory)
  return { sql: 'source = ?', params: [target.source] }
}

async function select(db: Queryable, owner: number, condition: Fragment): Promise<SessionKey[]> {
  const { sql, params } = allOf({ sql: 'owner = ?', params: [owner] }, condition)
  return db.all<SessionKey>(`SELECT pk, harness, native_id FROM session WHERE ${sql} ORDER BY pk`, params)
}

async function forgetSession(
  engine: Engine,
  owner: number,
  { harness, native_id }: SessionKey,
  clock: Clock,
  counts: ForgetCounts,
): Promise<void> {
  await engine.run(
    `INSERT INTO forgotten (owner, harness, native_id, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (owner, harness, native_id) DO UPDATE SET at = excluded.at`,
    [owner, harness, native_id, clock()],
  )
  const session = await loadSession(engine, owner, harness, native_id)
  if (!session) return
  let more = await engine.transaction(async (tx) => {
    await forgetAssociations(tx, owner)
    await forgetContextOfSession(engine, tx, owner, session)
    return forgetEvents(engine, tx, session, counts)
  })
  while (more) more = await engine.transaction((tx) => forgetEvents(engine, tx, session, counts))
}

/**
 * Takes out one batch of events; in the transaction that finds none left, the session itself and what hangs on it, so that
 * nothing capture adds meanwhile is left behind. True when there may be more.
 */
async function forgetEvents(
  engine: Engine,
  tx: Queryable,
  session: SessionRow,
  counts: ForgetCounts,
): Promise<boolean> {
  const { owner, pk, source } = session
  const events = await tx.all<EventRow & { path: string }>(
    `SELECT pk, id, session_pk, turn_pk, type, digest, text, copied, path FROM event
      WHERE owner = ? AND session_pk = ? ORDER BY turn_pk, ordinal, pk LIMIT ?`,
    [owner, pk, BATCH],
  )
  if (events.length === 0) {
    // Once more: what was derived while events were still there.
    await forgetAssociations(tx, owner)
    await forgetContextOfSession(engine, tx, owner, session)
    counts.touches += await tx.run('DELETE FROM touch WHERE owner = ? AND session_pk = ?', [owner, pk])
    await tx.run('DELETE FROM usage WHERE owner = ? AND session_pk = ?', [owner, pk])
    counts.turns += await tx.run('DELETE FROM turn WHERE owner = ? AND session_pk = ?', [owner, pk])
    counts.sessions += await tx.run('DELETE FROM session WHERE owner = ? AND pk = ?', [owner, pk])
    return false
  }
  const documents = events.flatMap((event): IndexDocument[] => {
    const document = event.copied === 0 ? indexDocument(owner, event.pk, event, session) : undefined
    return document ? [document] : []
  })
  await engine.textIndex.remove(tx, documents)
  await tx.runMany(
    'DELETE FROM event WHERE owner = ? AND pk = ?',
    events.map((event) => [owner, event.pk]),
  )
  await removeVectors(
    tx,
    owner,
    'event',
    events.map(({ pk }) => pk),
  )
  counts.events += events.length
  // Problems quote what could not be read of the files the session came from.
  for (const path of new Set(events.map((event) => event.path))) {
    counts.problems += await tx.run('DELETE FROM problem WHERE owner = ? AND source = ? AND path = ?', [
      owner,
      source,
      path,
    ])
  }
  return true
}
