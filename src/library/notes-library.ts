/** Notes of a user: versioned texts under a key, kept within limits, deleted softly. */

import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import { invalidRequest, UserError } from '../core/errors.ts'
import { describePage, type Page, pageRequest } from '../core/page.ts'
import { timeOrderedUuid } from '../core/uuid.ts'
import {
  appendAudit,
  countNotes,
  type Engine,
  listNotes,
  listNoteTags,
  listNoteVersions,
  loadNote,
  loadNoteVersion,
  lockNotes,
  markNoteDeleted,
  type NoteListing,
  type NoteRow,
  noteBytes,
  pageNotes,
  type Queryable,
  writeNote,
} from '../store/index.ts'
import { cleanTags, defaultNoteLimits, type NoteLimits, type NoteProblem, noteProblem, noteSize } from './notes.ts'

/** Notes on a page when nothing else is asked for. */
const USUAL_PAGE = 50

/** Times are Unix milliseconds. */
export interface Note {
  key: string
  value: string
  tags: string[]
  version: number
  createdAt: number
  updatedAt: number
}

export interface NoteSummary extends Omit<Note, 'value'> {
  /** UTF-8 bytes. */
  size: number
}

export interface NoteHistory {
  key: string
  /** When the note was deleted; null while it is not. */
  deletedAt: number | null
  /** The retained versions, the newest first. */
  versions: { version: number; tags: string[]; size: number; createdAt: number; current: boolean }[]
}

export interface NoteStats {
  notes: number
  versions: number
  bytes: number
  limits: NoteLimits
}

export interface SavedNote {
  key: string
  version: number
  created: boolean
}

export interface NotesLibrary {
  list(
    caller: Caller,
    query: { tag?: string; keySearch?: string; limit?: number; offset?: number },
  ): Promise<Page & { notes: NoteSummary[]; tags: string[] }>
  /** A retained version can be read of a deleted note too. @throws UserError `not_found` */
  get(caller: Caller, key: string, version?: number): Promise<Note>
  /** Absent tags stay as they were. @throws UserError `invalid_request` for what the limits do not allow */
  save(caller: Caller, note: { key: string; value: string; tags?: readonly string[] }): Promise<SavedNote>
  /** @throws UserError `not_found` */
  delete(caller: Caller, key: string): Promise<{ key: string; version: number }>
  /** @throws UserError `not_found` for a key that was never used */
  history(caller: Caller, key: string): Promise<NoteHistory>
  stats(caller: Caller): Promise<NoteStats>
}

export interface NotesOptions {
  engine: Engine
  clock: Clock
  limits?: NoteLimits
}

export function createNotesLibrary({ engine, clock, limits = defaultNoteLimits }: NotesOptions): NotesLibrary {
  /** Who changed which note is kept, what it says is not. */
  const audit = (tx: Queryable, caller: Caller, action: string, { key, version }: { key: string; version: number }) =>
    appendAudit(tx, caller.owner, {
      id: timeOrderedUuid(clock()),
      at: clock(),
      action,
      resource: key,
      source: caller.client ?? 'local',
      detail: JSON.stringify({ version }),
    })
  return {
    async list({ owner }, { limit: wanted, offset: from, ...listing }) {
      const { limit, offset } = pageRequest({ limit: wanted, offset: from }, USUAL_PAGE)
      const { rows, total } = await pageNotes(engine, owner, { ...listing, limit, offset })
      const tags = new Set((await listNoteTags(engine, owner)).flatMap(tagsOf))
      return { notes: rows.map(summary), ...describePage(total, limit, offset, rows.length), tags: [...tags].sort() }
    },
    async get({ owner }, key, version) {
      const note = await loadNote(engine, owner, key)
      if (!note || (note.deleted_at !== null && version === undefined)) throw missing(key, note)
      if (version === undefined) return whole(note)
      const stored = await loadNoteVersion(engine, owner, key, version)
      if (!stored) {
        throw new UserError('not_found', `note "${key}" has no version ${version} any more`, {
          field: 'version',
          remedy: `notes({ action: "history", key: "${key}" }) lists the versions there are`,
        })
      }
      const { value, tags, created_at } = stored
      return { key, value, tags: tagsOf(tags), version, createdAt: note.created_at, updatedAt: created_at }
    },
    save: (caller, note) =>
      engine.transaction(
        async (tx) => {
          const saved = await saveNote(engine, tx, caller.owner, note, { limits, now: clock() })
          await audit(tx, caller, 'note:save', saved)
          return saved
        },
        { durable: true },
      ),
    delete: (caller, key) =>
      engine.transaction(
        async (tx) => {
          const { owner } = caller
          await lockNotes(engine, tx, owner)
          const note = await loadNote(tx, owner, key)
          if (!note || note.deleted_at !== null) throw missing(key, note)
          await markNoteDeleted(tx, owner, note, clock())
          const deleted = { key, version: note.version }
          await audit(tx, caller, 'note:delete', deleted)
          return deleted
        },
        { durable: true },
      ),
    async history({ owner }, key) {
      const note = await loadNote(engine, owner, key)
      if (!note) throw missing(key, note)
      const versions = await listNoteVersions(engine, owner, key)
      return {
        key,
        deletedAt: note.deleted_at,
        versions: versions.map(({ version, tags, size, created_at }) => ({
          version,
          tags: tagsOf(tags),
          size,
          createdAt: created_at,
          current: note.deleted_at === null && version === note.version,
        })),
      }
    },
    async stats({ owner }) {
      return { ...(await countNotes(engine, owner)), bytes: await noteBytes(engine, owner), limits }
    },
  }
}

export interface NoteWrite {
  limits?: NoteLimits
  now: number
  /** Write only if the note still has this version (0: there is none). */
  baseVersion?: number
}

/** Thrown inside a transaction when a note is not as it was read; running the transaction again helps. */
export class NoteChanged extends Error {}

/**
 * Saves the next version of a note as part of a transaction.
 * @throws UserError `invalid_request` for what the limits do not allow; NoteChanged when `baseVersion` does not hold
 */
export async function saveNote(
  engine: Engine,
  tx: Queryable,
  owner: number,
  note: { key: string; value: string; tags?: readonly string[] },
  { limits = defaultNoteLimits, now, baseVersion }: NoteWrite,
): Promise<SavedNote> {
  const used = await lockNotes(engine, tx, owner)
  const stored = await loadNote(tx, owner, note.key)
  const alive = stored !== undefined && stored.deleted_at === null ? stored : undefined
  if (baseVersion !== undefined && baseVersion !== (alive?.version ?? 0)) throw new NoteChanged(note.key)
  const tags = cleanTags(note.tags ?? (alive ? tagsOf(alive.tags) : []))
  const problem = problemOf({ ...note, tags }, used - (alive?.size ?? 0), limits)
  if (problem) throw invalidRequest(problem.message, problem.field, { remedy: problem.remedy })
  const row = await writeNote(
    tx,
    owner,
    { key: note.key, value: note.value, tags: JSON.stringify(tags), size: noteSize(note.value) },
    stored,
    limits.versions,
    now,
  )
  return { key: row.key, version: row.version, created: alive === undefined }
}

/** A note that is not deleted; null when there is none. */
export async function readNote(db: Queryable, owner: number, key: string): Promise<Note | null> {
  const note = await loadNote(db, owner, key)
  return note && note.deleted_at === null ? whole(note) : null
}

/** Notes with their values, in ascending order of keys. */
export async function readNotes(db: Queryable, owner: number, listing: NoteListing): Promise<Note[]> {
  return (await listNotes(db, owner, listing)).map(whole)
}

/** Why a note could not be saved after those in `pending`; null when it could. */
export async function refuseNote(
  db: Queryable,
  owner: number,
  note: { key: string; value: string; tags: readonly string[] },
  pending: readonly { key: string; value: string }[],
  limits: NoteLimits = defaultNoteLimits,
): Promise<string | null> {
  let bytes = await noteBytes(db, owner)
  const sizes = new Map<string, number>()
  for (const { key, value } of pending) sizes.set(key, noteSize(value))
  for (const key of new Set([...sizes.keys(), note.key])) {
    const stored = await loadNote(db, owner, key)
    const own = stored && stored.deleted_at === null ? stored.size : 0
    bytes += key === note.key ? -own : (sizes.get(key) ?? 0) - own
  }
  const problem = problemOf(note, bytes, limits)
  return problem === null ? null : `${problem.message} ${problem.remedy}`
}

/** The rules, and what the databases cannot hold. */
function problemOf(
  note: { key: string; value: string; tags: readonly string[] },
  otherBytes: number,
  limits: NoteLimits,
): NoteProblem | null {
  if (`${note.value}${note.tags.join('')}`.includes('\0')) {
    const field = note.value.includes('\0') ? 'value' : 'tags'
    return { field, message: 'A note cannot hold the character U+0000.', remedy: 'Take it out.' }
  }
  return noteProblem(note, otherBytes, limits)
}

function missing(key: string, note: NoteRow | undefined): UserError {
  const shown = key.slice(0, 120)
  return new UserError('not_found', `there is no note "${shown}"`, {
    field: 'key',
    remedy: note
      ? `it was deleted; notes({ action: "history", key: "${shown}" }) lists versions that can still be read`
      : 'notes({ action: "list" }) shows the notes there are',
  })
}

function whole(note: NoteRow): Note {
  const { key, value, version, created_at, updated_at } = note
  return { key, value, tags: tagsOf(note.tags), version, createdAt: created_at, updatedAt: updated_at }
}

function summary(note: Omit<NoteRow, 'value'>): NoteSummary {
  const { key, version, size, created_at, updated_at } = note
  return { key, tags: tagsOf(note.tags), version, createdAt: created_at, updatedAt: updated_at, size }
}

function tagsOf(json: string): string[] {
  return JSON.parse(json) as string[]
}
