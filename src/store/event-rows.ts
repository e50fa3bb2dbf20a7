/** Rows of the tables `event` and `touch`, and what of an event is indexed. */

import type { CapturedEvent, Touch } from './batch.ts'
import type { IndexDocument, SqlValue } from './engine.ts'
import { facet, INDEXED_CHARACTERS, laneOf, typeNumber, typeOfNumber } from './search-index.ts'
import type { SessionRow } from './session-rows.ts'
import type { TurnRow } from './turn-rows.ts'

/** The columns needed to tell a repeat from a change. */
export interface EventRow {
  pk: number
  id: Buffer
  session_pk: number
  turn_pk: number
  type: number
  digest: Buffer
  text: string
  copied: number
}

const EVENT_COLUMNS = [
  'owner',
  'pk',
  'id',
  'session_pk',
  'turn_pk',
  'ordinal',
  'type',
  'at',
  'digest',
  'text',
  'payload',
  'native_id',
  'model',
  'tool_name',
  'tool_server',
  'call_id',
  'input',
  'exit_code',
  'failed',
  'ending',
  'copied',
  'usage_id',
  'path',
  'record_index',
]

export const EVENT_INSERT = `INSERT INTO event (${EVENT_COLUMNS.join(', ')}) VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')})`

/** Values for `EVENT_INSERT`. An event outside every turn (copied history) has turn 0. */
export function eventValues(
  owner: number,
  pk: number,
  sessionPk: number,
  turn: TurnRow | undefined,
  event: CapturedEvent,
  path: string,
): SqlValue[] {
  const { tool } = event
  return [
    owner,
    pk,
    event.id,
    sessionPk,
    turn?.pk ?? 0,
    turn?.event_count ?? 0,
    typeNumber(event.type),
    event.at,
    event.digest,
    event.text,
    event.payload,
    event.nativeId,
    event.model,
    tool?.name ?? null,
    tool?.server ?? null,
    tool?.callId ?? null,
    event.input,
    tool?.exitCode ?? null,
    tool?.failed ? 1 : 0,
    event.ends,
    event.copied ? 1 : 0,
    event.usage?.id ?? null,
    path,
    event.recordIndex,
  ]
}

export const TOUCH_INSERT = `INSERT INTO touch (owner, event_pk, place, session_pk, at, name, path, relative_path, root, project_id, access, via)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export function touchValues(
  owner: number,
  eventPk: number,
  place: number,
  sessionPk: number,
  event: CapturedEvent,
  touch: Touch,
): SqlValue[] {
  const name = touch.path.slice(touch.path.lastIndexOf('/') + 1)
  const { path, relativePath, root, projectId, access, via } = touch
  return [
    owner,
    eventPk,
    place,
    sessionPk,
    event.at,
    name,
    path,
    relativePath ?? null,
    root ?? null,
    projectId ?? null,
    access,
    via,
  ]
}

/** The document an event puts into the text index; undefined when there is nothing to search. */
export function indexDocument(
  owner: number,
  pk: number,
  event: { type: number; text: string },
  session: SessionRow,
): IndexDocument | undefined {
  const type = typeOfNumber(event.type)
  const lane = laneOf(type)
  if (lane === undefined || event.text.trim() === '') return undefined
  return {
    lane,
    pk,
    owner,
    text: event.text.slice(0, INDEXED_CHARACTERS),
    facets: [
      facet(owner, 'type', type),
      facet(owner, 'harness', session.harness),
      facet(owner, 'source', session.source),
      facet(owner, 'session', session.pk),
    ],
  }
}
