/** Rows of the table `turn`, and how one more event changes them. */

import type { EventType } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import type { CapturedEvent } from './batch.ts'
import type { Queryable } from './engine.ts'

export interface TurnRow {
  owner: number
  pk: number
  id: Buffer
  session_pk: number
  started_at: number
  updated_at: number
  event_count: number
  /** 1 once a genuine prompt has arrived. */
  has_prompt: number
  user_event_pk: number | null
  /** The last thing the agent said that was no commentary: the turn's final answer once `ending` is `answered`. */
  final_event_pk: number | null
  terminal_event_pk: number | null
  ending: string | null
  /** Names of tools called, in first-seen order, one a line. */
  tools: string
  /** Event types seen, in first-seen order, separated by blanks. */
  types: string
}

const COLUMNS =
  'owner, pk, id, session_pk, started_at, updated_at, event_count, has_prompt, user_event_pk, final_event_pk, terminal_event_pk, ending, tools, types'

export async function loadTurn(tx: Queryable, owner: number, pk: number): Promise<TurnRow | undefined> {
  return tx.get<TurnRow>(`SELECT ${COLUMNS} FROM turn WHERE owner = ? AND pk = ?`, [owner, pk])
}

/** The id of the turn an event opens. */
export function turnIdOf(event: CapturedEvent): Buffer {
  return hash128('turn', event.id.toString('hex'))
}

/** The id of what is left of a turn when the event it was named after has gone into another one. */
export function leftTurnId(id: Buffer): Buffer {
  return hash128('turn', 'left', id.toString('hex'))
}

/** A turn opened by `event`, from which it has its id. */
export function newTurn(owner: number, pk: number, event: CapturedEvent, sessionPk: number): TurnRow {
  return {
    owner,
    pk,
    id: turnIdOf(event),
    session_pk: sessionPk,
    started_at: event.at,
    updated_at: event.at,
    event_count: 0,
    has_prompt: 0,
    user_event_pk: null,
    final_event_pk: null,
    terminal_event_pk: null,
    ending: null,
    tools: '',
    types: '',
  }
}

/**
 * Takes one more event into account. A turn is over with its last terminal event; when the agent goes on working after
 * one (a hook made it continue), that one was not the end. `again` marks an event counted before.
 */
export function noteTurnEvent(turn: TurnRow, event: CapturedEvent, eventPk: number, again = false): void {
  if (!again) turn.event_count++
  turn.started_at = Math.min(turn.started_at, event.at)
  turn.updated_at = Math.max(turn.updated_at, event.at)
  turn.types = appended(turn.types, event.type, ' ')
  if (event.opensTurn) turn.has_prompt = 1
  if (event.type === 'user_input' && turn.user_event_pk === null) turn.user_event_pk = eventPk
  if (event.tool && event.type === 'tool_call') turn.tools = appended(turn.tools, event.tool.name, '\n')
  if (event.type === 'assistant_response' && !event.commentary) {
    turn.final_event_pk = Math.max(turn.final_event_pk ?? 0, eventPk)
  }
  // An event from before the end, read again, changes nothing about it.
  if (eventPk < (turn.terminal_event_pk ?? 0)) return
  if (event.ends) {
    turn.terminal_event_pk = eventPk
    turn.ending = event.ends
  } else if (isWork(event)) {
    turn.terminal_event_pk = null
    turn.ending = null
  }
}

function isWork({ type }: CapturedEvent): boolean {
  return type === 'assistant_response' || type === 'reasoning' || type === 'tool_call'
}

const NOTES: readonly string[] = ['compaction', 'system', 'runtime', 'unknown'] satisfies EventType[]

/** True for what a client writes down beside the conversation: no part of what the user and the agent say and do. */
export function isNote({ type, opensTurn }: CapturedEvent): boolean {
  return !opensTurn && NOTES.includes(type)
}

/** True for a turn in which nothing was said or done so far. */
export function hasNotesAlone(turn: TurnRow): boolean {
  return turn.has_prompt === 0 && turn.types.split(' ').every((type) => NOTES.includes(type))
}

function appended(list: string, item: string, separator: string): string {
  if (list === '') return item
  return list.split(separator).includes(item) ? list : list + separator + item
}

export async function saveTurns(tx: Queryable, turns: readonly TurnRow[]): Promise<void> {
  await tx.runMany(
    `INSERT INTO turn (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner, id) DO UPDATE SET
      started_at = excluded.started_at, updated_at = excluded.updated_at, event_count = excluded.event_count,
      has_prompt = excluded.has_prompt, user_event_pk = excluded.user_event_pk, final_event_pk = excluded.final_event_pk,
      terminal_event_pk = excluded.terminal_event_pk, ending = excluded.ending, tools = excluded.tools, types = excluded.types`,
    turns.map((turn) => [
      turn.owner,
      turn.pk,
      turn.id,
      turn.session_pk,
      turn.started_at,
      turn.updated_at,
      turn.event_count,
      turn.has_prompt,
      turn.user_event_pk,
      turn.final_event_pk,
      turn.terminal_event_pk,
      turn.ending,
      turn.tools,
      turn.types,
    ]),
  )
}
