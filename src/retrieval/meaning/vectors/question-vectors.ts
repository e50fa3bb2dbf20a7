/** The vectors of questions: made once, waited for only so long, and not asked for while the model keeps failing. */

import type { Clock } from '../../../core/clock.ts'
import { DimensionMismatch, type Embedder } from '../../../models/index.ts'
import type { DegradedReason } from '../lane.ts'

export type QuestionVector = { vector: Float32Array } | { degraded: DegradedReason }

export interface QuestionVectors {
  /** The vector of a question, or why there is none in time. Never throws. */
  of(text: string): Promise<QuestionVector>
  close(): void
}

export interface QuestionOptions {
  embedder: Embedder
  clock: Clock
  /** Milliseconds a question is waited for. */
  deadline: number
}

/** Failures in a row after which the model is left alone, and for how many milliseconds. */
const FAILURES = 3
const REST = 60_000

/** Milliseconds in which one answer puts all its searches: together they wait once and fail once. */
const ONE_ANSWER = 2_500

/** Questions remembered. */
const REMEMBERED = 256

/** One attempt to embed a question. */
interface Attempt {
  startedAt: number
  result: Promise<QuestionVector>
  /** It counted as a failure already. */
  failed: boolean
  /** The model still works on it. */
  open: boolean
}

export function createQuestionVectors({ embedder, clock, deadline }: QuestionOptions): QuestionVectors {
  const made = new Map<string, Float32Array>()
  const attempts = new Map<string, Attempt>()
  const closing = new AbortController()
  let failures = 0
  let restsUntil = 0

  const fail = (attempt: Attempt): void => {
    if (attempt.failed) return
    attempt.failed = true
    failures++
    if (failures >= FAILURES) restsUntil = clock() + REST
  }
  const embed = async (text: string): Promise<QuestionVector> => {
    try {
      const [vector] = await embedder.embed([text], closing.signal)
      if (!vector) return { degraded: 'embed_error' }
      remember(made, text, vector)
      return { vector }
    } catch (error) {
      return { degraded: error instanceof DimensionMismatch ? 'dimension_mismatch' : 'embed_error' }
    }
  }
  /** This answer has asked it already. */
  const isAsked = (text: string): boolean =>
    clock() - (attempts.get(text)?.startedAt ?? Number.NEGATIVE_INFINITY) < ONE_ANSWER
  /** The attempt under way or just made, or a new one. */
  const attemptAt = (text: string): Attempt => {
    const known = attempts.get(text)
    if (known && clock() - known.startedAt < ONE_ANSWER) return known
    // A question that is put again while the model still works on it waits anew, but is not sent twice.
    const result = known?.open ? known.result : embed(text)
    const attempt: Attempt = { startedAt: clock(), result, failed: false, open: true }
    attempts.set(text, attempt)
    void result.then((given) => {
      attempt.open = false
      if ('degraded' in given) fail(attempt)
    })
    return attempt
  }
  return {
    async of(text) {
      const vector = made.get(text)
      if (vector) return { vector }
      for (const [asked, { startedAt, open }] of attempts) {
        if (!open && clock() - startedAt >= ONE_ANSWER) attempts.delete(asked)
      }
      if (!isAsked(text) && clock() < restsUntil) return { degraded: 'lane_disabled_after_errors' }
      const attempt = attemptAt(text)
      const left = attempt.startedAt + deadline - clock()
      const result = await inTime(attempt.result, left)
      if (result) {
        if ('vector' in result) failures = 0
        return result
      }
      // It goes on: should the same be asked again, its vector is there.
      fail(attempt)
      return { degraded: 'embed_timeout' }
    },
    close: () => closing.abort(new Error('closed')),
  }
}

/** What comes within some milliseconds; what is there already counts even when none are left. */
async function inTime<T>(result: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The newest stay. */
function remember(made: Map<string, Float32Array>, text: string, vector: Float32Array): void {
  if (made.size >= REMEMBERED) made.delete(made.keys().next().value ?? '')
  made.set(text, vector)
}
