/**
 * Batches on their way to the store. Those of small files share a transaction: a commit costs more than what a small
 * file brings. Each batch still goes with its own file's checkpoint, so a crash loses and doubles nothing.
 */

import type { Clock } from '../core/clock.ts'
import type { BatchResult, CaptureBatch } from '../store/batch.ts'
import type { Engine } from '../store/engine.ts'
import { writeBatches } from '../store/index.ts'

/** Source bytes and events after which what waits is written: the text index takes much at once for less. */
const FULL_BYTES = 8 * 1024 * 1024
const FULL_EVENTS = 5000

/** A batch of a large file does not wait: it alone is worth a commit, and would take memory meanwhile. */
const LARGE_BYTES = 4 * 1024 * 1024
const LARGE_EVENTS = 2000

/** Batches in a row that fail by themselves before the store is taken for broken. */
const FAILURES_IN_A_ROW = 3

interface Waiting {
  batch: CaptureBatch
  written(result: BatchResult): void
}

export interface Outbox {
  /** Takes a batch and writes all that waits when that is enough. @throws when this batch, or the store, fails */
  put(batch: CaptureBatch, bytes: number, written: (result: BatchResult) => void): Promise<void>
  /** Writes all that waits. @throws when the store fails */
  flush(): Promise<void>
}

/** `failed` is told of each file whose batch the store refuses while it takes others. */
export function createOutbox(
  engine: Engine,
  owner: number,
  clock: Clock,
  failed: (path: string, error: unknown) => void,
): Outbox {
  let waiting: Waiting[] = []
  let bytes = 0
  let events = 0

  const flush = async (): Promise<void> => {
    const group = waiting
    waiting = []
    bytes = 0
    events = 0
    if (group.length === 0) return
    try {
      await writeGroup(engine, owner, clock, group)
    } catch (error) {
      if (group.length === 1) throw error
      await writeEach(group)
    }
  }

  /** One bad batch fails its whole group, so each is tried by itself; of the bad one's file nothing later is written. */
  const writeEach = async (group: readonly Waiting[]): Promise<void> => {
    const bad = new Set<string>()
    let inARow = 0
    for (const item of group) {
      const { path } = item.batch.checkpoint
      if (bad.has(path)) continue
      try {
        await writeGroup(engine, owner, clock, [item])
        inARow = 0
      } catch (error) {
        if (++inARow === FAILURES_IN_A_ROW) throw error
        bad.add(path)
        failed(path, error)
      }
    }
  }

  return {
    flush,
    put: async (batch, batchBytes, written) => {
      waiting.push({ batch, written })
      bytes += batchBytes
      events += batch.events.length
      const isLarge = batchBytes >= LARGE_BYTES || batch.events.length >= LARGE_EVENTS
      if (isLarge || bytes >= FULL_BYTES || events >= FULL_EVENTS) await flush()
    },
  }
}

async function writeGroup(engine: Engine, owner: number, clock: Clock, group: readonly Waiting[]): Promise<void> {
  const results = await writeBatches(
    engine,
    owner,
    group.map(({ batch }) => batch),
    clock,
  )
  group.forEach((item, place) => {
    const result = results[place]
    if (result) item.written(result)
  })
}
