/** One record while it is read: whose session it is, and the drafts made of it so far. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { recall, remember } from '../bounded.ts'
import { type Fields, fields, text } from '../fields.ts'
import { agentSession } from './paths.ts'
import type { State } from './state.ts'

export interface Entry {
  readonly record: Fields
  readonly state: State
  /** Native id of the session the record belongs to. */
  readonly session: string
  readonly uuid: string
  readonly at: number | undefined
  /** History a branch repeats: kept, and nothing else. */
  readonly copied: boolean
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Fields, state: State): Entry {
  const named = text(record['sessionId'])
  if (named !== '') state.session = named
  const agent = state.agent || (record['isSidechain'] === true ? text(record['agentId']) : '')
  const session = agent === '' ? state.session : agentSession(state.session, agent)
  const fork = text(fields(record['forkedFrom'])['sessionId'])
  const entry: Entry = {
    record,
    state,
    session,
    uuid: text(record['uuid']),
    at: parseTime(record['timestamp']),
    copied: fork !== '',
    drafts: [],
    sessions: [],
  }
  if (agent !== '')
    tell(entry, 'parent', callOf(record, agent), { parent: subagentParent(state.session, record, agent) })
  if (fork !== '') tell(entry, 'fork', fork, { parent: { nativeId: fork, relation: 'fork' } })
  else {
    const { cwd, gitBranch, version } = record
    tell(entry, 'cwd', text(cwd), { cwd: text(cwd) })
    tell(entry, 'branch', text(gitBranch), { branch: text(gitBranch) })
    tell(entry, 'version', text(version), { cliVersion: text(version) })
  }
  return entry
}

function subagentParent(session: string, record: Fields, agent: string): NonNullable<SessionFacts['parent']> {
  const callId = callOf(record, agent)
  return { nativeId: session, relation: 'subagent', ...(callId !== 'unknown' && { callId }) }
}

/** A subagent's id is its kind and the call that started it: `explore-call_7f3c`. */
function callOf(record: Fields, agent: string): string {
  const kind = text(record['agentName'])
  return kind !== '' && agent.startsWith(`${kind}-call`) ? agent.slice(kind.length + 1) : 'unknown'
}

/** Tells a fact of the record's session when it is new or has changed. */
function tell({ state, session, sessions }: Entry, kind: string, value: string, facts: Partial<SessionFacts>): void {
  const key = `${kind} ${session}`
  if (value === '' || recall(state.told, key) === value) return
  remember(state.told, key, value)
  sessions.push({ nativeId: session, ...facts })
}

/** Adds an event. Call in the order in which the events happened. */
export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { drafts, session, uuid, at, record } = entry
  const native = uuid === '' ? { index: drafts.length } : { id: uuid, index: drafts.length }
  const draft: Draft = { session, type, text: said, native, ...rest }
  if (at !== undefined) draft.at = at
  const cwd = text(record['cwd'])
  if (cwd !== '') draft.cwd = cwd
  drafts.push(draft)
  return draft
}

/** Marks the end of the turn, if one is open. */
export function end({ state }: Entry, draft: Draft, ending: NonNullable<Draft['ends']>): void {
  if (!state.turnIsOpen) return
  draft.ends = ending
  state.turnIsOpen = false
}

/** Marks copied history, which is kept as what it was. */
export function settleCopied({ copied, drafts }: Entry): void {
  if (copied) for (const draft of drafts) draft.copied = true
}
