/** Notes with their versions. A deleted note keeps them until its key is used again. */

import type { Engine, Queryable } from './engine.ts'
import { allOf, type Fragment } from './visible.ts'

export interface NoteRow {
  key: string
  version: number
  value: string
  /** JSON: a list of texts. */
  tags: string
  /** UTF-8 bytes of the value. */
  size: number
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface NoteVersionRow {
  version: number
  value: string
  tags: string
  size: number
  created_at: number
}

const COLUMNS = 'key, version, value, tags, size, created_at, updated_at, deleted_at'

/** A note, also a deleted one. */
export async function loadNote(db: Queryable, owner: number, key: string): Promise<NoteRow | undefined> {
  return db.get<NoteRow>(`SELECT ${COLUMNS} FROM note WHERE owner = ? AND key = ?`, [owner, key])
}

/** A retained version of a note, also of a deleted one. */
export async function loadNoteVersion(
  db: Queryable,
  owner: number,
  key: string,
  version: number,
): Promise<NoteVersionRow | undefined> {
  return db.get<NoteVersionRow>(
    'SELECT version, value, tags, size, created_at FROM note_version WHERE owner = ? AND key = ? AND version = ?',
    [owner, key, version],
  )
}

/** The retained versions of a note, the newest first, without their values. */
export async function listNoteVersions(
  db: Queryable,
  owner: number,
  key: string,
): Promise<Omit<NoteVersionRow, 'value'>[]> {
  return db.all<Omit<NoteVersionRow, 'value'>>(
    'SELECT version, tags, size, created_at FROM note_version WHERE owner = ? AND key = ? ORDER BY version DESC',
    [owner, key],
  )
}

export interface NoteListing {
  /** Exactly one of the note's tags. */
  tag?: string
  /** Part of the key, in any case. */
  keySearch?: string
}

/** Notes with their values, in ascending order of keys. */
export async function listNotes(db: Queryable, owner: number, listing: NoteListing): Promise<NoteRow[]> {
  const { sql, params } = matching(owner, listing)
  const rows = await db.all<NoteRow>(`SELECT ${COLUMNS} FROM note WHERE ${sql}`, params)
  // Sorted here, since the databases do not agree on the order of texts.
  return rows.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** One page of notes without their values, the last changed first, and how many match. */
export async function pageNotes(
  db: Queryable,
  owner: number,
  listing: NoteListing & { limit: number; offset: number },
): Promise<{ rows: Omit<NoteRow, 'value'>[]; total: number }> {
  const { sql, params } = matching(owner, listing)
  const counted = await db.get<{ n: number }>(`SELECT COUNT(*) AS n FROM note WHERE ${sql}`, params)
  const rows = await db.all<Omit<NoteRow, 'value'>>(
    `SELECT key, version, tags, size, created_at, updated_at, deleted_at FROM note WHERE ${sql}
      ORDER BY updated_at DESC, key LIMIT ? OFFSET ?`,
    [...params, listing.limit, listing.offset],
  )
  return { rows, total: counted?.n ?? 0 }
}

/** The tags of all notes of an owner, each as the JSON list of one note. */
export async function listNoteTags(db: Queryable, owner: number): Promise<string[]> {
  const rows = await db.all<{ tags: string }>(
    "SELECT DISTINCT tags FROM note WHERE owner = ? AND deleted_at IS NULL AND tags <> '[]'",
    [owner],
  )
  return rows.map((row) => row.tags)
}

/** How many notes an owner has, and versions of them; of notes that are not deleted. */
export async function countNotes(db: Queryable, owner: number): Promise<{ notes: number; versions: number }> {
  const notes = await db.get<{ n: number }>('SELECT COUNT(*) AS n FROM note WHERE owner = ? AND deleted_at IS NULL', [
    owner,
  ])
  const versions = await db.get<{ n: number }>(
    `SELECT COUNT(*) AS n FROM note_version JOIN note ON note.owner = note_version.owner AND note.key = note_version.key
      WHERE note_version.owner = ? AND note.deleted_at IS NULL`,
    [owner],
  )
  return { notes: notes?.n ?? 0, versions: versions?.n ?? 0 }
}

/** Bytes of an owner's notes that are not deleted. */
export async function noteBytes(db: Queryable, owner: number): Promise<number> {
  const row = await db.get<{ bytes: number }>('SELECT bytes FROM note_usage WHERE owner = ?', [owner])
  return row?.bytes ?? 0
}

/** The same in order to change notes: others who change notes of this owner wait until this transaction is over. */
export async function lockNotes(engine: Pick<Engine, 'forUpdate'>, tx: Queryable, owner: number): Promise<number> {
  const sql = `SELECT bytes FROM note_usage WHERE owner = ?${engine.forUpdate('note_usage')}`
  const row = await tx.get<{ bytes: number }>(sql, [owner])
  if (row) return row.bytes
  await tx.run('INSERT INTO note_usage (owner, bytes) VALUES (?, 0) ON CONFLICT (owner) DO NOTHING', [owner])
  return (await tx.get<{ bytes: number }>(sql, [owner]))?.bytes ?? 0
}

/**
 * Stores the next version of a note, in a transaction that holds the lock on the owner's notes. `keep` versions are
 * retained. A key that belonged to a deleted note begins anew at version 1.
 */
export async function writeNote(
  tx: Queryable,
  owner: number,
  note: { key: string; value: string; tags: string; size: number },
  stored: NoteRow | undefined,
  keep: number,
  now: number,
): Promise<NoteRow> {
  const alive = stored !== undefined && stored.deleted_at === null ? stored : undefined
  if (stored && !alive) await dropVersions(tx, owner, note.key, stored.version)
  const row: NoteRow = {
    ...note,
    version: (alive?.version ?? 0) + 1,
    created_at: alive?.created_at ?? now,
    updated_at: now,
    deleted_at: null,
  }
  await tx.run(
    `INSERT INTO note (owner, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)
      ON CONFLICT (owner, key) DO UPDATE SET version = excluded.version, value = excluded.value, tags = excluded.tags,
        size = excluded.size, created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = NULL`,
    [owner, row.key, row.version, row.value, row.tags, row.size, row.created_at, row.updated_at],
  )
  await tx.run(
    'INSERT INTO note_version (owner, key, version, value, tags, size, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [owner, row.key, row.version, row.value, row.tags, row.size, now],
  )
  if (row.version > keep) await dropVersions(tx, owner, row.key, row.version - keep)
  await addBytes(tx, owner, row.size - (alive?.size ?? 0))
  return row
}

/** Marks a note deleted, in a transaction that holds the lock on the owner's notes. */
export async function markNoteDeleted(tx: Queryable, owner: number, note: NoteRow, now: number): Promise<void> {
  await tx.run('UPDATE note SET deleted_at = ? WHERE owner = ? AND key = ?', [now, owner, note.key])
  await addBytes(tx, owner, -note.size)
}

async function dropVersions(tx: Queryable, owner: number, key: string, upTo: number): Promise<void> {
  await tx.run('DELETE FROM note_version WHERE owner = ? AND key = ? AND version <= ?', [owner, key, upTo])
}

async function addBytes(tx: Queryable, owner: number, bytes: number): Promise<void> {
  await tx.run('UPDATE note_usage SET bytes = bytes + ? WHERE owner = ?', [bytes, owner])
}

function matching(owner: number, { tag, keySearch }: NoteListing): Fragment {
  return allOf(
    { sql: 'owner = ? AND deleted_at IS NULL', params: [owner] },
    // Tags are a JSON list of texts: a whole one stands between quotes, which are escaped inside it.
    tag === undefined ? undefined : contains('tags', JSON.stringify(tag)),
    keySearch === undefined || keySearch === '' ? undefined : contains('lower(key)', keySearch.toLowerCase()),
  )
}

/** The text holds a part, in its exact case: LIKE would ignore the case on SQLite alone. */
function contains(text: string, part: string): Fragment {
  return { sql: `replace(${text}, ?, '') <> ${text}`, params: [part] }
}
