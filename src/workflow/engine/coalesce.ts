/** Equal calls at the same time: one works, the others get its answer. */

import { UserError } from '../../core/errors.ts'
import { NoteChanged } from '../../library/notes-library.ts'
import type { EngineContext } from './context.ts'
import type { Receipt } from './types.ts'

/** How often a move is made again because a note it wrote was changed by another in between. */
const NOTE_RETRIES = 5

/**
 * Works, or waits for the answer of an equal call that is being worked on in this process; not longer than the bounded
 * wait. Equal calls of other processes meet in the database.
 * @throws what the work throws, for all of them; `late()` for those whose wait is over
 */
export async function coalesce(
  ctx: EngineContext,
  key: string,
  late: () => UserError,
  work: () => Promise<Receipt>,
): Promise<Receipt> {
  const other = ctx.inFlight.get(key)
  if (other) return within(other, ctx.timing.wait, late)
  const own = work()
  ctx.inFlight.set(key, own)
  try {
    return await own
  } finally {
    ctx.inFlight.delete(key)
  }
}

async function within(work: Promise<Receipt>, milliseconds: number, late: () => UserError): Promise<Receipt> {
  let timer: NodeJS.Timeout | undefined
  const bound = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([work, bound])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the next look at the database. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** A note that another changed between reading and writing it: the step sees the new one when it is made again. */
export async function rerunWhenNotesChange<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoteChanged)) throw error
      if (attempt === NOTE_RETRIES) {
        throw new UserError('busy', `The note "${error.message}" is being changed by others all the time`, {
          remedy: 'nothing was done; send the same step again',
        })
      }
    }
  }
}
