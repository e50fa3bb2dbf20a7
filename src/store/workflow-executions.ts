/** Runs of workflows, and their reminders' place: one row per run, its state as one piece of JSON. */

import type { Engine, Queryable, SqlValue } from './engine.ts'
import { allOf, type Fragment } from './visible.ts'
import { containing } from './workflow-definitions.ts'

/** The attempt a run waits for; all null when there is none. */
export interface LiveAttempt {
  attempt_id: string | null
  /** `outcome_unknown` blocks the run. */
  attempt_state: 'presented' | 'processing' | 'outcome_unknown' | null
  attempt_node: string | null
  /** The run's revision the attempt is bound to. */
  attempt_revision: number | null
  /** 0 when only an empty answer is taken. */
  takes_input: number | null
  input_hash: Buffer | null
  lease_owner: string | null
  lease_until: number | null
  /** JSON: what the step depends on. */
  surface: string | null
}

export const NO_ATTEMPT: LiveAttempt = {
  attempt_id: null,
  attempt_state: null,
  attempt_node: null,
  attempt_revision: null,
  takes_input: null,
  input_hash: null,
  lease_owner: null,
  lease_until: null,
  surface: null,
}

export interface ExecutionRow extends LiveAttempt {
  owner: number
  id: string
  workflow_owner: number
  workflow_id: string
  /** Of the definition the run last stood in. */
  hash: Buffer
  status: 'running' | 'completed'
  outcome: 'completed' | 'cancelled' | null
  /** The node the run waits on, in the innermost workflow. */
  node_id: string | null
  /** Steps that were persisted. */
  revision: number
  parent_id: string | null
  parent_count: number
  reminder_count: number
  context_count: number
  error_count: number
  note: string | null
  created_at: number
  updated_at: number
  ended_at: number | null
  state: string
}

/** A run with what a call on it needs at once. */
export interface LoadedExecution extends ExecutionRow {
  /** The definition as it stands now; null when the run's owner may not see the workflow any more. */
  current_hash: Buffer | null
  running_children: number
}

const EXECUTION_COLUMNS = `execution.owner, execution.id, execution.workflow_owner, execution.workflow_id, execution.hash,
  execution.status, execution.outcome, execution.node_id, execution.revision, execution.parent_id,
  execution.parent_count, execution.reminder_count, execution.context_count, execution.error_count, execution.note,
  execution.created_at, execution.updated_at, execution.ended_at`

const ATTEMPT_COLUMNS = `execution.attempt_id, execution.attempt_state, execution.attempt_node, execution.attempt_revision,
  execution.takes_input, execution.input_hash, execution.lease_owner, execution.lease_until, execution.surface`

const LOAD = `SELECT ${EXECUTION_COLUMNS}, ${ATTEMPT_COLUMNS}, execution.state, workflow.hash AS current_hash,
    (SELECT COUNT(*) FROM execution AS child WHERE child.owner = execution.owner AND child.parent_id = execution.id
      AND child.status = 'running') AS running_children
  FROM execution LEFT JOIN workflow ON workflow.owner = execution.workflow_owner AND workflow.id = execution.workflow_id
    AND workflow.deleted_at IS NULL AND (workflow.owner = execution.owner OR workflow.visibility = 'public')
  WHERE execution.owner = ? AND execution.id = ?`

/** A run of an owner. */
export async function loadExecution(db: Queryable, owner: number, id: string): Promise<LoadedExecution | undefined> {
  return db.get<LoadedExecution>(LOAD, [owner, id])
}

/** The same in order to change it: others who want to change the run wait until this transaction is over. */
export async function lockExecution(
  engine: Pick<Engine, 'forUpdate'>,
  tx: Queryable,
  owner: number,
  id: string,
): Promise<LoadedExecution | undefined> {
  return tx.get<LoadedExecution>(LOAD + engine.forUpdate('execution'), [owner, id])
}

export async function insertExecution(tx: Queryable, row: ExecutionRow): Promise<void> {
  await tx.run(
    `INSERT INTO execution (status, outcome, node_id, revision, context_count, error_count, note, updated_at, ended_at,
      attempt_id, attempt_state, attempt_node, attempt_revision, takes_input, input_hash, lease_owner, lease_until,
      surface, state, hash, parent_id, parent_count, reminder_count, owner, id, workflow_owner, workflow_id, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...movingValues(row),
      ...besideValues(row),
      ...[row.owner, row.id, row.workflow_owner, row.workflow_id, row.created_at],
    ],
  )
}

/** Writes what a move changes of a run. It leaves out what indexes hold, since SQLite would write those anew each time. */
export async function moveExecution(tx: Queryable, row: ExecutionRow): Promise<void> {
  await tx.run(`UPDATE execution SET ${MOVING} WHERE owner = ? AND id = ?`, [...movingValues(row), row.owner, row.id])
}

/** Writes everything of a run that can change. */
export async function updateExecution(tx: Queryable, row: ExecutionRow): Promise<void> {
  await tx.run(
    `UPDATE execution SET ${MOVING}, hash = ?, parent_id = ?, parent_count = ?, reminder_count = ?
      WHERE owner = ? AND id = ?`,
    [...movingValues(row), ...besideValues(row), row.owner, row.id],
  )
}

const MOVING = `status = ?, outcome = ?, node_id = ?, revision = ?, context_count = ?, error_count = ?, note = ?,
  updated_at = ?, ended_at = ?, attempt_id = ?, attempt_state = ?, attempt_node = ?, attempt_revision = ?, takes_input = ?,
  input_hash = ?, lease_owner = ?, lease_until = ?, surface = ?, state = ?`

/** In the order of the statements. */
function movingValues(row: ExecutionRow): SqlValue[] {
  return [
    ...[row.status, row.outcome, row.node_id, row.revision, row.context_count, row.error_count, row.note],
    ...[row.updated_at, row.ended_at, row.attempt_id, row.attempt_state, row.attempt_node, row.attempt_revision],
    ...[row.takes_input, row.input_hash, row.lease_owner, row.lease_until, row.surface, row.state],
  ]
}

function besideValues(row: ExecutionRow): SqlValue[] {
  return [row.hash, row.parent_id, row.parent_count, row.reminder_count]
}

/** Runs started as children of a run that are still running, the oldest first. */
export async function runningChildren(db: Queryable, owner: number, id: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `SELECT id FROM execution WHERE owner = ? AND parent_id = ? AND status = 'running' ORDER BY created_at, id`,
    [owner, id],
  )
  return rows.map((row) => row.id)
}

/**
 * Lets changes of who is whose parent, among the runs of one owner, happen one after the other: two at the same time could
 * each find no circle and together make one. To be called before a run is locked.
 */
export async function lockParents(tx: Queryable, owner: number): Promise<void> {
  await tx.run(
    `INSERT INTO lease (name, holder, expires_at) VALUES (?, '', 0)
      ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`,
    [`execution parents of ${owner}`],
  )
}

/** The parent of a run; undefined when the owner has no such run. */
export async function parentOfExecution(
  db: Queryable,
  owner: number,
  id: string,
): Promise<{ parent_id: string | null } | undefined> {
  return db.get<{ parent_id: string | null }>('SELECT parent_id FROM execution WHERE owner = ? AND id = ?', [owner, id])
}

/** A run as lists show it. */
export interface ExecutionListRow extends Omit<ExecutionRow, 'state' | keyof LiveAttempt> {
  workflow_name: string | null
  workflow_slug: string | null
}

export interface ExecutionListing {
  owner: number
  /** Absent: runs of every status. */
  statuses?: readonly ExecutionRow['status'][]
  workflowId?: string
  /** Part of the note, in any case that ASCII has. */
  search?: string
  sort: 'createdAt' | 'updatedAt'
  descending: boolean
  limit: number
  offset: number
}

/** One page of an owner's runs, and how many match. */
export async function listExecutionRows(
  db: Queryable,
  listing: ExecutionListing,
): Promise<{ rows: ExecutionListRow[]; total: number }> {
  const condition = allOf(
    { sql: 'execution.owner = ?', params: [listing.owner] },
    oneOf('execution.status', listing.statuses),
    listing.workflowId === undefined ? undefined : { sql: 'execution.workflow_id = ?', params: [listing.workflowId] },
    searchNote(listing.search),
  )
  const counted = await db.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM execution WHERE ${condition.sql}`,
    condition.params,
  )
  const total = counted?.n ?? 0
  if (listing.offset >= total) return { rows: [], total }
  const column = listing.sort === 'createdAt' ? 'created_at' : 'updated_at'
  const direction = listing.descending ? 'DESC' : 'ASC'
  const rows = await db.all<ExecutionListRow>(
    `SELECT ${EXECUTION_COLUMNS}, workflow.name AS workflow_name, workflow.slug AS workflow_slug
      FROM execution LEFT JOIN workflow
        ON workflow.owner = execution.workflow_owner AND workflow.id = execution.workflow_id
      WHERE ${condition.sql} ORDER BY execution.${column} ${direction}, execution.id ${direction} LIMIT ? OFFSET ?`,
    [...condition.params, listing.limit, listing.offset],
  )
  return { rows, total }
}

/** One run as lists show it. */
export async function loadExecutionListRow(
  db: Queryable,
  owner: number,
  id: string,
): Promise<ExecutionListRow | undefined> {
  return db.get<ExecutionListRow>(
    `SELECT ${EXECUTION_COLUMNS}, workflow.name AS workflow_name, workflow.slug AS workflow_slug
      FROM execution LEFT JOIN workflow
        ON workflow.owner = execution.workflow_owner AND workflow.id = execution.workflow_id
      WHERE execution.owner = ? AND execution.id = ?`,
    [owner, id],
  )
}

function oneOf(column: string, values: readonly SqlValue[] | undefined): Fragment | undefined {
  if (values === undefined) return undefined
  if (values.length === 0) return { sql: '1 = 0', params: [] }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: [...values] }
}

function searchNote(search: string | undefined): Fragment | undefined {
  if (search === undefined || search === '') return undefined
  return { sql: "lower(execution.note) LIKE ? ESCAPE '\\'", params: [containing(search.toLowerCase())] }
}
