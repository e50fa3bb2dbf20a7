/** Asking a lane of vectors: it never holds up or fails an answer. */

import type { DegradedReason, MeaningLane, MeaningMatch, MeaningRequest } from './lane.ts'

export interface Asked {
  matches: readonly MeaningMatch[]
  degraded?: DegradedReason
}

/** What a lane has to say within its deadline. @throws only what `signal` was aborted with */
export async function askLane(lane: MeaningLane, request: MeaningRequest, signal?: AbortSignal): Promise<Asked> {
  const late = new AbortController()
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  const timer = setTimeout(() => late.abort(new Error('deadline')), lane.deadline)
  const deadline = new Promise<Asked>((resolve) => {
    stop.addEventListener('abort', () => resolve({ matches: [], degraded: 'embed_timeout' }), { once: true })
  })
  try {
    const answer = lane.search(request, stop).then(
      (given): Asked => ('degraded' in given ? { matches: [], degraded: given.degraded } : given),
      (): Asked => ({ matches: [], degraded: late.signal.aborted ? 'embed_timeout' : 'embed_error' }),
    )
    const asked = await Promise.race([answer, deadline])
    signal?.throwIfAborted()
    return asked
  } finally {
    clearTimeout(timer)
    // Whatever the lane still does is of no use any more.
    late.abort()
  }
}
