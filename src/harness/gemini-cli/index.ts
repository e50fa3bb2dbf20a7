/**
 * Gemini CLI (Google). Since 0.39 a transcript is append-only JSONL, in which a message is written again when there is
 * more of it and patches replace the history the model sees; before, it was one JSON document, written anew each time.
 * A session resumed across that change goes on in a file of the new kind, under the same ids.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, list, text } from '../fields.ts'
import { defineHarness, defineLayout, type Files, jsonLines, type NativeRecord, type SourceFile } from '../harness.ts'
import { readAnswer } from './answers.ts'
import { type Entry, openEntry } from './entry.ts'
import { readHeader, readPatch, readRewind } from './headers.ts'
import { readNotice, readUnknown, readUser } from './messages.ts'
import { projectDirectory, projectNote, projectRegistry, sources } from './paths.ts'
import { openState, type State } from './state.ts'

const journal = defineLayout<State>({
  matches: (file) => file.relative.endsWith('.jsonl'),
  format: jsonLines,
  sidecars: [{ pathOf: projectNote, format: 'text', read: readProjectNote }],
  open: openState,
  read,
})

const document = defineLayout<State>({
  matches: (file) => file.relative.endsWith('.json'),
  format: { kind: 'bundle', related: (file) => [projectRegistry(file), projectNote(file)], records },
  open: openState,
  read,
})

export const geminiCli = defineHarness({
  id: 'gemini-cli',
  title: 'Gemini CLI',
  sources,
  layouts: [journal, document],
  missing: [
    'A turn cut short leaves no trace when the program was stopped from outside; it counts as over once the session is resumed.',
    'A short text before a tool that never answered can look like the answer of its turn.',
    'The git branch and the version of the client are not recorded.',
    'Saved checkpoints (`/chat save`) repeat a conversation and are not read.',
  ],
})

/** The document's own fields as a header, then its messages. */
function* records(files: Files, file: SourceFile): Iterable<unknown> {
  const document = files.json(file.path)
  if (!isRecord(document) || !Array.isArray(document['messages'] ?? document['history'])) {
    yield document
    return
  }
  const { messages, history, ...header } = document
  const cwd = projectDirectory(files, file)
  yield cwd === '' ? header : { ...header, cwd }
  yield* list(messages ?? history)
}

/** The project's directory, for journals of clients that do not name it. */
function readProjectNote(value: unknown, _file: SourceFile, session?: string): Reading {
  const cwd = text(value).trim()
  return { drafts: [], sessions: session === undefined || cwd === '' ? [] : [{ nativeId: session, cwd }] }
}

function read({ value }: NativeRecord, state: State): Reading {
  const entry = openEntry(fields(value), state)
  if (isRecord(value)) readerOf(value)(entry)
  else readUnknown({ ...entry, record: { value } })
  const { drafts, sessions } = entry
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}

function readerOf(record: Record<string, unknown>): (entry: Entry) => void {
  if (isRecord(record['$set'])) return readPatch
  if (typeof record['$rewindTo'] === 'string') return readRewind
  // Messages of the first clients have a role for a type.
  const type = record['type'] ?? record['role']
  if (typeof type === 'string') return READERS.get(type) ?? readUnknown
  return record['sessionId'] !== undefined || record['startTime'] !== undefined || record['meta'] !== undefined
    ? readHeader
    : readUnknown
}

const READERS = new Map<string, (entry: Entry) => void>([
  ['user', readUser],
  ['gemini', readAnswer],
  ['model', readAnswer],
  ['info', readNotice],
  ['warning', readNotice],
  ['error', readNotice],
])
