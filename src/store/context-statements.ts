/** Statements: decisions and constraints, each with the exact place it stands at. */

import type { Caller } from '../core/caller.ts'
import { removePassages, writePassages } from './context-passages.ts'
import { takeNumbers } from './context-progress.ts'
import { oneOf, visibleContext } from './context-scope.ts'
import type { Engine, Queryable, SqlValue } from './engine.ts'
import { allOf, type Fragment } from './visible.ts'

export type StatementKind = 'decision' | 'constraint'
export type StatementOrigin = 'session' | 'document' | 'save'
export type SaidBy = 'user' | 'assistant' | 'document' | 'save'

export interface NewStatement {
  /** Stable key, unique for its owner: `statement:<kind>:<parent key>@<sha1-8>`. */
  key: string
  kind: StatementKind
  /** Verbatim. */
  text: string
  origin: StatementOrigin
  session_pk: number | null
  event_pk: number | null
  item_pk: number | null
  /** Offset in the event's text or the item's content, in UTF-16 units. */
  start: number
  line: number | null
  said_by: SaidBy
  at: number
  project_id: string | null
  /** Of its item, or its session's working directory. */
  root: string | null
  /** Stems of its subject. */
  subject: readonly string[]
}

/** A statement with what is shown of where it stands. */
export interface StatementView extends NewStatement {
  pk: number
  /** Number of a later statement that says otherwise. */
  superseded_by: number | null
  /** Of a document, below its root. */
  path: string | null
  /** Public id of its item; null for one from a session. */
  item_id: string | null
  /** Role of its document: a tracker's statements are told apart. */
  item_role: string | null
  item_state: string | null
  item_key: string | null
  /** Of its session; null for one from an item. */
  session_id: Buffer | null
  event_id: Buffer | null
  harness: string | null
  native_id: string | null
  session_title: string | null
}

interface StatementRow extends Omit<StatementView, 'subject'> {
  subject: string
}

const VIEW = `statement.pk, statement.key, statement.kind, statement.text, statement.origin, statement.session_pk,
  statement.event_pk, statement.item_pk, statement.start, statement.line, statement.said_by, statement.at,
  statement.project_id, statement.root, statement.subject, statement.superseded_by, context_item.path,
  context_item.id AS item_id, context_item.role AS item_role, context_item.state AS item_state,
  context_item.stable_key AS item_key, session.id AS session_id, event.id AS event_id, session.harness,
  session.native_id, session.title AS session_title`

const JOINS = `FROM statement
  LEFT JOIN context_item ON context_item.owner = statement.owner AND context_item.pk = statement.item_pk
  LEFT JOIN session ON session.owner = statement.owner AND session.pk = statement.session_pk
  LEFT JOIN event ON event.owner = statement.owner AND event.pk = statement.event_pk`

/**
 * Writes statements, each as a passage of its own too. One with a key that is stored takes the other's place when it is
 * as new or newer. The numbers of those written.
 */
export async function writeStatements(
  engine: Engine,
  tx: Queryable,
  owner: number,
  statements: readonly NewStatement[],
): Promise<number[]> {
  const byKey = new Map<string, NewStatement>()
  for (const statement of statements) {
    const known = byKey.get(statement.key)
    if (!known || statement.at >= known.at) byKey.set(statement.key, statement)
  }
  const fresh: NewStatement[] = []
  for (const statement of byKey.values()) {
    const stored = await tx.get<{ pk: number; at: number }>(
      'SELECT pk, at FROM statement WHERE owner = ? AND key = ?',
      [owner, statement.key],
    )
    if (stored && stored.at > statement.at) continue
    if (stored) await removeRows(engine, tx, owner, [stored.pk])
    fresh.push(statement)
  }
  if (fresh.length === 0) return []
  const first = await takeNumbers(tx, 'statement', fresh.length)
  await tx.runMany(
    `INSERT INTO statement (owner, pk, key, kind, text, origin, session_pk, event_pk, item_pk, start, line, said_by, at,
      project_id, root, subject, superseded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)`,
    fresh.map((each, index) => statementValues(owner, first + index, each)),
  )
  await writePassages(
    engine,
    tx,
    owner,
    fresh.map(({ text, start, line, at, project_id, root }, index) => ({
      item_pk: first + index,
      kind: 'statement',
      ordinal: 0,
      heading: '',
      slug: '',
      start,
      line,
      text,
      at,
      project_id,
      root,
    })),
  )
  return fresh.map((_, index) => first + index)
}

function statementValues(owner: number, pk: number, each: NewStatement): SqlValue[] {
  const { key, kind, text, origin, session_pk, event_pk, item_pk, start, line, said_by, at, project_id, root } = each
  return [
    owner,
    pk,
    key,
    kind,
    text,
    origin,
    session_pk,
    event_pk,
    item_pk,
    start,
    line,
    said_by,
    at,
    project_id,
    root,
    JSON.stringify(each.subject),
  ]
}

/** Takes out all statements of a session, of some of its events, or of an item. How many there were. */
export async function removeStatementsOf(
  engine: Engine,
  tx: Queryable,
  owner: number,
  of: { session: number; fromEvent?: number } | { item: number },
): Promise<number> {
  const { sql, params } =
    'item' in of
      ? { sql: 'item_pk = ?', params: [of.item] }
      : { sql: 'session_pk = ? AND event_pk >= ?', params: [of.session, of.fromEvent ?? 0] }
  const rows = await tx.all<{ pk: number }>(`SELECT pk FROM statement WHERE owner = ? AND ${sql}`, [owner, ...params])
  await removeRows(
    engine,
    tx,
    owner,
    rows.map(({ pk }) => pk),
  )
  return rows.length
}

async function removeRows(engine: Engine, tx: Queryable, owner: number, pks: readonly number[]): Promise<void> {
  if (pks.length === 0) return
  await removePassages(engine, tx, owner, 'statement', pks)
  const rows = pks.map((pk) => [owner, pk])
  await tx.runMany('UPDATE statement SET superseded_by = NULL WHERE owner = ? AND superseded_by = ?', rows)
  await tx.runMany('DELETE FROM statement WHERE owner = ? AND pk = ?', rows)
}

/** Statements by number; those that are gone are left out. */
export async function loadStatements(
  db: Queryable,
  caller: Caller,
  pks: readonly number[],
): Promise<ReadonlyMap<number, StatementView>> {
  if (pks.length === 0) return new Map()
  const rows = await select(db, caller, {
    sql: `statement.pk IN (${pks.map(() => '?').join(', ')})`,
    params: [...pks],
  })
  return new Map(rows.map((row) => [row.pk, row]))
}

export async function findStatementByKey(
  db: Queryable,
  caller: Caller,
  key: string,
): Promise<StatementView | undefined> {
  const [found] = await select(db, caller, { sql: 'statement.key = ?', params: [key] })
  return found
}

export interface StatementListing {
  projectIds?: readonly string[]
  kinds?: readonly StatementKind[]
  session?: number
  item?: number
  /** Only those no later one contradicts. */
  standing?: boolean
  limit: number
}

/** Statements by date, the newest first. */
export async function listStatements(
  db: Queryable,
  caller: Caller,
  listing: StatementListing,
): Promise<StatementView[]> {
  const { projectIds, kinds, session, item, standing, limit } = listing
  const which = allOf(
    { sql: '1 = 1', params: [] },
    projectIds && oneOf('statement.project_id', projectIds),
    kinds && oneOf('statement.kind', kinds),
    session === undefined ? undefined : { sql: 'statement.session_pk = ?', params: [session] },
    item === undefined ? undefined : { sql: 'statement.item_pk = ?', params: [item] },
    standing ? { sql: 'statement.superseded_by IS NULL', params: [] } : undefined,
  )
  return select(db, caller, which, limit)
}

/** How many statements there are. */
export async function countStatements(db: Queryable, caller: Caller): Promise<number> {
  const { sql, params } = visibleContext(caller, 'statement')
  const row = await db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM statement WHERE ${sql}`, params)
  return row?.count ?? 0
}

/** Marks statements as superseded by others: pairs of numbers, the older first. */
export async function supersede(
  tx: Queryable,
  owner: number,
  pairs: readonly (readonly [older: number, newer: number])[],
): Promise<void> {
  await tx.runMany(
    'UPDATE statement SET superseded_by = ? WHERE owner = ? AND pk = ?',
    pairs.map(([older, newer]) => [newer, owner, older]),
  )
}

async function select(db: Queryable, caller: Caller, which: Fragment, limit = 1_000): Promise<StatementView[]> {
  const { sql, params } = allOf(visibleContext(caller, 'statement'), which)
  const rows = await db.all<StatementRow>(
    `SELECT ${VIEW} ${JOINS} WHERE ${sql} ORDER BY statement.at DESC, statement.pk DESC LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
  return rows.map((row) => ({ ...row, subject: JSON.parse(row.subject) as string[] }))
}
