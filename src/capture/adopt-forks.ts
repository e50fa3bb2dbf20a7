/**
 * A fork holds a copy of its parent's history, which does not count while the parent is in the archive. Clients delete
 * old transcripts, so the parent may be gone: then the copy is all there is, and the fork adopts it. Whether the parent is
 * there is known at the end of a pass alone.
 */

import { adoptFork, excludedStates, type OrphanedFork, orphanedForks } from '../store/index.ts'
import type { CaptureContext } from './file-pass.ts'
import { parseMemory } from './record-batch.ts'

/** Adopts what can be. The paths of the checkpoints whose files are to be read again. */
export async function adoptForks(context: CaptureContext): Promise<Set<string>> {
  const { engine, owner } = context
  const paths = new Set<string>()
  for (const fork of await orphanedForks(engine, owner)) {
    if (await isParentExcluded(context, fork)) continue
    for (const path of await adoptFork(engine, owner, fork)) paths.add(path)
  }
  return paths
}

/** The parent's folder is left out, so that it is not in the archive on purpose. */
async function isParentExcluded({ engine, owner, places }: CaptureContext, fork: OrphanedFork): Promise<boolean> {
  const states = await excludedStates(engine, owner, fork.harness)
  return states.some((state) => places.isExcluded(parseMemory(state).directories.get(fork.parentNativeId)))
}
