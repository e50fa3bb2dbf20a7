/** Further places to read a harness's transcripts from, as the user's configuration names them. */

import { join } from 'node:path'
import { UserError } from '../core/errors.ts'
import type { Harness, SourceDefinition } from '../harness/harness.ts'
import { ownPlace } from './own-place.ts'

export interface ExtraSource {
  /** Public name, unique among all sources. */
  name: string
  /** Id of the harness whose format the files have. */
  harness: string
  /** Folder to look through, absolute. */
  path: string
}

const TRANSCRIPT_NAME = /\.jsonl(\.zst)?$/

/** The harnesses with the further sources. @throws UserError `usage` for a harness or a name that cannot be */
export function withExtraSources(harnesses: readonly Harness[], extra: readonly ExtraSource[]): readonly Harness[] {
  const taken = new Set(harnesses.flatMap(({ sources }) => sources.map(({ name }) => name)))
  for (const { name, harness } of extra) {
    const field = `sources.${name}`
    if (!harnesses.some(({ id }) => id === harness)) {
      const known = harnesses.map(({ id }) => id).join(', ')
      throw new UserError('usage', `source ${name} is of no known harness: ${harness}`, {
        field,
        remedy: `use one of ${known}`,
      })
    }
    if (taken.has(name)) {
      throw new UserError('usage', `there are two sources named ${name}`, { field, remedy: 'give it another name' })
    }
    taken.add(name)
  }
  return harnesses.map((harness) => {
    const own = extra.filter((source) => source.harness === harness.id)
    return own.length === 0
      ? harness
      : { ...harness, sources: [...harness.sources, ...own.map((source) => toSource(harness, source))] }
  })
}

/** Takes what lies as in one of the harness's own sources and, where it writes lines, every file of lines. */
function toSource({ sources, layouts }: Harness, { name, path }: ExtraSource): SourceDefinition {
  const writesLines = layouts.some(({ format }) => format.kind === 'jsonl')
  const placeOf = (relative: string) => ownPlace(sources, join(path, relative), relative)
  return {
    name,
    roots: () => [path],
    matches: (relative) => (writesLines && TRANSCRIPT_NAME.test(relative)) || placeOf(relative) !== undefined,
    ownPath: (relative) => placeOf(relative)?.relative ?? relative,
  }
}
