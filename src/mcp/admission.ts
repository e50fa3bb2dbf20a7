/**
 * Admission: a few calls run at a time, a few more wait in the order they came, the rest are told at once that the
 * server is busy. Nothing expires here; who gives up waiting says so through its signal.
 */

import { UserError } from '../core/errors.ts'

export interface AdmissionLimits {
  /** Calls that may run at the same time. */
  executing: number
  /** Calls that may wait for a place. */
  queued: number
}

const DEFAULT_LIMITS: AdmissionLimits = { executing: 4, queued: 16 }

/**
 * For workflows: a step takes a fraction of a millisecond and waits for the disk, and steps that wait together share one
 * wait, so many may run; a refused one would stop an agent in the middle of its work.
 */
export const WORKFLOW_LIMITS: AdmissionLimits = { executing: 64, queued: 256 }

export interface Admission {
  /**
   * Runs `work` when there is a place for it, first come first served.
   * @throws UserError `busy` when the queue is full, `cancelled` when `signal` is aborted before the work began; in
   * both cases the work never runs.
   */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

export function createAdmission(limits: AdmissionLimits = DEFAULT_LIMITS): Admission {
  let executing = 0
  const queue: (() => void)[] = []

  /** Resolves when the caller owns a place. */
  function enter(signal: AbortSignal | undefined): Promise<void> {
    if (executing < limits.executing) {
      executing++
      return Promise.resolve()
    }
    if (queue.length >= limits.queued) return Promise.reject(busy(limits))
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        queue.splice(queue.indexOf(admit), 1)
        reject(cancelled())
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(admit)
    })
  }

  /** Hands the place to the next in line, without ever leaving it open to a newcomer. */
  function leave(): void {
    const next = queue.shift()
    if (next === undefined) executing--
    else next()
  }

  return {
    async run(work, signal) {
      if (signal?.aborted) throw cancelled()
      await enter(signal)
      try {
        if (signal?.aborted) throw cancelled()
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function busy(limits: AdmissionLimits): UserError {
  return new UserError('busy', `the server is busy: ${limits.executing} calls run and ${limits.queued} wait`, {
    reason: 'queue_full',
    max_executing: limits.executing,
    max_queued: limits.queued,
    remedy: 'wait for an earlier call to finish, then repeat this one',
  })
}

function cancelled(): UserError {
  return new UserError('cancelled', 'the call was cancelled before it began', {
    remedy: 'repeat the call if it is still needed',
  })
}
