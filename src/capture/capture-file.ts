/** Reads what is new in one transcript and hands it to the store, batch by batch. */

import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { isRecord } from '../core/json.ts'
import type { CaptureBatch, Checkpoint } from '../store/batch.ts'
import type { Engine } from '../store/engine.ts'
import type { FoundFile } from './discover.ts'
import { noteUnreadable } from './file-status.ts'
import { type FileSystem, type OpenFile, openFile, ReadFailure } from './file-system.ts'
import { canContinue, formatFingerprint, hashEdges, hashLine, isSettledTime, parseFingerprint } from './fingerprint.ts'
import type { Outbox } from './outbox.ts'
import type { Places } from './places.ts'
import { isCompressed, readChunks, readZstandard } from './read-file.ts'
import { createLineCutter, type Line, type Position } from './read-jsonl.ts'
import {
  addLine,
  emptyBatch,
  type FileReading,
  formatMemory,
  openMemory,
  parseMemory,
  type RecordBatch,
  settleTimes,
} from './record-batch.ts'
import { countBatch, countSkipped, type Tally } from './report.ts'
import type { Scrubber } from './scrub.ts'
import { addSidecar } from './sidecar.ts'

/** A batch is handed over when it holds this much. */
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_RECORDS = 2000

/** What every file is read with. */
export interface CaptureContext {
  engine: Engine
  owner: number
  clock: Clock
  fileSystem: FileSystem
  scrubber: Scrubber
  places: Places
  tally: Tally
  outbox: Outbox
  signal?: AbortSignal | undefined
  /** Called after each batch with the bytes it took from the file. */
  onBatch(bytes: number): void
}

/**
 * Reads a file from where it was left, or from its start when it is new or was rewritten. A file that may not be read is
 * noted as such in the archive and the report. @throws when the store fails.
 */
export async function captureFile(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
): Promise<void> {
  let open: OpenFile | undefined
  try {
    open = openFile(context.fileSystem, found.file.path)
    await readNew(startPass(context, found, stored, open))
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    await noteUnreadable(context, found, stored, error)
  } finally {
    open?.close()
  }
}

/** One reading of one file. */
interface FilePass {
  context: CaptureContext
  found: FoundFile
  /** What is written to the file after it was opened belongs to the next pass. */
  open: OpenFile
  stored: Checkpoint | undefined
  reading: FileReading
  compressed: boolean
  /** Behind the last line taken. */
  position: Position
  batch: RecordBatch
  /** Bytes of the lines in the batch. */
  bytes: number
  /** The next batch is the first of a file that starts over. */
  fromStart: boolean
  /** The last line that was read without its line feed; see `Fingerprint`. */
  rest: string
}

function startPass(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
  open: OpenFile,
): FilePass {
  const { harness, file } = found
  const compressed = isCompressed(file.path)
  const resumable = stored !== undefined && (!compressed || stored.readTo === open.look.size)
  const continues = resumable && !isReadmitted(context, stored) && canContinue(stored, open)
  return {
    context,
    found,
    open,
    stored,
    reading: {
      harness,
      file,
      scrubber: context.scrubber,
      memory: continues ? parseMemory(stored.state) : openMemory(harness, file),
    },
    compressed,
    position: continues ? { offset: stored.readTo, line: stored.records } : { offset: 0, line: 0 },
    batch: emptyBatch(),
    bytes: 0,
    fromStart: !continues,
    rest: '',
  }
}

/** True for a file that was left out because of its folder, when that folder is not left out any more. */
export function isReadmitted({ places }: CaptureContext, stored: Checkpoint): boolean {
  if (stored.statusReason !== 'excluded') return false
  return ![...parseMemory(stored.state).directories.values()].some((directory) => places.isExcluded(directory))
}

async function readNew(pass: FilePass): Promise<void> {
  const cutter = createLineCutter(pass.position)
  for await (const chunk of newChunks(pass)) {
    for (const line of cutter.push(chunk)) {
      take(pass, line)
      pass.position = { offset: line.end, line: line.index + 1 }
      if (pass.batch.records < BATCH_RECORDS && pass.bytes < BATCH_BYTES) continue
      await write(pass, formatMemory(pass.reading.memory), 'more')
      // Others have their turn between batches: queries, the lease, the watcher.
      await setImmediate()
      if (pass.context.signal?.aborted) return
    }
  }
  await finish(pass, cutter.rest())
}

function newChunks({ open, compressed, position, fromStart }: FilePass): AsyncIterable<Uint8Array> {
  if (compressed && fromStart) return readZstandard(open)
  return readChunks(open, position.offset, open.look.size)
}

function take(pass: FilePass, line: Line): void {
  addLine(pass.batch, line, pass.reading)
  pass.bytes += line.end - line.start
}

/**
 * Writes the last batch. A last line without a line feed is read when it is a whole record, but reading will start before
 * it again: whatever it becomes replaces what it is now. Half a record waits.
 */
async function finish(pass: FilePass, rest: Line | undefined): Promise<void> {
  const { context, found, stored, open, batch, reading } = pass
  const settled = isSettledTime(open.look.modifiedAt, context.clock())
  const state = formatMemory(reading.memory)
  if (rest?.text !== undefined && isWhole(rest.text)) {
    pass.rest = hashLine(rest.text)
    if (!isReadBefore(pass)) take(pass, rest)
  } else if (rest && (settled || pass.compressed) && rest.text?.trim() !== '') {
    countSkipped(context.tally, { reason: 'incomplete-last-line', path: found.file.path }, rest.index)
  }
  const sidecarBefore = pass.fromStart || !stored ? '' : parseFingerprint(stored.head).sidecar
  if (found.sidecar !== '' && found.sidecar !== sidecarBefore) addSidecar(batch, reading, context.fileSystem)
  if (!isNothingNew(pass, settled)) await write(pass, state, settled ? 'settled' : 'end')
}

/** The pass before read this last line already, and it has not changed since. */
function isReadBefore({ stored, fromStart, position, rest }: FilePass): boolean {
  return !fromStart && stored?.readTo === position.offset && parseFingerprint(stored.head).rest === rest
}

function isWhole(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

/** Nothing was read, and the checkpoint would say the same again. */
function isNothingNew({ stored, batch, open, found, fromStart, rest }: FilePass, settled: boolean): boolean {
  if (fromStart || stored?.status !== 'active') return false
  if (batch.records > 0 || batch.facts.size > 0 || batch.pending.length > 0 || batch.problems.length > 0) return false
  const { size, modifiedAt, identity } = open.look
  const before = parseFingerprint(stored.head)
  return (
    stored.size === size &&
    stored.modifiedAt === modifiedAt &&
    stored.identity === identity &&
    before.rest === rest &&
    before.sidecar === found.sidecar &&
    before.settled === settled
  )
}

/** How far a batch brings its file: there is more to read, or this is its end, for now or until it looks different. */
type Reach = 'more' | 'end' | 'settled'

async function write(pass: FilePass, state: string, reach: Reach): Promise<void> {
  const { context, found, batch, reading } = pass
  const { outbox, places, tally } = context
  settleTimes(batch, pass.open.look.modifiedAt)
  const isKept = (session: string) => !places.isExcluded(reading.memory.directories.get(session))
  const kept = batch.pending.filter(({ event }) => isKept(event.session))
  const facts = [...batch.facts.values()].filter(({ nativeId }) => isKept(nativeId))
  places.addTouches(kept)
  const sessions = places.addProjects(facts)
  const isExcluded = kept.length < batch.pending.length || facts.length < batch.facts.size
  const captured: CaptureBatch = {
    checkpoint: checkpointOf(pass, state, reach, isExcluded),
    fromStart: pass.fromStart,
    sessions,
    events: kept.map(({ event }) => event),
    problems: batch.problems,
    projectRoots: places.takeRoots(),
  }
  const { bytes } = pass
  await outbox.put(captured, bytes, (result) => {
    countBatch(tally, found.file.path, batch.records, batch.problems, result)
    tally.bytes += bytes
    context.onBatch(bytes)
  })
  pass.fromStart = false
  pass.batch = emptyBatch()
  pass.bytes = 0
}

/** A compressed file cannot be entered in its middle, so its checkpoint is at its start until it is at its end. */
function checkpointOf(pass: FilePass, state: string, reach: Reach, isExcluded: boolean): Checkpoint {
  const { found, open, compressed, position, stored } = pass
  const readTo = compressed ? (reach === 'more' ? 0 : open.look.size) : position.offset
  const edges = hashEdges(open, readTo)
  const wasExcluded = !pass.fromStart && stored?.statusReason === 'excluded'
  return {
    source: found.file.source,
    harness: found.harness.id,
    path: found.file.path,
    ...open.look,
    readTo,
    records: position.line,
    head: formatFingerprint({ ...edges, rest: pass.rest, sidecar: found.sidecar, settled: reach === 'settled' }),
    state,
    status: 'active',
    statusReason: isExcluded || wasExcluded ? 'excluded' : null,
  }
}
