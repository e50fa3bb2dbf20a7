/** Reads what is new in a file of lines: from where it was left, or from its start when it is new or was rewritten. */

import { setImmediate } from 'node:timers/promises'
import { isRecord } from '../core/json.ts'
import type { Checkpoint } from '../store/batch.ts'
import type { FoundFile } from './discover.ts'
import { type CaptureContext, type FilePass, isFull, isReadmitted, putBatch, startPass } from './file-pass.ts'
import { type OpenFile, openFile } from './file-system.ts'
import { canContinue, formatFingerprint, hashEdges, hashLine, isSettledTime, parseFingerprint } from './fingerprint.ts'
import { isCompressed, readChunks, readZstandard } from './read-file.ts'
import { createLineCutter, type Line, type Position } from './read-jsonl.ts'
import { addLine, formatMemory, openMemory, parseMemory } from './record-batch.ts'
import { countSkipped } from './report.ts'
import { addSidecars } from './sidecar.ts'

/** @throws ReadFailure for a file that cannot be read; what the store throws */
export async function captureLines(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
): Promise<void> {
  const open = openFile(context.fileSystem, found.file.path)
  try {
    await readNew(startLines(context, found, stored, open))
  } finally {
    open.close()
  }
}

interface LinesPass extends FilePass {
  /** What is written to the file after it was opened belongs to the next pass. */
  open: OpenFile
  compressed: boolean
  /** Behind the last line taken. */
  position: Position
  /** The last line that was read without its line feed; see `Fingerprint`. */
  rest: string
}

function startLines(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
  open: OpenFile,
): LinesPass {
  const { layout, file } = found
  const compressed = isCompressed(file.path)
  const resumable = stored !== undefined && (!compressed || stored.readTo === open.look.size)
  const continues = resumable && !isReadmitted(context, stored) && canContinue(stored, open)
  const memory = continues ? parseMemory(stored.state) : openMemory(layout, file)
  return {
    ...startPass(context, found, stored, memory, !continues),
    open,
    compressed,
    position: continues ? { offset: stored.readTo, line: stored.records } : { offset: 0, line: 0 },
    rest: '',
  }
}

async function readNew(pass: LinesPass): Promise<void> {
  const cutter = createLineCutter(pass.position)
  for await (const chunk of newChunks(pass)) {
    for (const line of cutter.push(chunk)) {
      take(pass, line)
      pass.position = { offset: line.end, line: line.index + 1 }
      if (!isFull(pass)) continue
      await write(pass, formatMemory(pass.reading.memory), 'more')
      // Others have their turn between batches: queries, the lease, the watcher.
      await setImmediate()
      if (pass.context.signal?.aborted) return
    }
  }
  await finish(pass, cutter.rest())
}

function newChunks({ open, compressed, position, fromStart }: LinesPass): AsyncIterable<Uint8Array> {
  if (compressed && fromStart) return readZstandard(open)
  return readChunks(open, position.offset, open.look.size)
}

function take(pass: LinesPass, line: Line): void {
  addLine(pass.batch, line, pass.reading)
  pass.bytes += line.end - line.start
}

/**
 * Writes the last batch. A last line without a line feed is read when it is a whole record, but reading will start before
 * it again: whatever it becomes replaces what it is now. Half a record waits.
 */
async function finish(pass: LinesPass, rest: Line | undefined): Promise<void> {
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
  if (found.sidecar !== '' && found.sidecar !== sidecarBefore) addSidecars(batch, reading, context.fileSystem)
  if (!isNothingNew(pass, settled)) await write(pass, state, settled ? 'settled' : 'end')
}

/** The pass before read this last line already, and it has not changed since. */
function isReadBefore({ stored, fromStart, position, rest }: LinesPass): boolean {
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
function isNothingNew({ stored, batch, open, found, fromStart, rest }: LinesPass, settled: boolean): boolean {
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

function write(pass: LinesPass, state: string, reach: Reach): Promise<void> {
  const { found, open, compressed, position } = pass
  // A compressed file cannot be entered in its middle, so its checkpoint is at its start until it is at its end.
  const readTo = compressed ? (reach === 'more' ? 0 : open.look.size) : position.offset
  const edges = hashEdges(open, readTo)
  return putBatch(pass, {
    ...open.look,
    readTo,
    records: position.line,
    head: formatFingerprint({ ...edges, rest: pass.rest, sidecar: found.sidecar, settled: reach === 'settled' }),
    state,
  })
}
