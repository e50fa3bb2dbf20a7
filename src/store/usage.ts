/** Token usage, one row per model response however often a client repeats it. */

import type { CapturedEvent } from './batch.ts'
import type { Queryable } from './engine.ts'

/**
 * Saves what a batch says about usage. The response's own id is the key over all sessions and files, so that a fork
 * or resume does not count again; of several readings of one response the largest holds, since a running count grows.
 */
export async function writeUsage(
  tx: Queryable,
  owner: number,
  harness: string,
  events: readonly CapturedEvent[],
  sessionPk: (nativeId: string) => number | undefined,
): Promise<void> {
  const byId = new Map<string, CapturedEvent>()
  for (const event of events) {
    if (!event.usage || event.copied) continue
    const earlier = byId.get(event.usage.id)
    if (!earlier?.usage || total(event.usage) >= total(earlier.usage)) byId.set(event.usage.id, event)
  }
  const rows = [...byId.values()].flatMap((event) => {
    const pk = sessionPk(event.session)
    if (pk === undefined || !event.usage) return []
    const { id, input, output, cacheRead, cacheWrite, reasoning } = event.usage
    return [[owner, harness, id, pk, event.at, event.model, input, output, cacheRead, cacheWrite, reasoning]]
  })
  await tx.runMany(
    `INSERT INTO usage (owner, harness, id, session_pk, at, model, input, output, cache_read, cache_write, reasoning)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, harness, id) DO UPDATE SET model = COALESCE(excluded.model, usage.model),
        input = excluded.input, output = excluded.output, cache_read = excluded.cache_read,
        cache_write = excluded.cache_write, reasoning = excluded.reasoning
      WHERE excluded.input + excluded.output + excluded.cache_read + excluded.cache_write
        >= usage.input + usage.output + usage.cache_read + usage.cache_write`,
    rows,
  )
}

function total(usage: { input: number; output: number; cacheRead: number; cacheWrite: number }): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

export interface UsageTotals {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
  responses: number
}

/** Totals of one session's own responses; those of its subagents belong to their sessions. */
export async function sessionUsage(db: Queryable, owner: number, sessionPk: number): Promise<UsageTotals> {
  const row = await db.get<UsageTotals>(
    `SELECT COALESCE(SUM(input), 0) AS input, COALESCE(SUM(output), 0) AS output,
      COALESCE(SUM(cache_read), 0) AS "cacheRead", COALESCE(SUM(cache_write), 0) AS "cacheWrite",
      COALESCE(SUM(reasoning), 0) AS reasoning, COUNT(*) AS responses
      FROM usage WHERE owner = ? AND session_pk = ?`,
    [owner, sessionPk],
  )
  return row ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, responses: 0 }
}
