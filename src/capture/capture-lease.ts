/** One process captures an owner's transcripts at a time; the others wait for its lease. */

import type { Clock } from '../core/clock.ts'
import type { Engine } from '../store/engine.ts'
import { releaseLease, takeLease } from '../store/index.ts'

export interface CaptureLease {
  /** Aborted when the lease could not be renewed in time: somebody else may be capturing. */
  lost: AbortSignal
  release(): Promise<void>
}

export interface LeaseOptions {
  engine: Engine
  owner: number
  /** Names the process: no two alive have the same. */
  holder: string
  clock: Clock
  /** Milliseconds after which a silent holder counts as dead. */
  duration?: number
  /** Milliseconds between two renewals. */
  renewEvery?: number
}

const DURATION = 30_000
const RENEW_EVERY = 10_000

export function captureLeaseName(owner: number): string {
  return `capture:${owner}`
}

/** Takes the lease and keeps renewing it; undefined while another living process has it. */
export async function takeCaptureLease(options: LeaseOptions): Promise<CaptureLease | undefined> {
  const { engine, owner, holder, clock, duration = DURATION, renewEvery = RENEW_EVERY } = options
  const name = captureLeaseName(owner)
  let expiresAt = 0
  const renew = async (): Promise<boolean> => {
    const now = clock()
    const held = await takeLease(engine, name, holder, now, now + duration)
    if (held) expiresAt = now + duration
    return held
  }
  if (!(await renew())) return undefined
  const lost = new AbortController()
  const timer = setInterval(async () => {
    try {
      if (await renew()) return
      lost.abort()
    } catch {
      // A busy database is no loss until the lease has run out.
      if (clock() >= expiresAt) lost.abort()
    }
  }, renewEvery)
  timer.unref()
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer)
      await releaseLease(engine, name, holder)
    },
  }
}
