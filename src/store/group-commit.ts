/**
 * Waiting for the disk is most of what a small durable transaction costs. Pieces of work that come while others wait for
 * it share one transaction, and so one wait; each stands in a savepoint, so that it is kept or undone by itself.
 */

import type { Queryable } from './engine.ts'

/** Most pieces that share one transaction. */
const GROUP = 64

type Outcome = { value: unknown } | { error: unknown }

interface Piece {
  work: (tx: Queryable) => Promise<unknown>
  settle: (outcome: Outcome) => void
}

/**
 * @param queued runs work when all work queued before it is done
 * @param transaction commits what work did, or rolls it back when it throws
 */
export function groupCommits(
  queued: (work: () => Promise<void>) => Promise<void>,
  transaction: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>,
): <T>(work: (tx: Queryable) => Promise<T>) => Promise<T> {
  let waiting: Piece[] = []

  const commitWaiting = async (): Promise<void> => {
    const pieces = waiting.slice(0, GROUP)
    waiting = waiting.slice(GROUP)
    if (waiting.length > 0) void queued(commitWaiting)
    const outcomes = await commitTogether(pieces, transaction)
    for (const [index, piece] of pieces.entries()) piece.settle(outcomes[index] ?? { error: new Error('no outcome') })
  }

  return <T>(work: (tx: Queryable) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value as T))
      waiting.push({ work, settle })
      if (waiting.length === 1) void queued(commitWaiting)
    })
}

async function commitTogether(
  pieces: readonly Piece[],
  transaction: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>,
): Promise<Outcome[]> {
  const [only, ...others] = pieces
  try {
    if (only !== undefined && others.length === 0) return [{ value: await transaction((tx) => only.work(tx)) }]
    return await transaction(async (tx) => {
      const outcomes: Outcome[] = []
      for (const { work } of pieces) outcomes.push(await inSavepoint(tx, work))
      return outcomes
    })
  } catch (error) {
    // Nothing was committed.
    return pieces.map(() => ({ error }))
  }
}

async function inSavepoint(tx: Queryable, work: Piece['work']): Promise<Outcome> {
  await tx.run('SAVEPOINT piece')
  try {
    const value = await work(tx)
    await tx.run('RELEASE piece')
    return { value }
  } catch (error) {
    await tx.run('ROLLBACK TO piece')
    await tx.run('RELEASE piece')
    return { error }
  }
}
