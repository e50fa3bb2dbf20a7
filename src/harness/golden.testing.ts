/** For tests of harnesses: what a harness makes of a folder of fixtures, held against a file that a person has read. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect } from 'vitest'
import type { Harness } from './harness.ts'
import { readFileOf } from './reading.testing.ts'

/**
 * Reads every transcript below `root`, the source's root, and compares drafts and session facts with
 * `test/golden/harness/<harness>/<name>.json`, which `UPDATE_GOLDEN=1` writes anew.
 */
export async function expectGolden(harness: Harness, root: string, name: string): Promise<void> {
  const files: unknown[] = []
  // An export lies nowhere of its own.
  const isExported = harness.layouts.every(({ format }) => format.kind === 'export')
  for (const path of filesBelow(root)) {
    const below = relative(root, path).split(sep).join('/')
    if (!isExported && !harness.sources.some(({ matches }) => matches(below))) continue
    const { sessions, drafts } = await readFileOf(harness, path, { root })
    files.push({ file: below, sessions, drafts })
  }
  expect(files.length).toBeGreaterThan(0)
  const golden = join('test', 'golden', 'harness', harness.id, `${name}.json`)
  const actual = `${JSON.stringify(files, null, 2)}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(golden), { recursive: true })
    writeFileSync(golden, actual)
  }
  expect(actual).toBe(readFileSync(golden, 'utf8'))
}

/** Every file below a folder, in a stable order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .sort()
}
