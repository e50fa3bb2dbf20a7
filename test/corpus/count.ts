/** Counts what a home holds without any of the readers. */

import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Part } from './counters.ts'
import { KINDS } from './kinds.ts'

/** A transcript that capture should find. */
export interface Counted extends Required<Omit<Part, 'key'>> {
  harness: string
  source: string
  /** Path below the home; for one in a database with `#` and its key. */
  path: string
}

/** Every transcript in a home, in the order of their paths. */
export function countHome(home: string): Counted[] {
  return filesIn(home).flatMap((path) => {
    const kind = KINDS.find(({ pattern }) => pattern.test(path))
    if (!kind) return []
    const { harness, source } = kind
    return kind.count(join(home, path)).map(({ key, records, ended = records, sessions }) => ({
      harness,
      source,
      path: key === undefined ? path : `${path}#${key}`,
      records,
      ended,
      sessions,
    }))
  })
}

/** Paths of all files below a home, with forward slashes, in order. */
export function filesIn(home: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
