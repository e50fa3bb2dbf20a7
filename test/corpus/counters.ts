/** Ways of counting what a file holds: lines of text, items of lists, rows of tables. */

import { readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

/** What one transcript of a file holds. */
export interface Part {
  /** Which one of a database. */
  key?: string
  records: number
  /** Of a file of lines, those that are ended, blank ones among them; the records where absent. */
  ended?: number
  /** Ids of the main sessions in it, as their client writes them; undefined where it writes none. */
  sessions: string[] | undefined
}

export type Json = Record<string, unknown>

export const json = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json

function jsonOrNone(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const stem = (path: string): string => basename(path).replace(/\.(?:messages\.)?jsonl?$/, '')

export const folder = (path: string, up = 1): string => (up === 0 ? basename(path) : folder(dirname(path), up - 1))

/** One record for each line with something in it; `idOf` names the session of a record, the file those of one without. */
export const lines =
  (idOf: (record: Json, path: string) => unknown, otherwise: (path: string) => string = stem) =>
  (path: string): Part[] => {
    const text = readFileSync(path, 'utf8')
    const written = text.split('\n').filter((line) => line.trim() !== '')
    const ids = written.map((line) => idOf(jsonOrNone(line) ?? {}, path)).filter((id) => typeof id === 'string')
    const sessions = ids.length > 0 ? [...new Set(ids)] : [otherwise(path)]
    return [{ records: written.length, ended: text.split('\n').length - 1, sessions }]
  }

/** Lines whose first record alone names the session. */
export const headed =
  (idOf: (record: Json) => unknown, otherwise?: (path: string) => string) =>
  (path: string): Part[] => {
    const [part] = lines(idOf, otherwise)(path)
    return part ? [{ ...part, sessions: part.sessions?.slice(0, 1) }] : []
  }

/** Lines of a session that its path names. */
export const named = (up: number) => lines(() => undefined, up === 0 ? stem : (path) => folder(path, up))

/** A document's own fields, and each item of a list in it. */
export const document =
  (list: string, id: string, more: (document: Json, path: string) => number = () => 0) =>
  (path: string): Part[] => {
    const content = json(path)
    const items = listOf(content[list] ?? content['history'])
    const session = typeof content[id] === 'string' ? content[id] : stem(path)
    return [{ records: 1 + items.length + more(content, path), sessions: [session] }]
  }

/** Rows of a database: `sql` gives for each transcript its key, its records and its session. */
export const rows =
  (...statements: string[]) =>
  (path: string): Part[] => {
    if (statSync(path).size === 0) return []
    const database = new BetterSqlite3(path, { readonly: true })
    try {
      const sql = statements.find((statement) => canRun(database, statement))
      if (sql === undefined) throw new Error(`no statement counts ${path}`)
      const counted = database.prepare(sql).all() as { key: string; records: number }[]
      return counted.map(({ key, records }) => ({ key, records, sessions: records > 0 ? [key] : [] }))
    } finally {
      database.close()
    }
  }

function canRun(database: BetterSqlite3.Database, statement: string): boolean {
  try {
    database.prepare(statement)
    return true
  } catch {
    return false
  }
}
