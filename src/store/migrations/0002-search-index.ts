/** The text index: what differs most between the engines. */

import type { Migration } from './migration.ts'

const LANES = ['prose', 'trace', 'bulk'] as const

export const searchIndex: Migration = {
  name: '0002-search-index',
  statements: ({ engine, long }) => [
    ...(engine === 'sqlite' ? LANES.flatMap(sqliteLane) : postgresLanes()),

    `CREATE TABLE search_lane (
      owner INTEGER NOT NULL,
      lane TEXT NOT NULL,
      documents ${long} NOT NULL,
      characters ${long} NOT NULL,
      PRIMARY KEY (owner, lane)
    )`,

    `CREATE TABLE common_term (
      lane TEXT NOT NULL,
      term TEXT NOT NULL,
      share REAL NOT NULL,
      PRIMARY KEY (lane, term)
    )`,

    `CREATE TABLE identifier (
      owner INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (owner, name)
    )${engine === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
  ],
}

/**
 * The index holds no text of its own (`content=''`): a document is taken out by saying again what was put in. Tool traffic
 * is most of an archive; without positions and lengths its index is less than half the size. Segments are merged later
 * than FTS5 would by itself, which makes loading a quarter faster, and up to 8 MiB of new terms are held in memory until
 * the commit, where FTS5 would write out a segment at every MiB.
 */
function sqliteLane(lane: (typeof LANES)[number]): string[] {
  const detail = lane === 'bulk' ? 'detail=none, columnsize=0' : 'detail=full'
  const table = `search_${lane}`
  return [
    `CREATE VIRTUAL TABLE ${table} USING fts5(text, content='', ${detail}, tokenize='unicode61 remove_diacritics 2')`,
    `INSERT INTO ${table} (${table}, rank) VALUES ('automerge', 16)`,
    `INSERT INTO ${table} (${table}, rank) VALUES ('hashsize', 8388608)`,
    `CREATE VIRTUAL TABLE ${table}_terms USING fts5vocab(${table}, row)`,
  ]
}

/** One inverted index per lane. `length` is in characters. */
function postgresLanes(): string[] {
  return [
    `CREATE TABLE search_document (
      owner INTEGER NOT NULL,
      pk BIGINT NOT NULL,
      lane TEXT NOT NULL,
      length INTEGER NOT NULL,
      terms TSVECTOR NOT NULL,
      PRIMARY KEY (owner, pk)
    )`,
    ...LANES.map((lane) => `CREATE INDEX search_${lane} ON search_document USING gin (terms) WHERE lane = '${lane}'`),
  ]
}
