/** Sessions, turns, events, touches, usage, and how far each file has been read. */

import type { Migration } from './migration.ts'

/** Few sessions last longer than this day, in milliseconds: those are found by an index of their own. */
const LONG_SESSION = 'updated_at - started_at > 86400000'

export const archive: Migration = {
  name: '0001-archive',
  statements: ({ bytes, long, numberedKey }) => [
    `CREATE TABLE session (
      ${numberedKey},
      id ${bytes} NOT NULL,
      harness TEXT NOT NULL,
      source TEXT NOT NULL,
      native_id TEXT NOT NULL,
      parent_native_id TEXT,
      parent_relation TEXT,
      parent_call_id TEXT,
      title TEXT,
      summary TEXT,
      slug TEXT,
      first_prompt TEXT,
      cwd TEXT,
      project_id TEXT,
      branch TEXT,
      cli_version TEXT,
      model TEXT,
      mode INTEGER NOT NULL,
      started_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      event_count INTEGER NOT NULL,
      turn_count INTEGER NOT NULL,
      last_turn_pk ${long},
      generation INTEGER NOT NULL
    )`,
    'CREATE UNIQUE INDEX session_id ON session (owner, id)',
    'CREATE INDEX session_native ON session (owner, harness, native_id)',
    'CREATE INDEX session_parent ON session (owner, harness, parent_native_id)',
    'CREATE INDEX session_updated ON session (owner, updated_at, id)',
    `CREATE INDEX session_long ON session (owner, updated_at, id) WHERE ${LONG_SESSION}`,
    'CREATE INDEX session_place ON session (owner, cwd, started_at)',
    'CREATE INDEX session_project ON session (owner, project_id, started_at)',

    `CREATE TABLE turn (
      ${numberedKey},
      id ${bytes} NOT NULL,
      session_pk ${long} NOT NULL,
      started_at ${long} NOT NULL,
      updated_at ${long} NOT NULL,
      event_count INTEGER NOT NULL,
      has_prompt INTEGER NOT NULL,
      user_event_pk ${long},
      final_event_pk ${long},
      terminal_event_pk ${long},
      ending TEXT,
      tools TEXT NOT NULL,
      types TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX turn_id ON turn (owner, id)',
    'CREATE INDEX turn_session ON turn (owner, session_pk, started_at, pk)',

    `CREATE TABLE event (
      ${numberedKey},
      id ${bytes} NOT NULL,
      session_pk ${long} NOT NULL,
      turn_pk ${long} NOT NULL,
      ordinal INTEGER NOT NULL,
      type INTEGER NOT NULL,
      at ${long} NOT NULL,
      digest ${bytes} NOT NULL,
      text TEXT NOT NULL,
      payload TEXT,
      native_id TEXT,
      model TEXT,
      tool_name TEXT,
      tool_server TEXT,
      call_id TEXT,
      input TEXT,
      exit_code INTEGER,
      failed INTEGER NOT NULL,
      ending TEXT,
      copied INTEGER NOT NULL,
      usage_id TEXT,
      path TEXT NOT NULL,
      record_index ${long} NOT NULL
    )`,
    'CREATE UNIQUE INDEX event_id ON event (owner, id)',
    'CREATE INDEX event_place ON event (owner, session_pk, turn_pk, ordinal)',

    `CREATE TABLE usage (
      owner INTEGER NOT NULL,
      harness TEXT NOT NULL,
      id TEXT NOT NULL,
      session_pk ${long} NOT NULL,
      at ${long} NOT NULL,
      model TEXT,
      input ${long} NOT NULL,
      output ${long} NOT NULL,
      cache_read ${long} NOT NULL,
      cache_write ${long} NOT NULL,
      reasoning ${long} NOT NULL,
      PRIMARY KEY (owner, harness, id)
    )`,
    'CREATE INDEX usage_session ON usage (owner, session_pk)',

    `CREATE TABLE touch (
      owner INTEGER NOT NULL,
      event_pk ${long} NOT NULL,
      place INTEGER NOT NULL,
      session_pk ${long} NOT NULL,
      at ${long} NOT NULL,
      name TEXT NOT NULL,
      path TEXT NOT NULL,
      relative_path TEXT,
      root TEXT,
      project_id TEXT,
      access TEXT NOT NULL,
      via TEXT NOT NULL,
      PRIMARY KEY (owner, event_pk, place)
    )`,
    'CREATE INDEX touch_name ON touch (owner, name, at)',
    'CREATE INDEX touch_session ON touch (owner, session_pk)',

    `CREATE TABLE project_root (
      owner INTEGER NOT NULL,
      root TEXT NOT NULL,
      project_id TEXT NOT NULL,
      PRIMARY KEY (owner, root)
    )`,
    'CREATE INDEX project_root_project ON project_root (owner, project_id)',

    `CREATE TABLE source_file (
      owner INTEGER NOT NULL,
      source TEXT NOT NULL,
      path TEXT NOT NULL,
      harness TEXT NOT NULL,
      identity TEXT NOT NULL,
      size ${long} NOT NULL,
      modified_at ${long} NOT NULL,
      read_to ${long} NOT NULL,
      records ${long} NOT NULL,
      head TEXT NOT NULL,
      state TEXT NOT NULL,
      turns TEXT NOT NULL,
      status TEXT NOT NULL,
      status_reason TEXT,
      updated_at ${long} NOT NULL,
      PRIMARY KEY (owner, source, path)
    )`,

    `CREATE TABLE problem (
      owner INTEGER NOT NULL,
      source TEXT NOT NULL,
      path TEXT NOT NULL,
      record_index ${long} NOT NULL,
      reason TEXT NOT NULL,
      detail TEXT NOT NULL,
      at ${long} NOT NULL,
      PRIMARY KEY (owner, source, path, record_index, reason)
    )`,

    `CREATE TABLE forgotten (
      owner INTEGER NOT NULL,
      harness TEXT NOT NULL,
      native_id TEXT NOT NULL,
      at ${long} NOT NULL,
      PRIMARY KEY (owner, harness, native_id)
    )`,

    `CREATE TABLE lease (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      expires_at ${long} NOT NULL
    )`,

    `CREATE TABLE counter (
      name TEXT PRIMARY KEY,
      value ${long} NOT NULL
    )`,
    "INSERT INTO counter (name, value) VALUES ('session', 0), ('turn', 0), ('event', 0)",

    `CREATE TABLE setting (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    )`,
  ],
}
