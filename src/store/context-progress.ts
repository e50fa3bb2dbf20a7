/** How far the context of an owner has been derived, by name. Written in the transaction of what was derived. */

import type { Queryable } from './engine.ts'

export async function loadProgress(db: Queryable, owner: number, name: string): Promise<string | undefined> {
  const row = await db.get<{ value: string }>('SELECT value FROM context_progress WHERE owner = ? AND name = ?', [
    owner,
    name,
  ])
  return row?.value
}

export async function saveProgress(tx: Queryable, owner: number, name: string, value: string): Promise<void> {
  await tx.run(
    `INSERT INTO context_progress (owner, name, value) VALUES (?, ?, ?)
      ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value`,
    [owner, name, value],
  )
}

/** Row numbers of the context's tables, handed out by the writer; the first of `count`. */
export async function takeNumbers(
  tx: Queryable,
  name: 'context_item' | 'context_passage' | 'statement' | 'evidence',
  count: number,
): Promise<number> {
  const row = await tx.get<{ value: number }>('UPDATE counter SET value = value + ? WHERE name = ? RETURNING value', [
    count,
    name,
  ])
  if (!row) throw new Error(`counter ${name} is missing`)
  return row.value - count + 1
}
