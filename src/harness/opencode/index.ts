/**
 * OpenCode: one SQLite database for all projects, in which each session is a transcript. Earlier clients kept a folder of
 * JSON files with the same content, whose ids the database took over, and the very first, written in Go, a database in
 * each project. Records are made by the storage (`database.ts`, `storage.ts`, `first-database.ts`); what they mean does
 * not depend on it. The database's log of events repeats the messages' states and is not read.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { defineHarness, defineLayout, type Layout, type NativeRecord, type SourceFile } from '../harness.ts'
import { databaseFormat } from './database.ts'
import { FIRST_MESSAGE, FIRST_SESSION, readFirstMessage, readFirstSession } from './first-database.ts'
import { readMessage } from './message.ts'
import { isDatabaseFile, opencodeProduct, sourceOf } from './paths.ts'
import { readNote, readSession, unknown } from './session.ts'
import { openState, type State } from './state.ts'
import { storageFormat } from './storage.ts'

export { type Product, sourceOf } from './paths.ts'

/** The ways of writing of all programs that descend from OpenCode. */
export const opencodeLayouts: readonly Layout[] = [
  defineLayout<State>({ matches: isDatabaseFile, format: databaseFormat, open: openState, read }),
  defineLayout<State>({
    matches: (file) => !isDatabaseFile(file),
    format: storageFormat,
    open: openState,
    read,
  }),
]

/** What none of them tells. */
export const opencodeMissing: readonly string[] = [
  'The server of an MCP tool: the name is `<server>_<tool>`, which cannot be told from a tool with `_` in its name.',
  'The Git branch.',
  'The session a fork was made from; what it copied is kept and not counted.',
  'That a command-line run was interrupted, until the session goes on: nothing is written at that moment.',
]

export const opencode = defineHarness({
  id: 'opencode',
  title: 'OpenCode',
  sources: [sourceOf(opencodeProduct)],
  layouts: opencodeLayouts,
  missing: [
    ...opencodeMissing,
    'Tokens, in the databases of the first OpenCode (2025, in Go): they hold sums for a session alone.',
  ],
})

function read({ value }: NativeRecord, state: State, file: SourceFile): Reading {
  if (!isRecord(value)) return unknown(state, value)
  switch (value['type']) {
    case 'session':
      return readSession(value['session'], state)
    case 'message':
      return readMessage(value, state)
    case 'note':
      return readNote(value, state)
    case FIRST_SESSION:
      return readFirstSession(value, state, file)
    case FIRST_MESSAGE:
      return readFirstMessage(value, state)
    default:
      return unknown(state, value)
  }
}
