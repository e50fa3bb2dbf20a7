/** What is remembered along one conversation, and one record while it is read. */

import type { Draft, Ending, EventType, SessionFacts } from '../../core/event.ts'
import { type Fields, text } from '../fields.ts'
import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { type Naming, nameEnd, openNaming } from './names.ts'
import { placeOf } from './paths.ts'

/** A tool call whose result has not been read. */
export interface PendingCall extends ToolName {
  /** Name of the call's event. */
  event: string
}

/** Plain JSON, every collection bounded. */
export interface State {
  session: string
  /** The session whose subagent this is, until it has been told. */
  parent: string
  naming: Naming
  /** By call id. */
  pending: Record<string, PendingCall>
  /** Model of what follows, where records do not say. */
  model: string
  cwd: string
  branch: string
  /** The client writes down how turns end, so a text is not taken for the end of one. */
  endsAreTold: boolean
}

export interface Entry {
  readonly state: State
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

/** Most calls that wait for results. They run in parallel by the dozen. */
const LIMIT = 128

export function openState(file: SourceFile): State {
  const { session, parent } = placeOf(file)
  return { session, parent, naming: openNaming(), pending: {}, model: '', cwd: '', branch: '', endsAreTold: false }
}

export function openEntry(state: State, at?: number): Entry {
  const sessions: SessionFacts[] = []
  if (state.parent !== '') {
    sessions.push({ nativeId: state.session, parent: { nativeId: state.parent, relation: 'subagent' } })
    state.parent = ''
  }
  return { state, at, drafts: [], sessions }
}

/** Adds an event; `name` is what it is called in its session, absent where nothing tells it from another. */
export function add(entry: Entry, type: EventType, said: string, name?: string, rest?: Partial<Draft>): Draft {
  const { state, at, drafts } = entry
  const draft: Draft = { session: state.session, type, text: said, native: nativeOf(drafts, name), ...rest }
  if (at !== undefined && draft.at === undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

/** A second one of the same name in one record, which a sound record has not, is told by place. */
function nativeOf(drafts: readonly Draft[], name: string | undefined): Draft['native'] {
  if (name === undefined) return { index: drafts.length }
  return { id: name, index: drafts.some(({ native }) => native.id === name) ? drafts.length : 0 }
}

/**
 * Ends the turn with an event of its own: the end comes later than the text, and is told in other words by each place.
 */
export function endTurn(entry: Entry, ends: Ending, said: string): void {
  add(entry, 'runtime', said, nameEnd(entry.state.naming), { ends })
}

/** Tells facts of the session that are new. */
export function tell(entry: Entry, { cwd = '', branch = '', ...others }: Omit<SessionFacts, 'nativeId'>): void {
  const { state, sessions } = entry
  const facts: SessionFacts = { nativeId: state.session, ...others }
  if (cwd !== '' && state.cwd === '') {
    state.cwd = cwd
    facts.cwd = cwd
  }
  if (branch !== '' && branch !== state.branch) {
    state.branch = branch
    facts.branch = branch
  }
  if (Object.keys(facts).length > 1) sessions.push(facts)
}

/** Of calls without an id, the last one waits. */
export function remember({ pending }: State, callId: string, call: PendingCall): void {
  const [oldest, ...others] = Object.keys(pending)
  if (oldest !== undefined && others.length >= LIMIT - 1) delete pending[oldest]
  pending[callId] = call
}

export function take({ pending }: State, callId: string): PendingCall | undefined {
  if (!Object.hasOwn(pending, callId)) return undefined
  const call = pending[callId]
  delete pending[callId]
  return call
}

/** The first of the named fields that holds a text. */
export function firstText(record: Fields, names: readonly string[]): string {
  for (const name of names) if (text(record[name]) !== '') return text(record[name])
  return ''
}
