/** What is remembered along one transcript, and one record while it is read. */

import type { Draft, Ending, EventType, Reading, SessionFacts } from '../../core/event.ts'
import { isTime } from '../../core/time.ts'
import { type Fields, foreign } from '../fields.ts'
import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { placeOf } from './paths.ts'

/** Plain JSON, every collection bounded. */
export interface State {
  session: string
  /** The session whose subagent this is, until it has been told. */
  parent: string
  /** Calls whose results have not been read, by id. */
  pending: Record<string, ToolName>
  /** The last prompts: Kimi Code tells them twice. */
  prompts: string[]
  turnIsOpen: boolean
  /** The step was cut short, and no other has begun since. */
  isInterrupted: boolean
  /** Id of the last step of Kimi Code: what it used is told before its end or, by older clients, behind it. */
  step: string
  model: string
}

export interface Entry {
  readonly record: Fields
  readonly state: State
  /** The session of the events: a subagent's where the first clients tell them in the parent's file. */
  readonly session: string
  /** Place of the record in the transcript. */
  readonly index: number
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openState(file: SourceFile): State {
  return {
    ...placeOf(file),
    pending: {},
    prompts: [],
    turnIsOpen: false,
    isInterrupted: false,
    step: '',
    model: '',
  }
}

export function openEntry(record: Fields, index: number, state: State, millis: number | undefined): Entry {
  const sessions: SessionFacts[] = []
  if (state.parent !== '') {
    sessions.push({ nativeId: state.session, parent: { nativeId: state.parent, relation: 'subagent' } })
    state.parent = ''
  }
  const at = isTime(millis) && millis > 0 ? millis : undefined
  return { record, state, session: state.session, index, at, drafts: [], sessions }
}

/** Adds an event. `id`: what it is called in its session, where the record says so. */
export function add(entry: Entry, type: EventType, said: string, rest: Partial<Draft> = {}, id = ''): Draft {
  const { session, drafts, at, state } = entry
  const draft: Draft = { session, type, text: said, native: { index: drafts.length }, ...rest }
  if (id !== '') draft.native = { id, index: drafts.filter(({ native }) => native.id === id).length }
  if (at !== undefined) draft.at = at
  if (state.model !== '' && isOfModel(type)) draft.model = state.model
  drafts.push(draft)
  return draft
}

function isOfModel(type: EventType): boolean {
  return type === 'assistant_response' || type === 'reasoning' || type === 'tool_call'
}

/** What the program puts in front of a subagent's task: where it works, and the repository's state. */
const SURROUNDINGS = /^\s*<git-context>[\s\S]*?<\/git-context>\s*(?=\S)/

export function addPrompt(entry: Entry, said: string, id = ''): void {
  const context = SURROUNDINGS.exec(said)?.[0] ?? ''
  const payload = context === '' ? {} : { payload: { context: context.trim() } }
  add(entry, 'user_input', said.slice(context.length), { opensTurn: true, ...payload }, id)
  entry.state.turnIsOpen = true
  entry.state.isInterrupted = false
}

/** Marks the end of the turn, if one is open. */
export function end({ state }: Entry, draft: Draft, ending: Ending): void {
  if (!state.turnIsOpen) return
  draft.ends = ending
  state.turnIsOpen = false
}

/** What no rule covers is kept as it is. */
export function addUnknown(entry: Entry, value: unknown = entry.record): void {
  add(entry, 'unknown', '', { payload: foreign(value) })
}

export function readingOf({ drafts, sessions }: Entry): Reading {
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}
