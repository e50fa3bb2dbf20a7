/**
 * Acting outside the database, at most once per attempt. Whatever a step does inside the database is done in the one
 * transaction that stores it. Only when a node has to act outside (send a message) is its attempt claimed first: the
 * claim is stored, every act is stored before it is begun and after it is done, and then the step is stored. What broke
 * off in between is known by its lone beginning, and is never repeated.
 */

import {
  type Claim,
  finishEffect,
  holdsClaim,
  loadEffects,
  type Queryable,
  releaseClaim,
  renewClaim,
  startEffect,
} from '../../store/index.ts'
import type { EngineContext } from './context.ts'

/** An act outside the database. */
export interface Act {
  nodeId: string
  kind: string
}

/**
 * Performs an act, or hands out what it gave when it was performed before. The result is JSON. A failed act is done too:
 * it fails again with the same message.
 */
export type Perform = (act: Act, perform: () => Promise<unknown>) => Promise<unknown>

/** Thrown by `perform` inside a transaction: the step needs its attempt claimed. */
export class ClaimNeeded extends Error {}

/** Thrown when an act was begun and nobody knows whether it was done. */
export class OutcomeUnknown extends Error {}

/** An act that certainly did not happen, with the message to pass on. Any other failure leaves the outcome unknown. */
export class ActFailed extends Error {}

/** The `perform` of a step that is carried out inside a transaction. */
export const performLater: Perform = async () => {
  throw new ClaimNeeded('a node acts outside the database')
}

/**
 * Works on a claimed attempt, keeping the claim alive. Each time the work is done again it needs a new `perform`. When `work` fails the attempt can be submitted again, unless an
 * act was begun whose outcome is unknown.
 * @throws OutcomeUnknown, and whatever `work` throws
 */
export async function workUnderClaim<T>(
  ctx: EngineContext,
  claim: Claim,
  whenReleased: 'presented' | 'reserved',
  work: (newPerform: () => Promise<Perform>) => Promise<T>,
): Promise<T> {
  const renew = () => renewClaim(ctx.store, claim, ctx.clock() + ctx.timing.lease)
  // A failed renewal shows when the step is stored: the claim is looked at again there.
  const timer = setInterval(() => void renew().catch(() => false), ctx.timing.lease / 3)
  timer.unref()
  try {
    return await work(() => performerOf(ctx, claim))
  } catch (error) {
    await ctx.store.transaction(
      async (tx) => {
        if (!(await holdsClaim(ctx.store, tx, claim))) return
        await releaseClaim(tx, claim, error instanceof OutcomeUnknown ? 'outcome_unknown' : whenReleased)
      },
      { durable: true },
    )
    throw error
  } finally {
    clearInterval(timer)
  }
}

/** Whether an attempt has begun an act that was never finished. */
export async function hasOpenEffect(db: Queryable, owner: number, attemptId: string): Promise<boolean> {
  return (await loadEffects(db, owner, attemptId)).some((effect) => effect.state === 'started')
}

async function performerOf(ctx: EngineContext, claim: Claim): Promise<Perform> {
  const { owner, attemptId } = claim
  const earlier = await loadEffects(ctx.store, owner, attemptId)
  let ordinal = 0
  return async (act, perform) => {
    const number = ++ordinal
    const known = earlier.find((effect) => effect.ordinal === number)
    if (known?.state === 'started') throw new OutcomeUnknown(`act ${number} of attempt ${attemptId}`)
    if (known) return resultOf(known.result)
    await ctx.store.transaction(
      async (tx) => {
        if (!(await holdsClaim(ctx.store, tx, claim))) throw new ClaimLost()
        await startEffect(tx, owner, { attemptId, ordinal: number, ...act, now: ctx.clock() })
      },
      { durable: true },
    )
    const result = await outcomeOf(perform)
    await ctx.store.transaction(
      (tx) => finishEffect(tx, owner, { attemptId, ordinal: number, result, now: ctx.clock() }),
      { durable: true },
    )
    return resultOf(result)
  }
}

/** Thrown when the lease ran out and another caller has the attempt. */
export class ClaimLost extends Error {}

async function outcomeOf(perform: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify({ value: await perform() })
  } catch (error) {
    if (error instanceof ActFailed) return JSON.stringify({ failed: error.message })
    throw new OutcomeUnknown('an act broke off', { cause: error })
  }
}

function resultOf(json: string | null): unknown {
  const result = JSON.parse(json ?? '{}') as { value?: unknown; failed?: string }
  if (result.failed !== undefined) throw new ActFailed(result.failed)
  return result.value
}
