/** Documents, saves and digests: whole items, written and removed together with their passages. */

import type { Caller } from '../core/caller.ts'
import { removePassages, writePassages } from './context-passages.ts'
import { takeNumbers } from './context-progress.ts'
import { oneOf, visibleContext } from './context-scope.ts'
import { removeStatementsOf } from './context-statements.ts'
import type { Engine, Queryable } from './engine.ts'
import { allOf, type Fragment } from './visible.ts'

export type ItemKind = 'document' | 'save' | 'digest'

/** What Git says of a document; `none` where there is no Git, and for what is no document. */
export type DocumentState = 'tracked' | 'untracked' | 'deleted' | 'generated' | 'none'

/** An item without its content. */
export interface ContextItem {
  pk: number
  /** Public id, unique for its owner and kind. */
  id: string
  kind: ItemKind
  stable_key: string
  /** `documents`, `digests`, or the name a save gave: `claude_code`. */
  source: string
  project_id: string | null
  /** Root of the project or folder, absolute, forward slashes. */
  root: string | null
  /** Below the root, forward slashes; of documents alone. */
  path: string | null
  title: string
  /** Of a document: `rule`, `report`, `tracker`, `manifest`, `script`, `document`; of a save `conversation` or `note`. */
  role: string
  state: DocumentState
  hash: Buffer
  /** JSON; its shape is the kind's own. */
  meta: string
  /** Its own date: a document's last change, the time of a save, the end of a digest's week. Milliseconds. */
  at: number
  indexed_at: number
  /** Gone from disk since then; it has no content and no passages any more. */
  removed_at: number | null
  /** UTF-8 bytes of the content. */
  bytes: number
}

export type NewItem = Omit<ContextItem, 'pk' | 'removed_at' | 'bytes' | 'indexed_at'> & { content: string }

/** A stretch of an item's content, as it is stored. */
export interface NewPassage {
  heading: string
  slug: string
  /** Offset in the content, in UTF-16 units. */
  start: number
  line: number | null
  text: string
}

const ITEM_COLUMNS = `context_item.pk, context_item.id, context_item.kind, context_item.stable_key, context_item.source,
  context_item.project_id, context_item.root, context_item.path, context_item.title, context_item.role,
  context_item.state, context_item.hash, context_item.meta, context_item.at, context_item.indexed_at,
  context_item.removed_at, octet_length(context_item.content) AS bytes`

/** Writes an item and its passages; one of the same kind and id is replaced as a whole. Its number. */
export async function writeItem(
  engine: Engine,
  tx: Queryable,
  owner: number,
  item: NewItem,
  passages: readonly NewPassage[],
  now: number,
): Promise<number> {
  const stored = await tx.get<{ pk: number }>('SELECT pk FROM context_item WHERE owner = ? AND kind = ? AND id = ?', [
    owner,
    item.kind,
    item.id,
  ])
  const pk = stored?.pk ?? (await takeNumbers(tx, 'context_item', 1))
  if (stored) {
    await removePassages(engine, tx, owner, item.kind, [pk])
    await removeStatementsOf(engine, tx, owner, { item: pk })
  }
  const { id, kind, stable_key, source, project_id, root, path, title, role, state, content, hash, meta, at } = item
  await tx.run(
    `INSERT INTO context_item (owner, pk, id, kind, stable_key, source, project_id, root, path, title, role, state,
      content, hash, meta, at, indexed_at, removed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
      ON CONFLICT (owner, kind, id) DO UPDATE SET stable_key = excluded.stable_key, source = excluded.source,
        project_id = excluded.project_id, root = excluded.root, path = excluded.path, title = excluded.title,
        role = excluded.role, state = excluded.state, content = excluded.content, hash = excluded.hash,
        meta = excluded.meta, at = excluded.at, indexed_at = excluded.indexed_at, removed_at = NULL`,
    [owner, pk, id, kind, stable_key, source, project_id, root, path, title, role, state, content, hash, meta, at, now],
  )
  await writePassages(
    engine,
    tx,
    owner,
    passages.map((passage, ordinal) => ({ ...passage, item_pk: pk, kind, ordinal, at, project_id, root })),
  )
  return pk
}

/** Takes items out of every table and lane. */
export async function deleteItems(engine: Engine, tx: Queryable, owner: number, pks: readonly number[]): Promise<void> {
  for (const pk of pks) {
    const item = await tx.get<{ kind: ItemKind }>('SELECT kind FROM context_item WHERE owner = ? AND pk = ?', [
      owner,
      pk,
    ])
    if (!item) continue
    await removePassages(engine, tx, owner, item.kind, [pk])
    await removeStatementsOf(engine, tx, owner, { item: pk })
    await tx.run('DELETE FROM context_item WHERE owner = ? AND pk = ?', [owner, pk])
  }
}

/**
 * A document that is gone from disk while Git still knows it: out of every lane, its content dropped, its row kept as
 * `deleted`, so that a pack can say so.
 */
export async function markDocumentGone(
  engine: Engine,
  tx: Queryable,
  owner: number,
  pk: number,
  now: number,
): Promise<void> {
  await removePassages(engine, tx, owner, 'document', [pk])
  await removeStatementsOf(engine, tx, owner, { item: pk })
  await tx.run("UPDATE context_item SET state = 'deleted', content = '', removed_at = ? WHERE owner = ? AND pk = ?", [
    now,
    owner,
    pk,
  ])
}

/** What Git says now of documents that are themselves unchanged. */
export async function setItemStates(
  tx: Queryable,
  owner: number,
  states: readonly { pk: number; state: DocumentState }[],
): Promise<void> {
  await tx.runMany(
    'UPDATE context_item SET state = ? WHERE owner = ? AND pk = ?',
    states.map(({ pk, state }) => [state, owner, pk]),
  )
}

/** An item by its public id. */
export function findItem(db: Queryable, caller: Caller, kind: ItemKind, id: string): Promise<ContextItem | undefined> {
  return findOne(db, caller, { sql: 'context_item.kind = ? AND context_item.id = ?', params: [kind, id] })
}

export function findItemByPk(db: Queryable, caller: Caller, pk: number): Promise<ContextItem | undefined> {
  return findOne(db, caller, { sql: 'context_item.pk = ?', params: [pk] })
}

/** The item of a stable key; of several (clones of one repository) the one indexed last. */
export function findItemByKey(db: Queryable, caller: Caller, stableKey: string): Promise<ContextItem | undefined> {
  return findOne(db, caller, { sql: 'context_item.stable_key = ?', params: [stableKey] })
}

async function findOne(db: Queryable, caller: Caller, which: Fragment): Promise<ContextItem | undefined> {
  const { sql, params } = allOf(visibleContext(caller, 'context_item'), which)
  return db.get<ContextItem>(
    `SELECT ${ITEM_COLUMNS} FROM context_item WHERE ${sql} ORDER BY context_item.indexed_at DESC, context_item.pk DESC`,
    params,
    caller.signal,
  )
}

/** Items by number, for hits; those that are gone are left out. */
export async function loadItems(
  db: Queryable,
  caller: Caller,
  pks: readonly number[],
): Promise<ReadonlyMap<number, ContextItem>> {
  if (pks.length === 0) return new Map()
  const { sql, params } = allOf(visibleContext(caller, 'context_item'), {
    sql: `context_item.pk IN (${pks.map(() => '?').join(', ')})`,
    params: [...pks],
  })
  const rows = await db.all<ContextItem>(`SELECT ${ITEM_COLUMNS} FROM context_item WHERE ${sql}`, params, caller.signal)
  return new Map(rows.map((row) => [row.pk, row]))
}

/** An item's whole content; empty when it is gone. */
export async function itemContent(db: Queryable, caller: Caller, pk: number): Promise<string> {
  const { sql, params } = allOf(visibleContext(caller, 'context_item'), { sql: 'context_item.pk = ?', params: [pk] })
  const row = await db.get<{ content: string }>(`SELECT content FROM context_item WHERE ${sql}`, params, caller.signal)
  return row?.content ?? ''
}

export interface ItemListing {
  kinds: readonly ItemKind[]
  projectIds?: readonly string[]
  roles?: readonly string[]
  /** With those that are gone from disk. */
  removed?: boolean
  /** Of documents: this path below their root. */
  path?: string
  /** Of documents: their path ends with this name. */
  fileName?: string
  limit: number
}

/** Items by date, the newest first; then by number. */
export async function listItems(db: Queryable, caller: Caller, listing: ItemListing): Promise<ContextItem[]> {
  const { kinds, projectIds, roles, removed = false, path, fileName, limit } = listing
  const { sql, params } = allOf(
    visibleContext(caller, 'context_item'),
    oneOf('context_item.kind', kinds),
    projectIds && oneOf('context_item.project_id', projectIds),
    roles && oneOf('context_item.role', roles),
    removed ? undefined : { sql: 'context_item.removed_at IS NULL', params: [] },
    path === undefined ? undefined : { sql: 'context_item.path = ?', params: [path] },
    fileName === undefined ? undefined : endsWith('context_item.path', fileName),
  )
  return db.all<ContextItem>(
    `SELECT ${ITEM_COLUMNS} FROM context_item WHERE ${sql} ORDER BY context_item.at DESC, context_item.pk DESC LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
}

/** How many items of a kind there are. */
export async function countItems(db: Queryable, caller: Caller, kind: ItemKind): Promise<number> {
  const { sql, params } = allOf(visibleContext(caller, 'context_item'), {
    sql: 'context_item.kind = ? AND context_item.removed_at IS NULL',
    params: [kind],
  })
  const row = await db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM context_item WHERE ${sql}`, params)
  return row?.count ?? 0
}

/** `column` is `name`, or ends with `/` and it. Lengths are in characters, as SQL counts them. */
function endsWith(column: string, name: string): Fragment {
  const length = [...name].length + 1
  return {
    sql: `(${column} = ? OR (length(${column}) >= ? AND substr(${column}, length(${column}) - ? + 1) = ?))`,
    params: [name, length, length, `/${name}`],
  }
}
