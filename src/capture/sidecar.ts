/** A sidecar tells something about the session of the transcript beside it; it is read anew when it changes. */

import type { Sidecar } from '../harness/harness.ts'
import { type FileSystem, openFile, ReadFailure } from './file-system.ts'
import { addProblem, addReading, type FileReading, type RecordBatch } from './record-batch.ts'

/** Largest sidecar that is read. */
const SIDECAR_LIMIT = 32 * 1024 * 1024

/** Place of what a sidecar says: before the first record. */
const NO_RECORD = -1

/** Takes what the sidecars say into the batch. */
export function addSidecars(batch: RecordBatch, reading: FileReading, fileSystem: FileSystem): void {
  for (const sidecar of reading.layout.sidecars ?? []) addSidecar(batch, reading, sidecar, fileSystem)
}

function addSidecar(batch: RecordBatch, reading: FileReading, sidecar: Sidecar, fileSystem: FileSystem): void {
  const { harness, file, memory, scrubber } = reading
  const path = sidecar.pathOf(file)
  if (path === undefined) return
  try {
    const text = readWhole(fileSystem, path)
    const value: unknown = sidecar.format === 'text' ? text : JSON.parse(text)
    const said = sidecar.read(value, file, memory.session ?? undefined)
    addReading(batch, said, { harness: harness.id, recordIndex: NO_RECORD, text: '' }, reading)
  } catch (error) {
    const reason =
      error instanceof ReadFailure ? error.reason : error instanceof SyntaxError ? 'not-json' : 'harness-error'
    if (reason !== 'missing') addProblem(batch, NO_RECORD, reason, scrubber.text(`sidecar ${path}: ${String(error)}`))
  }
}

function readWhole(fileSystem: FileSystem, path: string): string {
  const open = openFile(fileSystem, path)
  try {
    if (open.look.size > SIDECAR_LIMIT) throw new ReadFailure('unreadable', `${open.look.size} bytes are too many`)
    const bytes = Buffer.allocUnsafe(open.look.size)
    return bytes.toString('utf8', 0, open.read(bytes, 0)).replace(/^\ufeff/, '')
  } finally {
    open.close()
  }
}
