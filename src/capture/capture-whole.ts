/**
 * Reads a transcript as a whole: a document, a bundle of files, one out of a database, an export. Ids make it harmless to
 * read again what was read before.
 */

import { setImmediate } from 'node:timers/promises'
import type { Checkpoint } from '../store/batch.ts'
import { orHarnessError } from './databases.ts'
import type { FoundFile } from './discover.ts'
import { type CaptureContext, type FilePass, isFull, isReadmitted, putBatch, startPass } from './file-pass.ts'
import { type FileLook, openFile } from './file-system.ts'
import { formatFingerprint, hashLine, isSettledTime, parseFingerprint } from './fingerprint.ts'
import { createFiles, parseDocument, readText } from './read-document.ts'
import { addRecord, formatMemory, openMemory, parseMemory } from './record-batch.ts'
import { addSidecars } from './sidecar.ts'

/** What a transcript holds, and what it looked like before it was read. */
interface Whole {
  records: Iterable<unknown> | AsyncIterable<unknown>
  look: FileLook
  /** While it looks the same from outside, nothing is new. */
  settled: boolean
  /** Names the content where it is known before the records are; empty otherwise. */
  hash: string
}

/** @throws ReadFailure for a transcript that cannot be read; what the store throws */
export async function captureWhole(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
): Promise<void> {
  const whole = await openWhole(context, found)
  const pass = startPass(context, found, stored, openMemory(found.layout, found.file), true)
  if (isRepeat(pass, stored, whole)) {
    pass.fromStart = false
    pass.reading.memory = parseMemory(stored.state)
    return write(pass, whole, stored.records)
  }
  let index = 0
  for await (const value of whole.records) {
    pass.bytes += addRecord(pass.batch, { value, index }, pass.reading)
    index++
    if (!isFull(pass)) continue
    await write(pass, { ...whole, settled: false, hash: '' }, index, false)
    // Others have their turn between batches: queries, the lease, the watcher.
    await setImmediate()
    if (context.signal?.aborted) return
  }
  if (found.sidecar !== '') addSidecars(pass.batch, pass.reading, context.fileSystem)
  await write(pass, whole, index)
}

async function openWhole(context: CaptureContext, found: FoundFile): Promise<Whole> {
  const { clock, databases, fileSystem } = context
  const { file, layout } = found
  const { format } = layout
  const look = { identity: found.identity, size: found.size, modifiedAt: found.modifiedAt }
  const settled = isSettledTime(found.modifiedAt, clock())
  switch (format.kind) {
    case 'jsonl':
      throw new Error('lines are read line by line')
    case 'document': {
      const { text, ...opened } = readOpened(context, file.path)
      const document = parseDocument(text)
      const records = orHarnessError(() => format.records(document, file))
      return { records, hash: hashLine(text), ...opened }
    }
    case 'bundle':
      return { records: orHarnessError(() => format.records(createFiles(fileSystem), file)), look, settled, hash: '' }
    case 'database': {
      const database = databases.open(file.path)
      const records = orHarnessError(() => database.snapshot(() => format.records(database, file.key ?? '')))
      // What it looks like is the version its program or its content gives, which needs no time to settle.
      return { records, look, settled: true, hash: '' }
    }
    case 'export': {
      const { readExport } = await import('./read-export.ts')
      return { records: await readExport(file.path, format, fileSystem), look, settled, hash: '' }
    }
  }
}

function readOpened(
  { fileSystem, clock }: CaptureContext,
  path: string,
): { text: string; look: FileLook; settled: boolean } {
  const open = openFile(fileSystem, path)
  try {
    return { text: readText(open), look: open.look, settled: isSettledTime(open.look.modifiedAt, clock()) }
  } finally {
    open.close()
  }
}

/** The file was written anew, or touched, and says what it said when it was read before. */
function isRepeat({ context, found }: FilePass, stored: Checkpoint | undefined, { hash }: Whole): stored is Checkpoint {
  if (hash === '' || stored?.status !== 'active' || isReadmitted(context, stored)) return false
  const { head, sidecar } = parseFingerprint(stored.head)
  return head === hash && sidecar === found.sidecar
}

/** A reading that stopped in its middle begins at the start again, so its checkpoint stays there until it is at its end. */
function write(pass: FilePass, { look, settled, hash }: Whole, records: number, isEnd = true): Promise<void> {
  const { reading, found } = pass
  return putBatch(pass, {
    ...look,
    readTo: isEnd ? look.size : 0,
    records,
    head: formatFingerprint({ head: hash, tail: '', rest: '', sidecar: found.sidecar, settled }),
    // What the harness remembers is of no use to a reading that starts over.
    state: formatMemory({ ...reading.memory, harness: null }),
  })
}
