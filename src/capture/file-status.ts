/** What becomes of a file's checkpoint when the file cannot be read any more. Nothing captured is ever dropped. */

import type { Clock } from '../core/clock.ts'
import type { Checkpoint } from '../store/batch.ts'
import type { Engine } from '../store/engine.ts'
import { writeBatch } from '../store/index.ts'
import { checkpointPath, type FoundFile } from './discover.ts'
import type { ReadFailure } from './file-system.ts'
import { formatFingerprint, isSettledTime } from './fingerprint.ts'
import type { Outbox } from './outbox.ts'
import { countSkipped, type Tally } from './report.ts'
import type { Scrubber } from './scrub.ts'

interface StatusContext {
  engine: Engine
  owner: number
  clock: Clock
  tally: Tally
  outbox: Outbox
  scrubber: Scrubber
}

/** Characters kept of what is said about a failure, which may quote the file. */
export const DETAIL = 500

/**
 * Notes that a file is there and cannot be read. One that is gone is left to the next look at its folder, one that is
 * being written to just now to the next pass.
 */
export async function noteUnreadable(
  context: StatusContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
  failure: ReadFailure,
): Promise<void> {
  const { reason } = failure
  if (reason === 'missing') return
  const { path, source } = found.file
  countSkipped(context.tally, { reason, path, detail: context.scrubber.text(failure.message).slice(0, DETAIL) })
  if (reason === 'busy') return
  const look = { identity: found.identity, size: found.size, modifiedAt: found.modifiedAt }
  const lies = reason !== 'permission' && reason !== 'unreadable'
  // What lies in the file is tried again when it looks different; one that may not be read, at every pass.
  const settled = lies && isSettledTime(found.modifiedAt, context.clock())
  const head = formatFingerprint({ head: '', tail: '', rest: '', sidecar: found.sidecar, settled })
  const key = checkpointPath(found.file)
  const unread = { source, harness: found.harness.id, path: key, ...look, readTo: 0, records: 0, head, state: 'null' }
  const known = lies ? unread : (stored ?? unread)
  const isNoted = stored?.status === 'unreadable' && stored.statusReason === reason && stored.head === known.head
  if (isNoted && stored.size === known.size && stored.modifiedAt === known.modifiedAt) return
  await writeStatus(context, { ...known, status: 'unreadable', statusReason: reason })
}

/** Notes that files are gone from disk; what was captured from them stays. */
export async function noteGone(context: StatusContext, stored: Checkpoint): Promise<void> {
  await writeStatus(context, { ...stored, status: 'gone', statusReason: null })
}

/** Writes a checkpoint with which nothing was read. */
export async function writeStatus(context: StatusContext, checkpoint: Checkpoint): Promise<void> {
  const { engine, owner, clock, outbox } = context
  // What was read of the file comes first, or its checkpoint would replace this one.
  await outbox.flush()
  const nothing = { sessions: [], events: [], problems: [], projectRoots: [] }
  await writeBatch(engine, owner, { checkpoint, fromStart: false, ...nothing }, clock)
}
