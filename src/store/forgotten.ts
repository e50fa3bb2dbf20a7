/** Sessions the owner asked Varve to forget, so that capture does not bring them back. */

import type { Queryable } from './engine.ts'

export async function isForgotten(db: Queryable, owner: number, harness: string, nativeId: string): Promise<boolean> {
  const row = await db.get('SELECT native_id FROM forgotten WHERE owner = ? AND harness = ? AND native_id = ?', [
    owner,
    harness,
    nativeId,
  ])
  return row !== undefined
}
