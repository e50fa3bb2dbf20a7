/** search_sessions: where should I look? Finds events and returns handles into sessions, never whole content. */

import { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import { EVENT_TYPES, SEARCHABLE_TYPES } from '../../core/event.ts'
import { formatId, parseId } from '../../core/id.ts'
import { formatTime } from '../../core/time.ts'
import { searchEvents } from '../../retrieval/search.ts'
import { type Engine, findSession, findTurn, type HitView, loadHits } from '../../store/index.ts'
import type { Services, Surface, Tool } from '../tool.ts'
import {
  type Arguments,
  filterWarnings,
  optionalEventTypes,
  optionalFilter,
  optionalInteger,
  optionalString,
  requiredString,
  type SearchableType,
} from './arguments.ts'
import { coverageSchema, defineSessionTool, type Outcome } from './envelope.ts'
import { harnessArgument, sourceArgument } from './filters.ts'
import { counted, cut, oneLine, QUOTED_NOTE, quote } from './preview.ts'
import { sessionTimes, sessionTimesSchema } from './show-session.ts'
import { whole } from './whole.ts'

const DEFAULT_TYPES: readonly SearchableType[] = ['user_input', 'assistant_response']
const DEFAULT_HITS = 10
const MAX_HITS = 50
const MAX_QUERY = 4096

/** Characters of a snippet, however the search cut it. */
const SNIPPET_LENGTH = 600

/** What finds events. */
export type SearchEvents = typeof searchEvents

interface Request {
  query: string
  withinId: string | undefined
  types: SearchableType[]
  harness: string | undefined
  source: string | undefined
  limit: number
}

const hitSchema = z.object({
  rank: whole,
  score: z.number().min(0).max(1),
  id: z.string(),
  event: z.object({
    id: z.string(),
    type: z.enum(EVENT_TYPES),
    timestamp: z.string(),
    ordinal: whole,
    terminal: z.boolean(),
  }),
  turn: z.object({ id: z.string(), ordinal: whole, completed: z.boolean(), event_count: whole }),
  session: sessionTimesSchema,
  snippet: z.object({ text: z.string(), truncated: z.boolean() }),
  open: z.object({ event_id: z.string(), turn_id: z.string(), session_id: z.string() }),
})

type Hit = z.infer<typeof hitSchema>

const dataSchema = z.object({
  result_count: whole,
  limit: whole,
  truncated: z.boolean(),
  results: z.array(hitSchema),
  coverage: coverageSchema,
})

type Data = Omit<z.infer<typeof dataSchema>, 'coverage'>

/** The tool, over any search of events. */
export function searchSessionsTool(search: SearchEvents): Tool {
  return defineSessionTool({
    name: 'search_sessions',
    title: 'Search past sessions',
    description: [
      'Search everything coding agents said and did on this machine, in all projects and harnesses.',
      'Call it before re-investigating an error or repeating a design discussion; when the user refers to earlier work',
      '("as we did last week", "that bug again"); when a name, flag or decision has no visible origin. Cheap: milliseconds,',
      'short snippets. Prompts and answers are searched by default; name tool_call or tool_response in event_types for',
      'commands and their output. Pass a returned id to open for the full text.',
    ].join(' '),
    input: inputSchema,
    data: dataSchema,
    parse,
    echo: ({ query, withinId, types, harness, source, limit }) => ({
      query,
      within_id: withinId ?? null,
      event_types: types,
      harness: harness ?? null,
      source: source ?? null,
      n_hits: limit,
    }),
    run: (services, caller, request) => run(search, services, caller, request),
    toText,
  })
}

export const searchSessions = searchSessionsTool(searchEvents)

function inputSchema(surface: Surface): z.ZodObject {
  return z.object({
    query: z
      .string()
      .min(1)
      .max(MAX_QUERY)
      .describe(
        'Words to look for. Identifiers and paths match whole and by part. "quoted phrase", -excluded and prefix* work; all else is literal.',
      ),
    within_id: z.string().optional().describe('Search only inside this session or turn id.'),
    event_types: z
      .array(z.enum(SEARCHABLE_TYPES))
      .min(1)
      .optional()
      .describe('Kinds of events to search. Default: user_input and assistant_response.'),
    harness: harnessArgument(surface),
    source: sourceArgument(surface),
    n_hits: z.int().min(1).max(MAX_HITS).default(DEFAULT_HITS).describe('How many hits to return at most.'),
  })
}

function parse(args: Arguments): Request {
  const query = requiredString(args, 'query').trim()
  // A character takes one or two UTF-16 units: only between the two must they be counted.
  if (query.length > MAX_QUERY && [...query.slice(0, 2 * MAX_QUERY + 1)].length > MAX_QUERY) {
    throw invalidRequest(`query must have at most ${MAX_QUERY} characters`, 'query')
  }
  const withinId = optionalString(args, 'within_id')
  if (withinId !== undefined && parseId(withinId, 'within_id').kind === 'event') {
    throw invalidRequest('within_id accepts session and turn IDs, not event IDs', 'within_id', {
      remedy: 'open the event to get the ids of its turn and session',
    })
  }
  return {
    query,
    withinId,
    types: optionalEventTypes(args, 'event_types', DEFAULT_TYPES),
    harness: optionalFilter(args, 'harness'),
    source: optionalFilter(args, 'source'),
    limit: optionalInteger(args, 'n_hits', 1, MAX_HITS) ?? DEFAULT_HITS,
  }
}

async function run(search: SearchEvents, services: Services, caller: Caller, request: Request): Promise<Outcome<Data>> {
  const { engine } = services
  const { query, types, harness, source, limit } = request
  const scope = request.withinId === undefined ? {} : await findScope(engine, caller, request.withinId)
  const found = await search(
    engine,
    caller,
    {
      query,
      types,
      ...(harness === undefined ? {} : { harness }),
      ...(source === undefined ? {} : { source }),
      ...scope,
      limit,
    },
    caller.signal,
  )
  const views = await loadHits(
    engine,
    caller,
    found.hits.map(({ eventPk }) => eventPk),
  )
  const results = found.hits
    .flatMap((hit) => {
      const view = views.get(hit.eventPk)
      return view ? [{ ...hit, view }] : []
    })
    .sort((a, b) => b.score - a.score || b.view.at - a.view.at || a.view.event_id.compare(b.view.event_id))
    .map(({ view, score, snippet, snippetTruncated }, place) =>
      toHit(view, { rank: place + 1, score, snippet, snippetTruncated }, services),
    )
  return {
    data: { result_count: results.length, limit, truncated: found.truncated, results },
    warnings: [...found.warnings, ...filterWarnings(services, request)],
  }
}

/** The session or turn to stay in. @throws UserError `not_found` */
async function findScope(
  engine: Engine,
  caller: Caller,
  withinId: string,
): Promise<{ session: number } | { session: number; turn: number }> {
  const { kind, bytes } = parseId(withinId, 'within_id')
  if (kind === 'session') {
    const session = await findSession(engine, caller, bytes)
    if (session) return { session: session.pk }
  } else {
    const turn = await findTurn(engine, caller, bytes)
    if (turn) return { session: turn.session_pk, turn: turn.pk }
  }
  throw new UserError('not_found', `${kind} not found`, { field: 'within_id', id: withinId })
}

function toHit(
  view: HitView,
  hit: { rank: number; score: number; snippet: string; snippetTruncated: boolean },
  surface: Surface,
): Hit {
  const eventId = formatId('event', view.event_id)
  const turnId = formatId('turn', view.turn_id)
  const session = sessionTimes(view.session, surface)
  const text = cut(hit.snippet.trim(), SNIPPET_LENGTH)
  return {
    rank: hit.rank,
    score: hit.score,
    id: eventId,
    event: {
      id: eventId,
      type: EVENT_TYPES[view.type] ?? 'unknown',
      timestamp: formatTime(view.at),
      ordinal: view.ordinal,
      terminal: view.terminal_event_pk === view.event_pk,
    },
    turn: {
      id: turnId,
      ordinal: view.turn_ordinal,
      completed: view.terminal_event_pk !== null,
      event_count: view.turn_event_count,
    },
    session,
    snippet: { text, truncated: hit.snippetTruncated || text.length < hit.snippet.trim().length },
    open: { event_id: eventId, turn_id: turnId, session_id: session.id },
  }
}

function toText(data: Data, request: Request): string {
  const { query, types, withinId } = request
  const where = `${withinId === undefined ? 'all sessions' : withinId} (${types.join(', ')})`
  if (data.results.length === 0) {
    return `No hits for ${JSON.stringify(query)} in ${where}. Try fewer or other words, or other event_types.`
  }
  const more = data.truncated ? '; there are more' : ''
  return [
    `${counted(data.result_count, 'hit')} for ${JSON.stringify(query)} in ${where}${more}. ${QUOTED_NOTE}`,
    ...data.results.map(hitText),
    'Pass an event id to open for the full text, its turn or session id for what is around it.',
  ].join('\n')
}

function hitText({ rank, score, event, turn, session, snippet }: Hit): string {
  const title = JSON.stringify(oneLine(session.display_label, 120).text)
  const state = session.completed ? 'completed' : 'not completed'
  return [
    `${rank}. ${event.type} ${event.timestamp} score ${score.toFixed(2)}, in ${title} (${session.harness}, ${state})`,
    quote(snippet.text, '   '),
    `   ${event.id}`,
    `   ${turn.id} (turn ${turn.ordinal}) of ${session.id}`,
  ].join('\n')
}
