/** What everything is held against: SQLite's full text search as anyone would set it up in five lines. */

import Database from 'better-sqlite3'
import { eachRun, foldText } from '../src/store/index.ts'
import type { LabelledArchive } from './labelled.ts'

/** FTS5 with `unicode61`, the words of the question joined by OR, ordered by bm25; numbers of events, best first. */
export function plainFts(events: LabelledArchive['events']): { search(text: string, limit: number): number[] } {
  const database = new Database(':memory:')
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='unicode61')")
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)')
  database.transaction(() => {
    for (const [pk, { text }] of events) insert.run(pk, text)
  })()
  const select = database.prepare<[string, number], { pk: number }>(
    'SELECT rowid AS pk FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?',
  )
  return {
    search(text, limit) {
      const folded = foldText(text)
      const words: string[] = []
      eachRun(folded, (start, end) => words.push(`"${folded.slice(start, end)}"`))
      return words.length === 0 ? [] : select.all(words.join(' OR '), limit).map(({ pk }) => pk)
    },
  }
}
