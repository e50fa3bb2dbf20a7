/** Opening a session: what it was, its neighbours and relatives, and its turns page by page. */

import { z } from 'zod'
import type { Caller } from '../../../core/caller.ts'
import { formatId } from '../../../core/id.ts'
import {
  childrenOf,
  edgeTurns,
  eventIdOf,
  fileOfSession,
  findTurnByPk,
  lastTurnPk,
  neighbours,
  parentOf,
  type SessionView,
  sessionUsage,
  type TurnPlace,
  turnOrdinal,
  turnPage,
} from '../../../store/index.ts'
import type { Services } from '../../tool.ts'
import { coverageSchema } from '../envelope.ts'
import { counted, QUOTED_NOTE, quote } from '../preview.ts'
import { displayLabel, sessionCounts, sessionCountsSchema, sessionId } from '../show-session.ts'
import { whole } from '../whole.ts'
import { type Continuation, type Page, staleCursor, writePage } from './cursor.ts'
import { turnDigest, turnDigestSchema, turnFacts, turnFactsSchema } from './summaries.ts'

/** Child sessions listed; a session with more says so. */
const CHILDREN_LISTED = 25

const relativeSchema = z.object({ id: z.string(), relation: z.string(), display_label: z.string() })

const turnSchema = turnFactsSchema.extend({
  ...turnDigestSchema.shape,
  open: z.object({ turn_id: z.string(), terminal_event_id: z.string().nullable() }),
})

export const openSessionSchema = z.object({
  kind: z.literal('session'),
  session: sessionCountsSchema.extend({
    terminal_event_id: z.string().nullable(),
    model: z.string().nullable(),
    cwd: z.string().nullable(),
    branch: z.string().nullable(),
    cli_version: z.string().nullable(),
    usage: z.object({
      input: whole,
      output: whole,
      cache_read: whole,
      cache_write: whole,
      reasoning: whole,
      responses: whole,
    }),
    file: z.object({ path: z.string(), on_disk: z.boolean().nullable() }).nullable(),
  }),
  parent: relativeSchema.nullable(),
  children: z.array(relativeSchema),
  children_truncated: z.boolean(),
  turns: z.array(turnSchema),
  next_cursor: z.string().nullable(),
  traversal: z.object({
    previous_session_id: z.string().nullable(),
    next_session_id: z.string().nullable(),
    first_turn_id: z.string().nullable(),
    last_turn_id: z.string().nullable(),
  }),
  coverage: coverageSchema,
})

export type OpenedSession = Omit<z.infer<typeof openSessionSchema>, 'coverage'>

/** `expansion`: a page size for the first page, a continuation for a later one, nothing for none. */
export async function openSession(
  services: Services,
  caller: Caller,
  session: SessionView,
  expansion: number | Continuation | undefined,
): Promise<OpenedSession> {
  const { engine } = services
  const [edges, beside, parent, children, usage, file, terminal, page] = await Promise.all([
    edgeTurns(engine, caller, session.pk),
    neighbours(engine, caller, session),
    parentOf(engine, caller, session),
    childrenOf(engine, caller, session, CHILDREN_LISTED + 1),
    sessionUsage(engine, caller.owner, session.pk),
    fileOfSession(engine, caller, session),
    session.last_terminal_pk === null ? null : eventIdOf(engine, caller, session.last_terminal_pk),
    expansion === undefined ? { turns: [], next_cursor: null } : expand(services, caller, session, expansion),
  ])
  const relative = (other: SessionView, relation: string | null) => ({
    id: sessionId(other),
    relation: relation ?? 'unknown',
    display_label: displayLabel(other, services),
  })
  return {
    kind: 'session',
    session: {
      ...sessionCounts(session, services),
      terminal_event_id: terminal && formatId('event', terminal),
      model: session.model,
      cwd: session.cwd,
      branch: session.branch,
      cli_version: session.cli_version,
      usage: {
        input: usage.input,
        output: usage.output,
        cache_read: usage.cacheRead,
        cache_write: usage.cacheWrite,
        reasoning: usage.reasoning,
        responses: usage.responses,
      },
      file: file ? { path: file.path, on_disk: file.status === null ? null : file.status !== 'gone' } : null,
    },
    parent: parent ? relative(parent, session.parent_relation) : null,
    children: children.slice(0, CHILDREN_LISTED).map((child) => relative(child, child.parent_relation)),
    children_truncated: children.length > CHILDREN_LISTED,
    ...page,
    traversal: {
      previous_session_id: beside.previous && formatId('session', beside.previous),
      next_session_id: beside.next && formatId('session', beside.next),
      first_turn_id: edges.first && formatId('turn', edges.first),
      last_turn_id: edges.last && formatId('turn', edges.last),
    },
  }
}

async function expand(
  services: Services,
  caller: Caller,
  session: SessionView,
  expansion: number | Continuation,
): Promise<Pick<OpenedSession, 'turns' | 'next_cursor'>> {
  const { engine } = services
  const page: Page =
    typeof expansion === 'number'
      ? { limit: expansion, upTo: await lastTurnPk(engine, caller, session.pk) }
      : expansion.page
  const after = typeof expansion === 'number' ? undefined : await anchor(services, caller, session, expansion)
  const { limit, upTo } = page
  const rows = await turnPage(engine, caller, {
    sessionPk: session.pk,
    upTo,
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  })
  const shown = rows.slice(0, limit)
  const before = page.after?.ordinal ?? 0
  const last = shown.at(-1)
  return {
    turns: shown.map((turn, place) => {
      const facts = turnFacts(turn, before + place + 1)
      return {
        ...facts,
        ...turnDigest(turn),
        open: { turn_id: facts.id, terminal_event_id: facts.terminal_event_id },
      }
    }),
    next_cursor:
      rows.length > shown.length && last
        ? writePage(services, caller, sessionId(session), session, {
            limit,
            upTo,
            after: { pk: last.pk, ordinal: before + shown.length },
          })
        : null,
  }
}

/**
 * The turn the page before ended with. A late record may have moved turns in the order; when the turn is not where it was,
 * going on would skip some or repeat them. @throws UserError
 */
async function anchor(
  { engine }: Services,
  caller: Caller,
  session: SessionView,
  { target, page }: Continuation,
): Promise<TurnPlace> {
  const turn = await findTurnByPk(engine, caller, page.after.pk)
  if (!turn || turn.session_pk !== session.pk) throw staleCursor(target, 'the turn it stopped at is gone')
  const ordinal = await turnOrdinal(engine, caller, turn, page.upTo)
  if (ordinal !== page.after.ordinal) throw staleCursor(target, 'the order of its turns changed')
  return turn
}

export function openedSessionText(opened: OpenedSession): string {
  const { session, parent, children, turns, next_cursor, traversal } = opened
  const { usage } = session
  const shown =
    turns.length === 0 ? 'Call open with this id and a limit to list the turns.' : `Turns shown: ${turns.length}.`
  return [
    `Session ${session.id} (${session.harness}, source ${session.source}, ${session.completed ? 'completed' : 'not completed'})`,
    QUOTED_NOTE,
    quote(session.display_label),
    `From ${session.started_at} to ${session.updated_at}, ${counted(session.turn_count, 'turn')}, ${counted(session.event_count, 'event')}, mode ${session.mode}`,
    ...(session.cwd === null
      ? []
      : [`Directory ${session.cwd}${session.branch === null ? '' : `, branch ${session.branch}`}`]),
    `Model ${session.model ?? 'unknown'}; tokens: ${usage.input} in, ${usage.output} out, ${usage.cache_read} cache read, ${usage.cache_write} cache write`,
    ...(session.file === null
      ? []
      : [`File ${session.file.path}${session.file.on_disk === false ? ' (gone from disk)' : ''}`]),
    ...(parent === null ? [] : [`Parent (${parent.relation}) ${parent.id}`]),
    ...children.map(({ relation, id }) => `Child (${relation}) ${id}`),
    `First turn ${traversal.first_turn_id ?? 'none'}, last turn ${traversal.last_turn_id ?? 'none'}`,
    `Previous session ${traversal.previous_session_id ?? 'none'}, next session ${traversal.next_session_id ?? 'none'}`,
    shown,
    ...turns.flatMap(turnLines),
    ...(next_cursor === null ? [] : [`There are more turns: call open with cursor ${next_cursor}`]),
  ].join('\n')
}

function turnLines(turn: OpenedSession['turns'][number]): string[] {
  const { ordinal, id, started_at, event_count, completed, tools_called } = turn
  const tools = tools_called.length === 0 ? '' : `, tools ${tools_called.join(', ')}`
  return [
    `${ordinal}. ${id} ${started_at}, ${counted(event_count, 'event')}, ${completed ? 'completed' : 'not completed'}${tools}`,
    ...digestLines(turn, '   '),
  ]
}

/** Prompt and answer of a turn, quoted. */
export function digestLines(
  { user_input, final_response }: Pick<OpenedSession['turns'][number], 'user_input' | 'final_response'>,
  indent: string,
): string[] {
  const line = (name: string, event: typeof user_input) =>
    event === null ? [] : [`${indent}${name} ${event.event_id}`, quote(event.text ?? '', indent)]
  return [...line('Prompt', user_input), ...line('Answer', final_response)]
}
