/** Workflows, their runs, what each call on a run left behind, and notes. Ids are UUIDs as text. */

import type { Migration } from './migration.ts'

export const workflows: Migration = {
  name: '0003-workflows',
  statements: (words) => [...definitions(words), ...runs(words), ...logs(words), ...notes(words)],
}

type Words = Parameters<Migration['statements']>[0]

/**
 * A definition is stored once per content: a workflow and the runs begun from it name it by its hash. So lists never
 * read a graph, and an edit leaves the runs of the old one whole.
 */
function definitions({ bytes, long }: Words): string[] {
  return [
    `CREATE TABLE workflow (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      version TEXT NOT NULL,
      visibility TEXT NOT NULL,
      revision INTEGER NOT NULL,
      hash ${bytes} NOT NULL,
      bundle_hash ${bytes},
      name_key TEXT NOT NULL,
      search_text TEXT NOT NULL,
      created_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      deleted_at ${long},
      PRIMARY KEY (owner, id)
    )`,
    'CREATE UNIQUE INDEX workflow_slug ON workflow (owner, slug) WHERE deleted_at IS NULL',
    'CREATE INDEX workflow_created ON workflow (owner, created_at, id) WHERE deleted_at IS NULL',
    'CREATE INDEX workflow_name ON workflow (owner, name_key, id) WHERE deleted_at IS NULL',
    `CREATE INDEX workflow_public_id ON workflow (id) WHERE visibility = 'public' AND deleted_at IS NULL`,
    `CREATE INDEX workflow_public_created ON workflow (created_at, id, owner)
      WHERE visibility = 'public' AND deleted_at IS NULL`,
    `CREATE INDEX workflow_public_name ON workflow (name_key, id, owner)
      WHERE visibility = 'public' AND deleted_at IS NULL`,

    `CREATE TABLE workflow_snapshot (
      owner INTEGER NOT NULL,
      hash ${bytes} NOT NULL,
      graph TEXT NOT NULL,
      PRIMARY KEY (owner, hash)
    )`,
  ]
}

function runs({ bytes, long }: Words): string[] {
  return [
    // The attempt a run waits for lies in its row, so that there is one at most and a step finds all it needs at once.
    // `surface` is what the step depends on.
    `CREATE TABLE execution (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      workflow_owner INTEGER NOT NULL,
      workflow_id TEXT NOT NULL,
      hash ${bytes} NOT NULL,
      status TEXT NOT NULL,
      outcome TEXT,
      node_id TEXT,
      revision INTEGER NOT NULL,
      parent_id TEXT,
      parent_count INTEGER NOT NULL,
      reminder_count INTEGER NOT NULL,
      context_count INTEGER NOT NULL,
      error_count INTEGER NOT NULL,
      note TEXT,
      created_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      ended_at ${long},
      attempt_id TEXT,
      attempt_state TEXT,
      attempt_node TEXT,
      attempt_revision INTEGER,
      takes_input INTEGER,
      input_hash ${bytes},
      lease_owner TEXT,
      lease_until ${long},
      surface TEXT,
      state TEXT NOT NULL,
      PRIMARY KEY (owner, id)
    )`,
    'CREATE INDEX execution_created ON execution (owner, created_at, id)',
    'CREATE INDEX execution_updated ON execution (owner, updated_at, id)',
    'CREATE INDEX execution_workflow ON execution (owner, workflow_id)',
    'CREATE INDEX execution_snapshot ON execution (owner, hash)',
    'CREATE INDEX execution_parent ON execution (owner, parent_id) WHERE parent_id IS NOT NULL',

    // What ended an attempt on a run, one row per move: the answer that is repeated, and the visits the move made. Ids are
    // ordered by time, so a run's rows stand in order. The receipt is JSON, its text included: so every character of it
    // comes back. An ordinary step is its own entry in the audit.
    `CREATE TABLE move (
      owner INTEGER NOT NULL,
      execution_id TEXT NOT NULL,
      id TEXT NOT NULL,
      state TEXT NOT NULL,
      takes_input INTEGER NOT NULL,
      input_hash ${bytes},
      at ${long} NOT NULL,
      source TEXT NOT NULL,
      visits TEXT,
      receipt TEXT,
      PRIMARY KEY (owner, execution_id, id)
    )`,

    // `request` is what the start was prepared with.
    `CREATE TABLE start_attempt (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      attempt_state TEXT NOT NULL,
      request TEXT NOT NULL,
      execution_id TEXT,
      input_hash ${bytes},
      lease_owner TEXT,
      lease_until ${long},
      expires_at ${long} NOT NULL,
      created_at ${long} NOT NULL,
      receipt TEXT,
      PRIMARY KEY (owner, id)
    )`,

    // Written before an effect outside the database and after it, so that nothing is done twice.
    `CREATE TABLE effect (
      owner INTEGER NOT NULL,
      attempt_id TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      node_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      state TEXT NOT NULL,
      result TEXT,
      started_at ${long} NOT NULL,
      done_at ${long},
      PRIMARY KEY (owner, attempt_id, ordinal)
    )`,

    `CREATE TABLE reminder (
      owner INTEGER NOT NULL,
      execution_id TEXT NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL,
      status TEXT NOT NULL,
      idempotency_key TEXT,
      created_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      PRIMARY KEY (owner, execution_id, id)
    )`,
    `CREATE UNIQUE INDEX reminder_key ON reminder (owner, execution_id, idempotency_key)
      WHERE idempotency_key IS NOT NULL`,
  ]
}

/** Append-only, but for the oldest errors of a run. Rows are small and found by their key alone. */
function logs({ engine, long }: Words): string[] {
  const byKeyAlone = engine === 'sqlite' ? ' WITHOUT ROWID' : ''
  return [
    // Writes from outside; `seq` is the last visit before it.
    `CREATE TABLE outside_write (
      owner INTEGER NOT NULL,
      execution_id TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      at ${long} NOT NULL,
      PRIMARY KEY (owner, execution_id, ordinal)
    )${byKeyAlone}`,

    `CREATE TABLE execution_error (
      owner INTEGER NOT NULL,
      execution_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      at ${long} NOT NULL,
      node_id TEXT,
      type TEXT NOT NULL,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      input TEXT,
      PRIMARY KEY (owner, execution_id, number)
    )${byKeyAlone}`,

    `CREATE TABLE audit (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      at ${long} NOT NULL,
      action TEXT NOT NULL,
      resource TEXT NOT NULL,
      source TEXT NOT NULL,
      detail TEXT,
      PRIMARY KEY (owner, id)
    )${byKeyAlone}`,
  ]
}

function notes({ long }: Words): string[] {
  return [
    `CREATE TABLE note (
      owner INTEGER NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      value TEXT NOT NULL,
      tags TEXT NOT NULL,
      size INTEGER NOT NULL,
      created_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      deleted_at ${long},
      PRIMARY KEY (owner, key)
    )`,
    `CREATE TABLE note_version (
      owner INTEGER NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      value TEXT NOT NULL,
      tags TEXT NOT NULL,
      size INTEGER NOT NULL,
      created_at ${long} NOT NULL,
      PRIMARY KEY (owner, key, version)
    )`,
    // The bytes of an owner's notes, in one row that writers of notes wait for.
    'CREATE TABLE note_usage (owner INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)',
  ]
}
