import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SourceFile } from '../harness.ts'
import { layoutFor } from '../reading.testing.ts'
import { claudeCode } from './index.ts'
import { jsonlFiles, parseFile, readRecords } from './testing.ts'

const fixtures = join('test', 'fixtures', 'claude-code')
const goldens = join('test', 'golden', 'harness', 'claude-code')

/** What a case's files say, in the order of their paths. */
function readCase(name: string): unknown {
  const root = join(fixtures, name)
  return jsonlFiles(root).map((path) => {
    const below = relative(root, path).replaceAll('\\', '/')
    const file: SourceFile = { source: 'claude', path, relative: below, modifiedAt: 0 }
    const readings = readRecords(parseFile(path), file)
    const [told] = layoutFor(claudeCode, file).sidecars ?? []
    const sidecar = told?.pathOf(file)
    return {
      file: below,
      sidecar: sidecar === undefined ? null : told?.read(JSON.parse(readFileSync(sidecar, 'utf8')), file),
      sessions: readings.flatMap(({ sessions }) => sessions ?? []),
      drafts: readings.flatMap(({ drafts }) => drafts),
    }
  })
}

describe('every fixture reads as its golden file says', () => {
  test.each(readdirSync(fixtures))('%s', (name) => {
    const path = join(goldens, `${name}.json`)
    const actual = `${JSON.stringify(readCase(name), null, 2)}\n`
    if (process.env['UPDATE_GOLDEN'] === '1') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, actual)
    }
    expect(actual).toBe(readFileSync(path, 'utf8'))
  })
})
