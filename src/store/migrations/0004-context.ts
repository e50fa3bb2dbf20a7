/**
 * What the context tools add to the archive: documents, saves and digests with their passages, statements, labels of
 * sessions, the log of what was opened and cited, and how far all of it has been derived.
 */

import type { Migration } from './migration.ts'

export const context: Migration = {
  name: '0004-context',
  statements: (words) => [
    ...items(words),
    ...statements(words),
    ...saves(words),
    ...evidence(words),
    ...index(words),
    "INSERT INTO counter (name, value) VALUES ('context_item', 0), ('context_passage', 0), ('statement', 0), ('evidence', 0)",
  ],
}

type Words = Parameters<Migration['statements']>[0]

function items({ bytes, long, numberedKey }: Words): string[] {
  return [
    // A document that is gone from disk and still tracked by Git stays as a row without content (`removed_at`).
    `CREATE TABLE context_item (
      ${numberedKey},
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      stable_key TEXT NOT NULL,
      source TEXT NOT NULL,
      project_id TEXT,
      root TEXT,
      path TEXT,
      title TEXT NOT NULL,
      role TEXT NOT NULL,
      state TEXT NOT NULL,
      content TEXT NOT NULL,
      hash ${bytes} NOT NULL,
      meta TEXT NOT NULL,
      at ${long} NOT NULL,
      indexed_at ${long} NOT NULL,
      removed_at ${long}
    )`,
    'CREATE UNIQUE INDEX context_item_id ON context_item (owner, kind, id)',
    'CREATE INDEX context_item_key ON context_item (owner, stable_key)',
    `CREATE UNIQUE INDEX context_item_path ON context_item (owner, project_id, path) WHERE kind = 'document'`,
    'CREATE INDEX context_item_project ON context_item (owner, kind, project_id, at)',

    // `item_pk` of kind 'statement' is the number of the statement. Root and project are those of the item.
    `CREATE TABLE context_passage (
      ${numberedKey},
      item_pk ${long} NOT NULL,
      kind TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      heading TEXT NOT NULL,
      slug TEXT NOT NULL,
      start ${long} NOT NULL,
      line INTEGER,
      text TEXT NOT NULL,
      at ${long} NOT NULL,
      project_id TEXT,
      root TEXT
    )`,
    'CREATE UNIQUE INDEX context_passage_item ON context_passage (owner, kind, item_pk, ordinal)',
  ]
}

function statements({ long, numberedKey }: Words): string[] {
  return [
    `CREATE TABLE statement (
      ${numberedKey},
      key TEXT NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL,
      origin TEXT NOT NULL,
      session_pk ${long},
      event_pk ${long},
      item_pk ${long},
      start ${long} NOT NULL,
      line INTEGER,
      said_by TEXT NOT NULL,
      at ${long} NOT NULL,
      project_id TEXT,
      root TEXT,
      subject TEXT NOT NULL,
      superseded_by ${long}
    )`,
    'CREATE UNIQUE INDEX statement_key ON statement (owner, key)',
    'CREATE INDEX statement_session ON statement (owner, session_pk, event_pk) WHERE session_pk IS NOT NULL',
    'CREATE INDEX statement_item ON statement (owner, item_pk) WHERE item_pk IS NOT NULL',
    'CREATE INDEX statement_project ON statement (owner, project_id, at)',

    // Topics and decisions are JSON arrays; the folded columns hold them in lower case, to be matched in full.
    `CREATE TABLE session_label (
      owner INTEGER NOT NULL,
      session_pk ${long} NOT NULL,
      domain TEXT NOT NULL,
      intent TEXT NOT NULL,
      quality TEXT NOT NULL,
      topics TEXT NOT NULL,
      decisions TEXT NOT NULL,
      folded_topics TEXT NOT NULL,
      folded_decisions TEXT NOT NULL,
      title TEXT NOT NULL,
      summary TEXT NOT NULL,
      label_source TEXT NOT NULL,
      seen_event_pk ${long} NOT NULL,
      generation INTEGER NOT NULL,
      PRIMARY KEY (owner, session_pk)
    )`,

    // How far each session is derived. `stale` 1: its labels are due; 2: the digest of its week is; 0: neither.
    `CREATE TABLE context_session (
      owner INTEGER NOT NULL,
      session_pk ${long} NOT NULL,
      generation INTEGER NOT NULL,
      last_event_pk ${long} NOT NULL,
      stale INTEGER NOT NULL,
      PRIMARY KEY (owner, session_pk)
    )`,
    'CREATE INDEX context_session_stale ON context_session (owner, stale, session_pk) WHERE stale > 0',
    'CREATE INDEX session_rewritten ON session (owner, pk) WHERE generation > 0',

    // How far things were derived, by name.
    `CREATE TABLE context_progress (
      owner INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (owner, name)
    )`,
  ]
}

function saves({ long }: Words): string[] {
  return [
    `CREATE TABLE save_job (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      state TEXT NOT NULL,
      idempotency_key TEXT,
      replaces TEXT,
      request TEXT NOT NULL,
      quality TEXT NOT NULL,
      item_id TEXT,
      created_at ${long} NOT NULL,
      claimed_at ${long},
      attempts INTEGER NOT NULL,
      finished_at ${long},
      error TEXT,
      PRIMARY KEY (owner, id)
    )`,
    'CREATE UNIQUE INDEX save_job_key ON save_job (owner, idempotency_key) WHERE idempotency_key IS NOT NULL',
    `CREATE INDEX save_job_open ON save_job (owner, created_at) WHERE state IN ('queued', 'running')`,
  ]
}

/** Append-only. `seq` is the order of the log; ids of one millisecond have none. */
function evidence({ long }: Words): string[] {
  return [
    `CREATE TABLE evidence_event (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      seq ${long} NOT NULL,
      session_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      stable_key TEXT NOT NULL,
      intent TEXT NOT NULL,
      project TEXT,
      at ${long} NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (owner, id)
    )`,
    `CREATE UNIQUE INDEX evidence_once ON evidence_event (owner, session_id, stable_key, kind, intent)
      WHERE kind IN ('open', 'cite')`,
    'CREATE INDEX evidence_key ON evidence_event (owner, stable_key, seq)',

    `CREATE TABLE outcome (
      owner INTEGER NOT NULL,
      id TEXT NOT NULL,
      session_id TEXT NOT NULL,
      summary TEXT NOT NULL,
      intent TEXT NOT NULL,
      task TEXT,
      project TEXT,
      at ${long} NOT NULL,
      PRIMARY KEY (owner, id)
    )`,
  ]
}

/** The lane `context` of the text index: see `0002-search-index.ts`. */
function index({ engine }: Words): string[] {
  if (engine === 'sqlite') {
    return [
      `CREATE VIRTUAL TABLE search_context USING fts5(text, content='', detail=full, tokenize='unicode61 remove_diacritics 2')`,
      `INSERT INTO search_context (search_context, rank) VALUES ('automerge', 16)`,
      `INSERT INTO search_context (search_context, rank) VALUES ('hashsize', 8388608)`,
      'CREATE VIRTUAL TABLE search_context_terms USING fts5vocab(search_context, row)',
    ]
  }
  return [
    `CREATE TABLE search_passage (
      owner INTEGER NOT NULL,
      pk BIGINT NOT NULL,
      length INTEGER NOT NULL,
      terms TSVECTOR NOT NULL,
      PRIMARY KEY (owner, pk)
    )`,
    'CREATE INDEX search_context ON search_passage USING gin (terms)',
  ]
}
