/** Reads what is new in one transcript and hands it to the store, batch by batch. */

import type { Checkpoint } from '../store/batch.ts'
import { captureLines } from './capture-lines.ts'
import { captureWhole } from './capture-whole.ts'
import type { FoundFile } from './discover.ts'
import type { CaptureContext } from './file-pass.ts'
import { noteUnreadable } from './file-status.ts'
import { ReadFailure } from './file-system.ts'

/**
 * Reads a file as its format asks for. One that may not or cannot be read is noted as such in the archive and the report.
 * @throws when the store fails.
 */
export async function captureFile(
  context: CaptureContext,
  found: FoundFile,
  stored: Checkpoint | undefined,
): Promise<void> {
  const read = found.layout.format.kind === 'jsonl' ? captureLines : captureWhole
  try {
    await read(context, found, stored)
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    await noteUnreadable(context, found, stored, error)
  }
}
