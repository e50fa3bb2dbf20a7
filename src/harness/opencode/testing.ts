/** For tests: databases made from text, and records of one made-up session. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll } from 'vitest'
import type { Draft } from '../../core/event.ts'
import type { Harness, SourceFile } from '../harness.ts'
import { foldTurns, readWith, type TranscriptReading } from '../reading.testing.ts'
import { opencode } from './index.ts'

const FIXTURES = resolve(import.meta.dirname, '../../../test/fixtures')

/** A folder that is gone after the tests of the file that asks for it. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'varve-test-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Makes a database of a fixture's SQL; its path. */
export function makeDatabase(fixture: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const database = new BetterSqlite3(path)
  database.pragma('synchronous = OFF')
  database.exec(readFileSync(join(FIXTURES, fixture), 'utf8'))
  database.close()
  return path
}

/** Copies the fixture's JSON files to a root. */
export function makeStorage(root: string): string {
  cpSync(join(FIXTURES, 'opencode/storage'), root, { recursive: true })
  return root
}

export const SESSION = 'ses_1'

export const file: SourceFile = {
  source: 'opencode',
  path: '/home/kim/.local/share/opencode/opencode.db',
  relative: 'opencode.db',
  modifiedAt: 0,
  key: SESSION,
}

/** The record of a session that began at 1000. */
export function session(more: object = {}): object {
  return { type: 'session', session: { id: SESSION, time: { created: 1000, updated: 2000 }, ...more } }
}

let made = 0

export function message(role: string, more: object, ...parts: object[]): Record<string, unknown> {
  const id = `msg_${++made}`
  return {
    type: 'message',
    session: SESSION,
    message: { id, role, time: { created: 1000 + made }, ...more },
    parts: parts.map((part, place) => ({ id: `prt_${made}_${place}`, ...part })),
    superseded: false,
  }
}

export const said = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })
export const prompt = (words: string) => message('user', {}, said(words))
export const answer = (more: object, ...parts: object[]) => message('assistant', more, ...parts)
export const done = (created = 1000) => ({ time: { created, completed: created + 1 } })
export const tool = (name: string, state: object, more: object = {}) => ({
  type: 'tool',
  tool: name,
  callID: `call_${name}`,
  state,
  ...more,
})

export function read(records: readonly unknown[], harness: Harness = opencode): TranscriptReading {
  return readWith(harness, file, records)
}

export const draftsOf = (...records: unknown[]): Draft[] => read(records).drafts
export const endingsOf = (...records: unknown[]) => foldTurns(draftsOf(...records)).map(({ ending }) => ending)
export const promptsOf = (...records: unknown[]) => foldTurns(draftsOf(...records)).map(({ prompt: words }) => words)
