/** The numbers of rows, which are handed out by whoever writes. */

import type { Queryable } from './engine.ts'

/** Numbers handed out last. */
export interface Counters {
  session: number
  turn: number
  event: number
}

/** Updating the counters first makes concurrent writers of one database wait. */
export async function loadCounters(tx: Queryable): Promise<Counters> {
  const counters: Counters = { session: 0, turn: 0, event: 0 }
  const rows = await tx.all<{ name: keyof Counters; value: number }>(
    'UPDATE counter SET value = value WHERE name IN (?, ?, ?) RETURNING name, value',
    ['session', 'turn', 'event'],
  )
  for (const { name, value } of rows) counters[name] = value
  return counters
}

export async function saveCounters(tx: Queryable, { session, turn, event }: Counters): Promise<void> {
  await tx.runMany('UPDATE counter SET value = ? WHERE name = ?', [
    [session, 'session'],
    [turn, 'turn'],
    [event, 'event'],
  ])
}
