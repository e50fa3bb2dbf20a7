/** How fast capture is, against the least that any capture must do. */

import { readFileSync, rmSync, statSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Draft } from '../../src/core/event.ts'
import { layoutOf } from '../../src/harness/harness.ts'
import { type Harness, harnesses } from '../../src/harness/index.ts'
import type { BenchArchive } from '../archive.ts'
import { megabytes, percentile, type Row, timeEach } from '../row.ts'

/** Bytes between two commits of the bare loop: what capture commits at once. */
const COMMIT_BYTES = 4 * 1024 * 1024

export async function captureRows(archive: BenchArchive, folder: string): Promise<Row[]> {
  const { written, seconds } = archive
  const bare = bareLoop(written.files, `${folder}/bare.db`)
  const rescans = await timeEach([1, 2, 3, 4, 5], async () => {
    if ((await archive.capture()) !== 0) throw new Error('the second capture read something')
  })
  const stats = await timeEach([1, 2, 3, 4, 5], () => {
    for (const file of written.files) statSync(file)
  })
  const speed = (time: number): string => `${megabytes(written.bytes / time)}/s`
  return [
    {
      name: `capture of ${megabytes(written.bytes)}, ${written.lines} records`,
      figure: speed(seconds),
      baseline: `${speed(bare)} bare loop`,
      ratio: bare / seconds,
      aim: { least: 0.7 },
    },
    {
      name: `re-scan of ${written.files.length} files, nothing new`,
      figure: `${percentile(rescans, 0.5).toFixed(1)} ms`,
      baseline: `${percentile(stats, 0.5).toFixed(1)} ms stat()`,
      ratio: percentile(rescans, 0.5) / percentile(stats, 0.5),
      aim: { most: 3 },
    },
  ]
}

/** Split, JSON.parse, insert the line, FTS5 index of the texts Varve indexes; the texts are known beforehand. Seconds. */
function bareLoop(files: readonly string[], database: string): number {
  const texts = files.map(textsOf)
  rmSync(database, { force: true })
  const db = new BetterSqlite3(database)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('CREATE TABLE line (pk INTEGER PRIMARY KEY, text TEXT); CREATE VIRTUAL TABLE words USING fts5(text)')
  const insert = db.prepare('INSERT INTO line (text) VALUES (?)')
  const index = db.prepare('INSERT INTO words (text) VALUES (?)')
  const started = performance.now()
  let pending = 0
  db.exec('BEGIN')
  files.forEach((file, place) => {
    const bytes = readFileSync(file)
    let start = 0
    for (let number = 0; ; number++) {
      const end = bytes.indexOf(10, start)
      if (end < 0) break
      const line = bytes.toString('utf8', start, end)
      JSON.parse(line)
      insert.run(line)
      for (const text of texts[place]?.[number] ?? []) index.run(text)
      pending += line.length
      start = end + 1
    }
    if (pending < COMMIT_BYTES) return
    db.exec('COMMIT; BEGIN')
    pending = 0
  })
  db.exec('COMMIT')
  const seconds = (performance.now() - started) / 1000
  db.close()
  return seconds
}

/** The searchable texts of each line. */
function textsOf(path: string): string[][] {
  const harness = harnessOf(path)
  const file = { source: '', path, relative: path.split('/').slice(-4).join('/'), modifiedAt: 0 }
  const layout = layoutOf(harness, file)
  if (!layout) throw new Error(`no layout for ${path}`)
  const state = layout.open(file)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line, index) => layout.read({ value: JSON.parse(line), index }, state, file).drafts.flatMap(text))
}

function text({ type, text }: Draft): string[] {
  return type === 'unknown' || text.trim() === '' ? [] : [text]
}

function harnessOf(path: string): Harness {
  const id = path.includes('/.codex/') ? 'codex' : 'claude-code'
  const harness = harnesses.find((candidate) => candidate.id === id)
  if (!harness) throw new Error(`no harness ${id}`)
  return harness
}
