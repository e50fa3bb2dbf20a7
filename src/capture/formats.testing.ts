/** Harnesses of the simplest kind for every format but lines: notes in documents, bundles, databases and exports. */

import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRecord } from '../core/json.ts'
import {
  type Database,
  type DatabaseFormat,
  defineLayout,
  everyFile,
  type Harness,
  type RecordFormat,
  type SourceFile,
} from '../harness/harness.ts'
import { type Note, notebook } from './capture.testing.ts'

/** The notebook harness, its notes kept in another way below `<home>/<id>/`. */
function notesIn(id: string, format: RecordFormat, matches: (path: string) => boolean): Harness {
  const read = notebook.layouts[0]?.read
  if (!read) throw new Error('the notebook has a layout')
  return {
    id,
    title: id,
    sources: [{ name: id, roots: ({ home }) => (format.kind === 'export' ? [] : [join(home, id)]), matches }],
    layouts: [defineLayout({ matches: everyFile, format, open: () => ({ seen: 0 }), read })],
  }
}

const listOf = (value: unknown): unknown[] =>
  isRecord(value) && Array.isArray(value['notes']) ? value['notes'] : [value]

/** `<session>.json`: {"notes": [...]}. */
export const documentNotes = notesIn('documents', { kind: 'document', records: listOf }, (path) =>
  path.endsWith('.json'),
)

/** `<session>/head.json` with each note in `<session>/notes/<number>.json`. */
export const bundleNotes = notesIn(
  'bundles',
  {
    kind: 'bundle',
    related: (file) => [notesFolder(file), ...filesIn(notesFolder(file))],
    records: (files, file) => files.names(notesFolder(file)).map((name) => files.json(join(notesFolder(file), name))),
  },
  (path) => path.endsWith('/head.json'),
)

const notesFolder = (file: SourceFile): string => join(dirname(file.path), 'notes')

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

const notesFormat: DatabaseFormat = {
  kind: 'database',
  transcripts: (database) =>
    database.columns('book').length === 0
      ? []
      : database.all('SELECT id, version, changed FROM book ORDER BY id').map(({ id, version, changed }) => ({
          key: String(id),
          version: String(version),
          modifiedAt: Number(changed),
        })),
  *records(database: Database, key: string) {
    for (const { json } of database.each('SELECT json FROM note WHERE book = ? ORDER BY place', key)) {
      yield parse(String(json))
    }
  },
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `books.db`: a transcript is a row of `book`, a record one of `note`. */
export const databaseNotes = notesIn('databases', notesFormat, (path) => basename(path) === 'books.db')

export const BOOKS = `CREATE TABLE book (id TEXT PRIMARY KEY, version INTEGER, changed INTEGER);
  CREATE TABLE note (book TEXT, place INTEGER, json TEXT, PRIMARY KEY (book, place))`

/** A list of notes, or a zip with `notes*.json` in which it lies below `all`. */
export const exportedNotes = notesIn(
  'exports',
  {
    kind: 'export',
    member: (path) => /(^|\/)notes[^/]*\.json$/.test(path),
    list: ['all'],
    recognizes: (conversation) => isRecord(conversation) && typeof (conversation as Note).text === 'string',
  },
  () => false,
)
