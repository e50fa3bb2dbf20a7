/** Searches of five classes, against FTS5's own ranking of the same words. */

import BetterSqlite3 from 'better-sqlite3'
import { searchEvents } from '../../src/retrieval/search.ts'
import type { BenchArchive } from '../archive.ts'
import { makeGenerator, type QueryClass } from '../generate.ts'
import { milliseconds, percentile, type Row, timeEach } from '../row.ts'

const QUERIES = 60
const WORDS = 3

const DEFAULT_TYPES = ['user_input', 'assistant_response'] as const

/** Milliseconds at the 95th percentile that a search for common words may take. */
const COMMON_BOUND = 30

export async function searchRows(archive: BenchArchive): Promise<Row[]> {
  const generator = makeGenerator(2)
  const queries = (kind: QueryClass): string[] => Array.from({ length: QUERIES }, () => generator.query(kind, WORDS))
  const rows: Row[] = []
  for (const kind of ['rare', 'typical', 'common'] as const) rows.push(await classRow(archive, kind, queries(kind)))
  rows.push(await phraseRow(archive, queries('typical')))
  rows.push(await scopedRow(archive, queries('typical')))
  rows.push(await toolRow(archive, queries('typical')))
  return rows
}

async function classRow(archive: BenchArchive, kind: QueryClass, queries: string[]): Promise<Row> {
  const ours = await measure(archive, queries)
  const plain = plainTimes(archive.database, queries.map(anyWord))
  const p95 = percentile(ours, 0.95)
  const row = { name: `search, ${kind} words`, figure: spread(ours), baseline: `${spread(plain)} FTS5 bm25()` }
  if (kind !== 'common') return { ...row, ratio: p95 / percentile(plain, 0.95), aim: { most: 2 } }
  return { ...row, baseline: `${row.baseline}; bound ${COMMON_BOUND} ms`, ratio: p95 / COMMON_BOUND, aim: { most: 1 } }
}

/** Two words that stand next to each other somewhere. */
async function phraseRow(archive: BenchArchive, queries: string[]): Promise<Row> {
  const phrases = queries.map((query) => query.split(' ').slice(0, 2).join(' '))
  const ours = await measure(
    archive,
    phrases.map((phrase) => `"${phrase}"`),
  )
  const plain = plainTimes(
    archive.database,
    phrases.map((phrase) => `"${phrase}"`),
  )
  return compared('search, phrase', ours, plain, 'FTS5 bm25()')
}

/** Within one session, against the same words everywhere: a scope must not cost. */
async function scopedRow(archive: BenchArchive, queries: string[]): Promise<Row> {
  const middle = await archive.engine.get<{ pk: number }>('SELECT pk FROM session ORDER BY pk LIMIT 1 OFFSET ?', [50])
  if (!middle) throw new Error('the archive is too small')
  const ours = await measure(archive, queries, middle.pk)
  return compared('search, scoped to a session', ours, await measure(archive, queries), 'everywhere')
}

/** What a client waits for: the search, and the session and turn of each hit. Only reported. */
async function toolRow(archive: BenchArchive, queries: string[]): Promise<Row> {
  const whole = await timeEach(queries, (query) => archive.call('search_sessions', { query }))
  const { aim: _aim, ...row } = compared(
    'search_sessions, typical words',
    whole,
    await measure(archive, queries),
    'search',
  )
  return row
}

function compared(name: string, ours: number[], theirs: number[], what: string): Row {
  const ratio = percentile(ours, 0.95) / percentile(theirs, 0.95)
  return { name, figure: spread(ours), baseline: `${spread(theirs)} ${what}`, ratio, aim: { most: 2 } }
}

/** Candidates, ranking and snippets: what is held against the bare statement, which does the first of the three. */
async function measure({ app, engine }: BenchArchive, queries: readonly string[], session?: number): Promise<number[]> {
  const caller = await app.caller()
  const scope = session === undefined ? {} : { session }
  return timeEach(queries, (query) =>
    searchEvents(engine, caller, { query, types: DEFAULT_TYPES, limit: 10, ...scope }),
  )
}

function anyWord(query: string): string {
  return query
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' OR ')
}

function plainTimes(database: string, expressions: readonly string[]): number[] {
  const db = new BetterSqlite3(database, { readonly: true })
  const statement = db.prepare(
    'SELECT rowid FROM search_prose WHERE search_prose MATCH ? ORDER BY bm25(search_prose) LIMIT 10',
  )
  const times = expressions.map((expression) => {
    const started = performance.now()
    statement.all(expression)
    return performance.now() - started
  })
  db.close()
  return times
}

function spread(times: readonly number[]): string {
  return `p50 ${milliseconds(percentile(times, 0.5))}, p95 ${milliseconds(percentile(times, 0.95))}`
}
