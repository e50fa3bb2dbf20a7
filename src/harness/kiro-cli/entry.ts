/** What is remembered along one conversation, and one record while it is read. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
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
  /** A prompt has been read. */
  isPrompted: boolean
  model: string
  cwd: string
}

export interface Entry {
  readonly state: State
  /** The record's own id, else empty. */
  readonly id: string
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

/** Most calls that wait. They run in parallel by the dozen. */
const LIMIT = 128

export function openState(file: SourceFile): State {
  const { session, parent } = placeOf(file)
  return { session, parent, pending: {}, isPrompted: false, model: '', cwd: '' }
}

export function openEntry(state: State, id: string, at: number | undefined): Entry {
  const sessions: SessionFacts[] = []
  if (state.parent !== '') {
    sessions.push({ nativeId: state.session, parent: { nativeId: state.parent, relation: 'subagent' } })
    state.parent = ''
  }
  return { state, id, at, drafts: [], sessions }
}

/** Adds an event. `name` is what it is called in its session where that is not its place in the record. */
export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>, name?: string): Draft {
  const { state, id, at, drafts } = entry
  const own = name ?? id
  const draft: Draft = { session: state.session, type, text: said, native: { index: drafts.length }, ...rest }
  if (own !== '') draft.native = { id: own, index: placeIn(drafts, own) }
  if (at !== undefined && draft.at === undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

/** 0 for the first event of a name in its record, so that what a name belongs to may stand anywhere. */
function placeIn(drafts: readonly Draft[], name: string): number {
  return drafts.filter(({ native }) => native.id === name).length
}

export function remember({ pending }: State, callId: string, tool: ToolName): void {
  if (callId === '') return
  const [oldest, ...others] = Object.keys(pending)
  if (oldest !== undefined && others.length >= LIMIT - 1) delete pending[oldest]
  pending[callId] = tool
}

export function take({ pending }: State, callId: string): ToolName | undefined {
  if (!Object.hasOwn(pending, callId)) return undefined
  const tool = pending[callId]
  delete pending[callId]
  return tool
}

/** A model's name; `auto` leaves the choice to the service. */
export function modelName(name: string): string {
  return name === 'auto' ? '' : name
}
