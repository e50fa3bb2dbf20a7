/** What the archive takes on disk. */

import { createReadStream, statSync } from 'node:fs'
import { createGzip } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import type { BenchArchive } from '../archive.ts'
import { megabytes, type Row } from '../row.ts'

/** Bytes of the archive per byte of transcript, beside the transcripts under gzip -6 and a plain FTS5 index. */
export async function diskRows({ written, engine, database }: BenchArchive, bareDatabase: string): Promise<Row[]> {
  await engine.checkpoint()
  const ours = statSync(database).size
  let packed = 0
  for (const file of written.files) packed += await gzipped(file)
  const index = ftsBytes(bareDatabase)
  return [
    {
      name: 'bytes on disk',
      figure: `${megabytes(ours)}, ${(ours / written.bytes).toFixed(2)} per byte of transcript`,
      baseline: `${megabytes(packed)} gzip -6 + ${megabytes(index)} FTS5 index`,
      ratio: ours / (packed + index),
    },
  ]
}

async function gzipped(file: string): Promise<number> {
  let bytes = 0
  for await (const chunk of createReadStream(file).pipe(createGzip({ level: 6 }))) bytes += (chunk as Buffer).length
  return bytes
}

function ftsBytes(database: string): number {
  const db = new BetterSqlite3(database, { readonly: true })
  const row = db.prepare('SELECT SUM(length(block)) AS bytes FROM words_data').get() as { bytes: number }
  db.close()
  return row.bytes
}
