/** For tests of the sessions tools: an archive to ask, and a look into answers. */

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import { type ContextSettings, createContextServices } from '../../context/index.ts'
import { type Caller, LOCAL_OWNER } from '../../core/caller.ts'
import { EVENT_TYPES } from '../../core/event.ts'
import { helpFolder } from '../../installation.ts'
import { createNotesLibrary } from '../../library/notes-library.ts'
import { projectIdAt, START, type Written, writeSession } from '../../store/archive.testing.ts'
import { type Engine, openStore } from '../../store/index.ts'
import { localAccounts } from '../../workflow/accounts.ts'
import { createWorkflowEngine } from '../../workflow/engine.ts'
import type { ProjectLookup, Services, Tool, ToolAnswer } from '../tool.ts'
import type { SearchEvents } from './search-sessions.ts'

export * from '../../store/archive.testing.ts'

export interface TestArchive {
  engine: Engine
  services: Services
  caller: Caller
  write(written: Written): Promise<void>
  /** Calls a tool; the answer is held against the schema the tool publishes. */
  ask(tool: Tool, args: unknown, caller?: Caller): Promise<ToolAnswer>
  close(): Promise<void>
}

/** The section `[context]` as it is without a configuration. */
export const CONTEXT_SETTINGS: ContextSettings = {
  enabled: true,
  folders: [],
  maxFileBytes: 524_288,
  outcomesMoveRanking: false,
  meaning: 'associations',
  conversationsSearchLexicalFallback: false,
}

const CAPTURING = {
  status: 'ok' as const,
  worker: 'varve',
  preflight_ok: true,
  last_preflight_at: null,
  recent_capture_errors: 0,
}

export async function testArchive(changed: Partial<Services> = {}): Promise<TestArchive> {
  const engine = changed.engine ?? (await openStore({ url: ':memory:' }))
  const projects = changed.projects ?? gitAt('/home/me/project')
  const services: Services = {
    engine,
    clock: () => START,
    sourceNames: ['claude', 'codex'],
    harnesses: [
      { id: 'claude-code', title: 'Claude Code' },
      { id: 'codex', title: 'Codex' },
    ],
    maxResults: 25,
    cursorKey: randomBytes(32),
    projects,
    coverage: async () => ({ state: 'complete', reason: 'all_read', observed_at_unix_ms: START }),
    workflows: createWorkflowEngine({ engine, clock: () => START }),
    notes: createNotesLibrary({ engine, clock: () => START }),
    accounts: localAccounts,
    context: createContextServices({
      archive: engine,
      own: engine,
      clock: () => START,
      projects,
      settings: CONTEXT_SETTINGS,
      scrub: (text) => text,
      log: () => {},
      capture: async () => CAPTURING,
    }),
    helpFolder,
    ...changed,
  }
  const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/home/me/project' }
  return {
    engine,
    services,
    caller,
    write: (written) => writeSession(engine, written),
    ask: async (tool, args, by = caller) => {
      const result = await tool.call(services, by, args, START)
      expectToFit(tool, result)
      return result
    },
    close: () => engine.close(),
  }
}

/** Git checkouts at fixed places; everything else is a directory of its own. */
export function gitAt(...roots: string[]): ProjectLookup {
  return {
    projectOf: (directory) => {
      const root = roots.find((candidate) => directory === candidate || directory.startsWith(`${candidate}/`))
      return root === undefined
        ? { root: directory, projectId: `dir:${directory}` }
        : { root, projectId: projectIdAt(root) }
    },
  }
}

function expectToFit(tool: Tool, result: ToolAnswer): void {
  const sent: unknown = JSON.parse(JSON.stringify(result.structured))
  const schema = tool.output.strict()
  const checked = schema.safeParse(sent)
  expect(checked.error ? z.prettifyError(checked.error) : 'fits').toBe('fits')
  expect(sent).toEqual(checked.data)
  expect(result.isError).toBe('error' in result.structured)
  expect('data' in result.structured).toBe(!result.isError)
  expect(result.text.length).toBeGreaterThan(0)
}

/** A search as simple as can be: events that hold every word of the query, newest first, all of the same score. */
export const plainSearch: SearchEvents = async (engine, caller, request) => {
  const { query, types, harness, source, session, turn, limit } = request
  const rows = await engine.all<{
    pk: number
    text: string
    type: number
    harness: string
    source: string
    session_pk: number
    turn_pk: number
  }>(
    `SELECT event.pk, event.text, event.type, event.session_pk, event.turn_pk, session.harness, session.source FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.copied = 0 ORDER BY event.at DESC, event.id`,
    [caller.owner],
  )
  const words = query.toLowerCase().split(/\s+/)
  const numbers = types.map((type) => EVENT_TYPES.indexOf(type))
  const matching = rows.filter(
    (row) =>
      words.every((word) => row.text.toLowerCase().includes(word)) &&
      numbers.includes(row.type) &&
      (harness === undefined || row.harness === harness) &&
      (source === undefined || row.source === source) &&
      (session === undefined || row.session_pk === session) &&
      (turn === undefined || row.turn_pk === turn),
  )
  return {
    hits: matching.slice(0, limit).map(({ pk, text }) => ({
      eventPk: pk,
      score: 0.5,
      snippet: text.slice(0, 300),
      snippetTruncated: text.length > 300,
    })),
    truncated: matching.length > limit,
    warnings: [],
  }
}

/** A part of an answer by its path, such as `data.results.0.id`; fails the test when it is not there. */
export function at(answer: ToolAnswer, path: string): unknown {
  let value: unknown = answer.structured
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !(key in value)) {
      throw new Error(`${path} stops at ${key} in ${JSON.stringify(answer.structured).slice(0, 2000)}`)
    }
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A string of an answer by its path. */
export function textAt(answer: ToolAnswer, path: string): string {
  const value = at(answer, path)
  if (typeof value !== 'string') throw new Error(`${path} is ${JSON.stringify(value)}, not a string`)
  return value
}

/** A list of an answer by its path, and in each item the value at `inner`. */
export function listAt(answer: ToolAnswer, path: string, inner = ''): unknown[] {
  const value = at(answer, path)
  if (!Array.isArray(value)) throw new Error(`${path} is ${JSON.stringify(value)}, not a list`)
  if (inner === '') return value
  return value.map((item: unknown) =>
    at({ text: '', structured: item as Record<string, unknown>, isError: false }, inner),
  )
}
