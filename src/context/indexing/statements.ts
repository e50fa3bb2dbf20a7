/** From new prose to statements: in spans of the archive's own order, each committed together with how far it came. */

import {
  answerBefore,
  type Engine,
  listStatements,
  loadProgress,
  type NewStatement,
  noteRederived,
  noteSessions,
  type ProseEvent,
  proseAfter,
  proseOfSession,
  type Queryable,
  removeStatementsOf,
  rewrittenSessions,
  saveProgress,
  supersede,
  writeStatements,
} from '../../store/index.ts'
import { conversationKey, statementKey } from '../evidence/stable-key.ts'
import { acceptsPrevious, contradictions, type Statement, statementsOf } from '../statements/index.ts'

/** Number of the last event that was looked at. */
const WATERMARK = 'statements.events'

/** Events of the archive looked at in one transaction. */
const SPAN = 2_000

/** A text that states more than this is a document somebody pasted. */
const MOST_OF_ONE_TEXT = 40

/** Statements of a project that new ones are held against: the newest. */
const COMPARED = 200

/** Milliseconds a session must be quiet before it is derived anew: an answer that is still growing is rewritten often. */
const QUIET = 30_000

const REWRITTEN_AT_ONCE = 20
const PROSE_AT_ONCE = 500

export interface StatementWork {
  engine: Engine
  owner: number
  now: number
  signal?: AbortSignal
}

/** Derives the statements of what is new since the last time, then of sessions that were rewritten. How many. */
export async function deriveStatements(work: StatementWork): Promise<number> {
  let count = 0
  for (;;) {
    if (work.signal?.aborted) return count
    const span = await deriveSpan(work)
    if (span === undefined) break
    count += span
  }
  return count + (await rederive(work))
}

async function deriveSpan({ engine, owner }: StatementWork): Promise<number | undefined> {
  const after = Number((await loadProgress(engine, owner, WATERMARK)) ?? 0)
  const { events, last } = await proseAfter(engine, owner, after, SPAN)
  if (last === after) return undefined
  const statements = await statementsOfEvents(engine, owner, events)
  return engine.transaction(async (tx) => {
    // Another process may have been quicker.
    if (Number((await loadProgress(tx, owner, WATERMARK)) ?? 0) !== after) return 0
    const written = await addStatements(engine, tx, owner, statements)
    await noteSessions(tx, owner, sessionsIn(events))
    await saveProgress(tx, owner, WATERMARK, `${last}`)
    return written
  })
}

/** Writes statements and marks those of their projects that they contradict. How many were written. */
export async function addStatements(
  engine: Engine,
  tx: Queryable,
  owner: number,
  statements: readonly NewStatement[],
): Promise<number> {
  const written = await writeStatements(engine, tx, owner, statements)
  const projects = new Set(statements.map(({ project_id }) => project_id).filter((id) => id !== null))
  const caller = { owner, admin: true, launchDirectory: '/' }
  for (const projectId of projects) {
    const standing = await listStatements(tx, caller, { projectIds: [projectId], standing: true, limit: COMPARED })
    // Oldest first: of equally late ones the one stored later is the newer.
    const pairs = contradictions(standing.reverse()).map(({ a, b, newer }): [number, number] =>
      newer === 'a' ? [b.pk, a.pk] : [a.pk, b.pk],
    )
    await supersede(tx, owner, pairs)
  }
  return written.length
}

/**
 * The statements of events in their order; an answer's count once the user has accepted it. A subagent's prompts are
 * another agent's words, and its answers are accepted by that agent: they state nothing for the user.
 */
async function statementsOfEvents(
  engine: Engine,
  owner: number,
  events: readonly ProseEvent[],
): Promise<NewStatement[]> {
  const found: NewStatement[] = []
  for (const event of events) {
    if (event.said_by === 'assistant' || event.parent_relation === 'subagent') continue
    if (acceptsPrevious(event.text)) {
      const answer = await answerBefore(engine, owner, event)
      if (answer) add(found, answer, statementsOf(answer.text, { kind: 'answer', nextPrompt: event.text }))
    }
    add(found, event, statementsOf(event.text, { kind: 'prompt' }))
  }
  return found
}

function add(into: NewStatement[], event: ProseEvent, statements: readonly Statement[]): void {
  const parent = conversationKey(event.harness, event.native_id)
  for (const { kind, text, start, line, saidBy, subject } of statements.slice(0, MOST_OF_ONE_TEXT)) {
    into.push({
      key: statementKey(kind, parent, text),
      kind,
      text,
      origin: 'session',
      session_pk: event.session_pk,
      event_pk: event.pk,
      item_pk: null,
      start,
      line,
      said_by: saidBy,
      at: event.at,
      project_id: event.project_id,
      root: event.cwd,
      subject,
    })
  }
}

function sessionsIn(events: readonly ProseEvent[]): { pk: number; generation: number; lastEventPk: number }[] {
  const sessions = new Map<number, { pk: number; generation: number; lastEventPk: number }>()
  for (const { session_pk, generation, pk } of events) {
    sessions.set(session_pk, { pk: session_pk, generation, lastEventPk: pk })
  }
  return [...sessions.values()]
}

/** Derives anew the sessions whose stored events were rewritten. */
async function rederive({ engine, owner, now, signal }: StatementWork): Promise<number> {
  const upTo = Number((await loadProgress(engine, owner, WATERMARK)) ?? 0)
  let count = 0
  for (const session of await rewrittenSessions(engine, owner, now - QUIET, REWRITTEN_AT_ONCE)) {
    if (signal?.aborted) return count
    const statements: NewStatement[] = []
    let after = 0
    for (;;) {
      const events = await proseOfSession(engine, owner, session.pk, after, upTo, PROSE_AT_ONCE)
      statements.push(...(await statementsOfEvents(engine, owner, events)))
      after = events.at(-1)?.pk ?? upTo
      if (events.length < PROSE_AT_ONCE) break
    }
    count += await engine.transaction(async (tx) => {
      await removeStatementsOf(engine, tx, owner, { session: session.pk })
      const written = await addStatements(engine, tx, owner, statements)
      await noteRederived(tx, owner, session)
      return written
    })
  }
  return count
}
