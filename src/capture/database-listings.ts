/**
 * What databases hold, kept in the archive: a new process need not open a database that looks as it did. Whether each of
 * its transcripts has been read is told by that one's own checkpoint.
 */

import { hash128 } from '../core/hash.ts'
import { loadCheckpoint } from '../store/index.ts'
import type { Listing } from './databases.ts'
import type { FoundFile } from './discover.ts'
import type { CaptureContext } from './file-pass.ts'
import { writeStatus } from './file-status.ts'

/** Marks the checkpoint of a database among those of transcripts. */
const MARK = 'database.'

/** Gives the listings of earlier processes to this one. `looks`: by source and path, as `loadFileLooks` says them. */
export async function recallListings(
  { engine, owner, databases }: CaptureContext,
  looks: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<void> {
  for (const [source, known] of looks) {
    for (const [path, look] of known) {
      if (!look.endsWith(MARK)) continue
      const stored = await loadCheckpoint(engine, owner, source, path)
      if (stored?.status === 'active') databases.recall(path, JSON.parse(stored.state) as Listing)
    }
  }
}

/** Keeps what was listed anew in this pass. */
export async function keepListings(context: CaptureContext, files: readonly FoundFile[]): Promise<void> {
  const listed = context.databases.takeListed()
  const kept = new Set<string>()
  for (const { file, harness } of listed.size === 0 ? [] : files) {
    const listing = listed.get(file.path)
    if (!listing || kept.has(file.path)) continue
    kept.add(file.path)
    await writeStatus(context, {
      source: file.source,
      harness: harness.id,
      path: file.path,
      identity: `:${hash128(listing.look).toString('hex')}`,
      size: 0,
      modifiedAt: 0,
      readTo: 0,
      records: 0,
      head: MARK,
      state: JSON.stringify(listing),
      status: 'active',
      statusReason: null,
    })
  }
}
