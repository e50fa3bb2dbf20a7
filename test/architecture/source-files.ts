/** The program's own source files, as the architecture tests read them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root: string = resolve(import.meta.dirname, '../..')

export interface SourceText {
  /** Below src/, with forward slashes. */
  path: string
  text: string
}

/** Tests, and what only tests use: `x.test.ts`, `x.suite.ts`, `x.testing.ts`, `testing.ts`, `test-archive.ts`. */
const FOR_TESTS = /(\.(test|suite|testing)|(^|\/)(testing|test-[\w-]+))\.ts$/

/** Everything below src/ that ships. */
export function readSources(): SourceText[] {
  const directory = join(root, 'src')
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !FOR_TESTS.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8') }))
}

/** Specifiers of every static and dynamic import and re-export of a module. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}
