/** Workflows as they are stored: who owns them, how they are found and listed. Their graphs lie apart, by content. */

import type { Queryable, SqlValue } from './engine.ts'
import { allOf, type Fragment } from './visible.ts'

/** Owner of what comes with Varve. No caller has this number. */
export const SYSTEM_OWNER = 0

export interface WorkflowRow {
  owner: number
  id: string
  slug: string
  name: string
  description: string
  version: string
  visibility: 'public' | 'private'
  revision: number
  hash: Buffer
  /** Of the bundled definition this one was installed from; null for what users wrote. */
  bundle_hash: Buffer | null
  created_at: number
  updated_at: number
}

const WORKFLOW_VIEW = `workflow.owner, workflow.id, workflow.slug, workflow.name, workflow.description, workflow.version,
  workflow.visibility, workflow.revision, workflow.hash, workflow.bundle_hash, workflow.created_at, workflow.updated_at`

/** The condition on the table `workflow`: not deleted, and the owner's own or public. */
const VISIBLE = "workflow.deleted_at IS NULL AND (workflow.owner = ? OR workflow.visibility = 'public')"

/** A workflow by its id, if `owner` may see it; an own one comes before another's. */
export async function findWorkflow(db: Queryable, owner: number, id: string): Promise<WorkflowRow | undefined> {
  const sql = `SELECT ${WORKFLOW_VIEW} FROM workflow WHERE workflow.owner = ? AND workflow.id = ? AND workflow.deleted_at IS NULL`
  const own = await db.get<WorkflowRow>(sql, [owner, id])
  if (own) return own
  return db.get<WorkflowRow>(
    `SELECT ${WORKFLOW_VIEW} FROM workflow
      WHERE workflow.id = ? AND workflow.visibility = 'public' AND workflow.deleted_at IS NULL
      ORDER BY workflow.owner LIMIT 1`,
    [id],
  )
}

/** A workflow by its owner and slug, if `owner` may see it. */
export async function findWorkflowBySlug(
  db: Queryable,
  owner: number,
  slugOwner: number,
  slug: string,
): Promise<WorkflowRow | undefined> {
  return db.get<WorkflowRow>(
    `SELECT ${WORKFLOW_VIEW} FROM workflow WHERE workflow.owner = ? AND workflow.slug = ? AND ${VISIBLE}`,
    [slugOwner, slug, owner],
  )
}

/** The JSON of a definition; undefined when `owner` has none of that hash. */
export async function loadGraph(db: Queryable, owner: number, hash: Uint8Array): Promise<string | undefined> {
  const row = await db.get<{ graph: string }>('SELECT graph FROM workflow_snapshot WHERE owner = ? AND hash = ?', [
    owner,
    hash,
  ])
  return row?.graph
}

/** Keeps a definition under its hash. */
export async function keepGraph(tx: Queryable, owner: number, hash: Uint8Array, graph: string): Promise<void> {
  await tx.run(
    'INSERT INTO workflow_snapshot (owner, hash, graph) VALUES (?, ?, ?) ON CONFLICT (owner, hash) DO NOTHING',
    [owner, hash, graph],
  )
}

/** Gives `to` the definition that `from` keeps under that hash. */
export async function shareGraph(tx: Queryable, from: number, to: number, hash: Uint8Array): Promise<void> {
  if (from === to) return
  await tx.run(
    `INSERT INTO workflow_snapshot (owner, hash, graph)
      SELECT ?, hash, graph FROM workflow_snapshot WHERE owner = ? AND hash = ? ON CONFLICT (owner, hash) DO NOTHING`,
    [to, from, hash],
  )
}

/** Drops a definition that neither a workflow nor a run of its owner names any more. */
export async function dropUnusedGraph(tx: Queryable, owner: number, hash: Uint8Array): Promise<void> {
  await tx.run(
    `DELETE FROM workflow_snapshot WHERE owner = ? AND hash = ?
      AND NOT EXISTS (SELECT 1 FROM workflow WHERE workflow.owner = ? AND workflow.hash = ?)
      AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.owner = ? AND execution.hash = ?)`,
    [owner, hash, owner, hash, owner, hash],
  )
}

export async function insertWorkflow(tx: Queryable, row: WorkflowRow): Promise<void> {
  await tx.run(
    `INSERT INTO workflow (owner, id, slug, name, description, version, visibility, revision, hash, bundle_hash, name_key,
      search_text, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[row.owner, row.id, row.slug, row.name, row.description, row.version, row.visibility, row.revision],
      ...[row.hash, row.bundle_hash, row.name.toLowerCase(), searchText(row), row.created_at, row.updated_at],
    ],
  )
}

/** Writes what changed of a workflow, if its revision is still `revision`; false when it is another. */
export async function replaceWorkflow(tx: Queryable, row: WorkflowRow, revision: number): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE workflow SET name = ?, description = ?, version = ?, visibility = ?, revision = ?, hash = ?, bundle_hash = ?,
      name_key = ?, search_text = ?, updated_at = ? WHERE owner = ? AND id = ? AND revision = ? AND deleted_at IS NULL`,
    [
      ...[row.name, row.description, row.version, row.visibility, row.revision, row.hash, row.bundle_hash],
      ...[row.name.toLowerCase(), searchText(row), row.updated_at, row.owner, row.id, revision],
    ],
  )
  return changed > 0
}

export async function markWorkflowDeleted(tx: Queryable, owner: number, id: string, now: number): Promise<void> {
  await tx.run('UPDATE workflow SET deleted_at = ? WHERE owner = ? AND id = ? AND deleted_at IS NULL', [now, owner, id])
}

/** Whether an owner has, or had, a workflow of that id: ids are never used again. */
export async function workflowIdTaken(db: Queryable, owner: number, id: string): Promise<boolean> {
  return (await db.get('SELECT id FROM workflow WHERE owner = ? AND id = ?', [owner, id])) !== undefined
}

/** What is bundled: by slug, the hashes of what stands there and of what was installed. */
export async function listBundled(db: Queryable): Promise<WorkflowRow[]> {
  return db.all<WorkflowRow>(`SELECT ${WORKFLOW_VIEW} FROM workflow WHERE owner = ? AND deleted_at IS NULL`, [
    SYSTEM_OWNER,
  ])
}

function searchText({ name, description }: WorkflowRow): string {
  return `${name}\n${description}`.toLowerCase()
}

export interface WorkflowListing {
  owner: number
  /** Part of the name or description, in any case. */
  search?: string
  visibility?: 'public' | 'private'
  sort: 'createdAt' | 'name'
  descending: boolean
  limit: number
  offset: number
}

/**
 * One page of the workflows an owner may see, and how many there are. Own ones and those of others are read in order
 * from an index each, so that a page costs its place and not the length of the list.
 */
export async function listWorkflowRows(
  db: Queryable,
  listing: WorkflowListing,
): Promise<{ rows: WorkflowRow[]; total: number }> {
  const matching = searchCondition(listing.search)
  const own = allOf(
    { sql: 'owner = ? AND deleted_at IS NULL', params: [listing.owner] },
    ofVisibility(listing),
    matching,
  )
  const others = allOf(
    { sql: "visibility = 'public' AND deleted_at IS NULL AND owner <> ?", params: [listing.owner] },
    matching,
  )
  const branches = listing.visibility === 'private' ? [own] : [own, others]
  const counts = await Promise.all(branches.map((branch) => count(db, branch)))
  const total = counts.reduce((sum, each) => sum + each, 0)
  if (listing.offset >= total) return { rows: [], total }
  const column = listing.sort === 'name' ? 'name_key' : 'created_at'
  const direction = listing.descending ? 'DESC' : 'ASC'
  const order = (table: string) =>
    `ORDER BY ${table}.${column} ${direction}, ${table}.id ${direction}, ${table}.owner ${direction}`
  const head = listing.offset + listing.limit
  const parts = branches.map((branch) => ({
    sql: `SELECT * FROM (SELECT owner, id, ${column} FROM workflow WHERE ${branch.sql} ${order('workflow')} LIMIT ?) AS part`,
    params: [...branch.params, head],
  }))
  const rows = await db.all<WorkflowRow>(
    `SELECT ${WORKFLOW_VIEW} FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS found
      JOIN workflow ON workflow.owner = found.owner AND workflow.id = found.id ${order('workflow')} LIMIT ? OFFSET ?`,
    [...parts.flatMap(({ params }) => params), listing.limit, listing.offset],
  )
  return { rows, total }
}

async function count(db: Queryable, condition: Fragment): Promise<number> {
  const row = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM workflow WHERE ${condition.sql}`, condition.params)
  return row?.n ?? 0
}

function ofVisibility({ visibility }: WorkflowListing): Fragment | undefined {
  return visibility === undefined ? undefined : { sql: 'visibility = ?', params: [visibility] }
}

function searchCondition(search: string | undefined): Fragment | undefined {
  if (search === undefined || search === '') return undefined
  return { sql: "search_text LIKE ? ESCAPE '\\'", params: [containing(search.toLowerCase())] }
}

/** The LIKE pattern for "contains this text". */
export function containing(text: string): SqlValue {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
