/** Where a file outside a harness's own folders would lie within them. */

import { sep } from 'node:path'
import type { SourceDefinition } from '../harness/harness.ts'

/** Parts of a path a harness may need to place a transcript. */
const PATH_PARTS = 8

/**
 * The source that takes a file for its own, and the path below its root the file would have: `relative`, its path in the
 * folder somebody named, where a source matches that, else the longest end of its whole path that one does.
 */
export function ownPlace(
  sources: readonly SourceDefinition[],
  path: string,
  relative: string,
): { source: SourceDefinition; relative: string } | undefined {
  const parts = path.split(sep).filter((part) => part !== '')
  const ends = parts.slice(-PATH_PARTS).map((_part, index, last) => last.slice(index).join('/'))
  for (const end of relative === '' ? ends : [relative, ...ends]) {
    const source = sources.find((candidate) => candidate.matches(end))
    if (source) return { source, relative: end }
  }
  return undefined
}
