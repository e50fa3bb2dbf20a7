/**
 * Forks whose parent is not in the archive. What such a fork copied is nowhere else, so it becomes the fork's own: the
 * session is marked and its files are read again, and what is read of it then is written as if nobody had copied it.
 * Nothing is taken away beforehand: each event leaves its old place when it is given its new one.
 */

import type { CapturedEvent } from './batch.ts'
import { noteSessions } from './context-derivation.ts'
import { loadCounters } from './counters.ts'
import type { Engine, Queryable } from './engine.ts'
import type { EventRow } from './event-rows.ts'
import type { SessionRow } from './session-rows.ts'
import { leftTurnId, turnIdOf } from './turn-rows.ts'

export interface OrphanedFork {
  pk: number
  harness: string
  parentNativeId: string
}

/**
 * Forks with copied history that were not adopted yet, and of whose parent there is no event. The fork of a session the
 * owner asked to forget is none: its history would bring that session back.
 */
export function orphanedForks(db: Queryable, owner: number): Promise<OrphanedFork[]> {
  return db.all<OrphanedFork>(
    `SELECT pk, harness, parent_native_id AS "parentNativeId" FROM session
      WHERE owner = ? AND parent_relation = 'fork' AND adopted_after IS NULL
        AND EXISTS (SELECT 1 FROM event WHERE event.owner = session.owner AND event.session_pk = session.pk
          AND event.turn_pk = 0 AND event.copied = 1)
        AND NOT EXISTS (SELECT 1 FROM session AS parent
          JOIN event ON event.owner = parent.owner AND event.session_pk = parent.pk
          WHERE parent.owner = session.owner AND parent.harness = session.harness
            AND parent.native_id = session.parent_native_id)
        AND NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.owner = session.owner
          AND forgotten.harness = session.harness AND forgotten.native_id = session.parent_native_id)
      ORDER BY pk`,
    [owner],
  )
}

/**
 * Marks a fork as adopted and has its files read from their start again, in one transaction; those that are gone from
 * disk, if they come back. The paths of their checkpoints.
 */
export function adoptFork(engine: Engine, owner: number, { pk, harness }: OrphanedFork): Promise<string[]> {
  return engine.transaction(async (tx) => {
    // Whoever writes a batch waits for these rows first, too.
    const { turn } = await loadCounters(tx)
    const session = await tx.get<{ generation: number }>(
      'UPDATE session SET adopted_after = ? WHERE owner = ? AND pk = ? AND adopted_after IS NULL RETURNING generation',
      [turn, owner, pk],
    )
    if (!session) return []
    const paths = await tx.all<{ path: string }>(
      `UPDATE source_file SET read_to = 0, records = 0, head = '', turns = '[]' WHERE owner = ? AND harness = ?
        AND path IN (SELECT path FROM event WHERE owner = ? AND session_pk = ?) RETURNING path`,
      [owner, harness, owner, pk],
    )
    await deriveAnew(tx, owner, pk, session.generation)
    return paths.map(({ path }) => path)
  })
}

/** What is derived from conversations follows row numbers, and rewrites of what it has seen; this history is neither. */
async function deriveAnew(tx: Queryable, owner: number, pk: number, generation: number): Promise<void> {
  const last = await tx.get<{ pk: number }>('SELECT MAX(pk) AS pk FROM event WHERE owner = ? AND session_pk = ?', [
    owner,
    pk,
  ])
  await noteSessions(tx, owner, [{ pk, generation, lastEventPk: last?.pk ?? 0 }])
}

/** True for a turn that was there before its session was adopted, and for no turn at all. */
export function isBeforeAdoption(turnPk: number, { adopted_after }: SessionRow): boolean {
  return adopted_after !== null && turnPk <= adopted_after
}

/** States of all files of a harness of which something lies in a folder left out. */
export async function excludedStates(db: Queryable, owner: number, harness: string): Promise<string[]> {
  const rows = await db.all<{ state: string }>(
    "SELECT state FROM source_file WHERE owner = ? AND harness = ? AND status_reason = 'excluded'",
    [owner, harness],
  )
  return rows.map(({ state }) => state)
}

/**
 * Takes an event out of the turn it had before its session was adopted. The turn goes with its last event; until then it
 * stays, under another id when the event it was named after has left. True when it is gone.
 */
export async function leaveTurn(
  tx: Queryable,
  owner: number,
  { pk, turn_pk }: EventRow,
  event: CapturedEvent,
): Promise<boolean> {
  await tx.run(
    `UPDATE turn SET event_count = event_count - 1, user_event_pk = NULLIF(user_event_pk, ?),
      final_event_pk = NULLIF(final_event_pk, ?), ending = CASE WHEN terminal_event_pk = ? THEN NULL ELSE ending END,
      terminal_event_pk = NULLIF(terminal_event_pk, ?) WHERE owner = ? AND pk = ?`,
    [pk, pk, pk, pk, owner, turn_pk],
  )
  const deleted = await tx.run('DELETE FROM turn WHERE owner = ? AND pk = ? AND event_count <= 0', [owner, turn_pk])
  if (deleted > 0) return true
  const id = turnIdOf(event)
  await tx.run('UPDATE turn SET id = ? WHERE owner = ? AND pk = ? AND id = ?', [leftTurnId(id), owner, turn_pk, id])
  return false
}

/** True when a prompt of the session has its place since it was adopted. */
export async function hasPlacedPrompt(tx: Queryable, { owner, pk, adopted_after }: SessionRow): Promise<boolean> {
  const turn = await tx.get(
    'SELECT pk FROM turn WHERE owner = ? AND session_pk = ? AND pk > ? AND has_prompt = 1 LIMIT 1',
    [owner, pk, adopted_after],
  )
  return turn !== undefined
}

/** The turn of a session that began last, of those stored. */
export function latestTurn(
  tx: Queryable,
  owner: number,
  sessionPk: number,
): Promise<{ pk: number; started_at: number } | undefined> {
  return tx.get(
    'SELECT pk, started_at FROM turn WHERE owner = ? AND session_pk = ? ORDER BY started_at DESC, pk DESC LIMIT 1',
    [owner, sessionPk],
  )
}
