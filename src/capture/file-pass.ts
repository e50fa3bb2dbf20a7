/** One reading of one transcript, whatever its format: what it is read with, and how a batch of it is handed over. */

import type { Clock } from '../core/clock.ts'
import type { CaptureBatch, Checkpoint } from '../store/batch.ts'
import type { Engine } from '../store/engine.ts'
import type { Databases } from './databases.ts'
import { checkpointPath, type FoundFile } from './discover.ts'
import type { FileLook, FileSystem } from './file-system.ts'
import type { Outbox } from './outbox.ts'
import type { Places } from './places.ts'
import {
  emptyBatch,
  type FileMemory,
  type FileReading,
  parseMemory,
  type RecordBatch,
  settleTimes,
} from './record-batch.ts'
import { countBatch, type Tally } from './report.ts'
import type { Scrubber } from './scrub.ts'

/** A batch is handed over when it holds this much. */
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_RECORDS = 2000

/** What every file is read with. */
export interface CaptureContext {
  engine: Engine
  owner: number
  clock: Clock
  fileSystem: FileSystem
  databases: Databases
  scrubber: Scrubber
  places: Places
  tally: Tally
  outbox: Outbox
  signal?: AbortSignal | undefined
  /** Called after each batch with the bytes it took from the file. */
  onBatch(bytes: number): void
}

export interface FilePass {
  context: CaptureContext
  found: FoundFile
  stored: Checkpoint | undefined
  reading: FileReading
  batch: RecordBatch
  /** Bytes of the records in the batch. */
  bytes: number
  /** The next batch is the first of a file that starts over. */
  fromStart: boolean
}

export function startPass(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
  memory: FileMemory,
  fromStart: boolean,
): FilePass {
  const { harness, layout, file } = found
  const reading: FileReading = { harness, layout, file, scrubber: context.scrubber, memory }
  return { context, found, stored, reading, batch: emptyBatch(), bytes: 0, fromStart }
}

export function isFull({ batch, bytes }: FilePass): boolean {
  return batch.records >= BATCH_RECORDS || bytes >= BATCH_BYTES
}

/** True for a file that was left out because of its folder, when that folder is not left out any more. */
export function isReadmitted({ places }: CaptureContext, stored: Checkpoint): boolean {
  if (stored.statusReason !== 'excluded') return false
  return ![...parseMemory(stored.state).directories.values()].some((directory) => places.isExcluded(directory))
}

/** How far the file has been read when the batch is stored. */
export interface Reached extends FileLook {
  readTo: number
  records: number
  /** A `Fingerprint`. */
  head: string
  /** A `FileMemory`. */
  state: string
}

/** Hands the batch over, less what lies in excluded folders, and begins another one. */
export async function putBatch(pass: FilePass, reached: Reached): Promise<void> {
  const { context, found, stored, batch, reading, bytes } = pass
  const { outbox, places, tally } = context
  settleTimes(batch, reached.modifiedAt)
  const isKept = (session: string) => !places.isExcluded(reading.memory.directories.get(session))
  const kept = batch.pending.filter(({ event }) => isKept(event.session))
  const facts = [...batch.facts.values()].filter(({ nativeId }) => isKept(nativeId))
  places.addTouches(kept)
  const sessions = places.addProjects(facts)
  const isExcluded = kept.length < batch.pending.length || facts.length < batch.facts.size
  const wasExcluded = !pass.fromStart && stored?.statusReason === 'excluded'
  const captured: CaptureBatch = {
    checkpoint: {
      source: found.file.source,
      harness: found.harness.id,
      path: checkpointPath(found.file),
      ...reached,
      status: 'active',
      statusReason: isExcluded || wasExcluded ? 'excluded' : null,
    },
    fromStart: pass.fromStart,
    sessions,
    events: kept.map(({ event }) => event),
    problems: batch.problems,
    projectRoots: places.takeRoots(),
  }
  await outbox.put(captured, bytes, (result) => {
    countBatch(tally, found.file.path, batch.records, batch.problems, result)
    tally.bytes += bytes
    context.onBatch(bytes)
  })
  pass.fromStart = false
  pass.batch = emptyBatch()
  pass.bytes = 0
}
