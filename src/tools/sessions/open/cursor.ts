/**
 * The continuation of an expanded session or turn. It pins a snapshot: children are numbered as they are captured, and a
 * cursor shows those up to the highest number there was when the expansion began. So it outlives growth; what was
 * rewritten or forgotten since makes it stale.
 */

import type { Caller } from '../../../core/caller.ts'
import { readCursor, writeCursor } from '../../../core/cursor.ts'
import { invalidRequest, type UserError } from '../../../core/errors.ts'
import { type IdKind, parseId } from '../../../core/id.ts'
import { isRecord } from '../../../core/json.ts'
import type { SessionView } from '../../../store/index.ts'
import type { Services } from '../../tool.ts'

/** Where an expansion stands. */
export interface Page {
  limit: number
  /** Highest number of a child in the snapshot. */
  upTo: number
  /** The last child shown; absent on the first page. */
  after?: { pk: number; ordinal: number }
}

/** An expansion to go on with. */
export interface Continuation {
  /** Public id of the session or turn. */
  target: string
  /** Number and generation of its session when the expansion began. */
  session: number
  generation: number
  page: Page & { after: { pk: number; ordinal: number } }
}

export function writePage(
  { cursorKey }: Services,
  caller: Caller,
  target: string,
  session: SessionView,
  page: Continuation['page'],
): string {
  const { limit, upTo, after } = page
  return writeCursor(cursorKey, {
    tool: 'open',
    version: 1,
    owner: caller.owner,
    target,
    session: session.pk,
    generation: session.generation,
    limit,
    upTo,
    after: [after.pk, after.ordinal],
  })
}

/** Reads a cursor. @throws UserError when it is not one of ours, or its page size is out of range by now. */
export function readPage({ cursorKey, maxResults }: Services, caller: Caller, cursor: string): Continuation {
  const content = readCursor(cursorKey, cursor)
  if (!isRecord(content) || content.tool !== 'open' || content.version !== 1 || content.owner !== caller.owner) {
    throw invalidRequest('cursor is not valid', 'cursor', {
      remedy: 'open the session or turn again by its id, with limit, and use the next_cursor it returns',
    })
  }
  const { target, session, generation, limit, upTo, after } = content
  const numbers: unknown[] = [session, generation, limit, upTo, ...(Array.isArray(after) ? after : [])]
  if (typeof target !== 'string' || numbers.length !== 6 || !numbers.every((item) => typeof item === 'number')) {
    throw new Error('a signed cursor has an unknown shape')
  }
  const [sessionPk = 0, then = 0, size = 0, last = 0, pk = 0, ordinal = 0] = numbers as number[]
  if (size > maxResults) throw staleCursor(target, `its page size is above the limit of ${maxResults}`)
  return {
    target,
    session: sessionPk,
    generation: then,
    page: { limit: size, upTo: last, after: { pk, ordinal } },
  }
}

/** What kind of thing a continuation belongs to. */
export function targetOf({ target }: Continuation): { kind: IdKind; bytes: Buffer } {
  return parseId(target, 'cursor')
}

/** Refuses a continuation whose snapshot is gone. @throws UserError */
export function refuseStale(continuation: Continuation | undefined, session: SessionView): void {
  if (continuation && (continuation.session !== session.pk || continuation.generation !== session.generation)) {
    throw staleCursor(continuation.target, 'the session was rewritten since')
  }
}

export function staleCursor(target: string, reason: string): UserError {
  return invalidRequest(`cursor is stale: ${reason}; reopen ${target}`, 'cursor', {
    id: target,
    remedy: `call open with id ${target} and a limit to start again`,
  })
}
