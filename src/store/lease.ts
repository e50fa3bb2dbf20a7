/** A lease in the database: one process does a thing at a time, and a dead holder's lease is taken over. */

import type { Engine } from './engine.ts'

/** Takes or renews a lease until `until`; false while another living holder has it. Times in milliseconds. */
export async function takeLease(
  engine: Engine,
  name: string,
  holder: string,
  now: number,
  until: number,
): Promise<boolean> {
  const changed = await engine.run(
    `INSERT INTO lease (name, holder, expires_at) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE lease.holder = excluded.holder OR lease.expires_at < ?`,
    [name, holder, until, now],
  )
  return changed > 0
}

/** Gives a lease back, if it is still ours. */
export async function releaseLease(engine: Engine, name: string, holder: string): Promise<void> {
  await engine.run('DELETE FROM lease WHERE name = ? AND holder = ?', [name, holder])
}

/** Who holds a lease now. */
export async function leaseHolder(engine: Engine, name: string, now: number): Promise<string | undefined> {
  const row = await engine.get<{ holder: string }>('SELECT holder FROM lease WHERE name = ? AND expires_at >= ?', [
    name,
    now,
  ])
  return row?.holder
}
