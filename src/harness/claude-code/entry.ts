/** One record while it is read: whose session it is, and the drafts made of it so far. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { recordField, textField, textOf } from './content.ts'
import { agentSession } from './paths.ts'
import { append, remember, type State, sidechainRoot } from './state.ts'

export interface Entry {
  readonly record: Record<string, unknown>
  /** 0-based place in the file. */
  readonly index: number
  readonly state: State
  /** Native id of the session the record belongs to. */
  readonly session: string
  /** Part of the file's own conversation, not of a sidechain inside it. */
  readonly main: boolean
  readonly uuid: string
  readonly at: number | undefined
  readonly cwd: string
  /** History a fork repeats, or a note that stands before its file has named a session: kept and not counted. */
  readonly copied: boolean
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Record<string, unknown>, index: number, state: State): Entry {
  const uuid = textField(record, 'uuid')
  const root = rootSession(record, uuid, state)
  const sidechain = state.agent === '' && record['isSidechain'] === true
  const sessions: SessionFacts[] = []
  let session = root
  let parent: SessionFacts['parent']
  if (state.agent !== '') {
    session = agentSession(root, state.agent)
    parent = { nativeId: root, relation: 'subagent' }
  } else if (sidechain) {
    const child = sidechainSession(record, uuid, root, state)
    session = child.session
    parent = { nativeId: root, relation: 'subagent', ...(child.callId ? { callId: child.callId } : {}) }
  }
  const fork = textField(recordField(record, 'forkedFrom'), 'sessionId')
  if (fork !== '' && fork !== state.fork && !parent) {
    state.fork = fork
    sessions.push({ nativeId: session, parent: { nativeId: fork, relation: 'fork' } })
  }
  const entry: Entry = {
    record,
    index,
    state,
    session,
    main: !sidechain,
    uuid,
    at: parseTime(record['timestamp'] ?? recordField(record, 'snapshot')['timestamp']),
    cwd: textField(record, 'cwd'),
    copied: fork !== '' || !state.named,
    drafts: [],
    sessions,
  }
  announce(entry, parent)
  if (uuid !== '') noteUuid(entry)
  return entry
}

/** Adds an event. Call in the order in which the events happened. */
export function add(entry: Entry, type: EventType, text: string, rest?: Partial<Draft>): Draft {
  const draft: Draft = { session: entry.session, type, text, native: { index: entry.drafts.length } }
  if (rest) Object.assign(draft, rest)
  if (entry.uuid !== '') draft.native.id = entry.uuid
  if (entry.at !== undefined) draft.at = entry.at
  if (entry.cwd !== '') draft.cwd = entry.cwd
  if (entry.copied) draft.copied = true
  entry.drafts.push(draft)
  return draft
}

/** Tells the session's title unless a better one is known; Cowork's titles come from its sidecar alone. */
export function tellTitle(entry: Entry, title: string, rank: number): void {
  const { state } = entry
  if (title === '' || state.cowork || state.agent !== '' || rank < state.titleRank) return
  state.titleRank = rank
  entry.sessions.push({ nativeId: entry.session, title })
}

/** Links a subagent's session to the call that started it, once. */
export function tellSubagent(entry: Entry, agent: string, callId: string): void {
  const { links, session, agent: own } = entry.state
  if (agent === '' || callId === '' || links[agent] === callId) return
  remember(links, agent, callId)
  // A subagent's own file holds no main session, so the child is named after the session both belong to.
  const nativeId = agentSession(own === '' ? entry.session : session, agent)
  entry.sessions.push({ nativeId, parent: { nativeId: entry.session, relation: 'subagent', callId } })
}

/** The main session: what the path is sure of, what the record says, or what was said last. */
function rootSession(record: Record<string, unknown>, uuid: string, state: State): string {
  if (state.certain) return state.session
  const named = textField(record, 'sessionId') || textField(record, 'session_id')
  if (named !== '' || uuid !== '') state.named = true
  if (named === '') return state.session
  if (uuid !== '') state.session = named
  return named
}

/** The child session of a subagent whose records stand inside its parent's file. */
function sidechainSession(
  record: Record<string, unknown>,
  uuid: string,
  root: string,
  state: State,
): { session: string; callId?: string | undefined } {
  const agent = textField(record, 'agentId')
  if (agent !== '') return { session: agentSession(root, agent), callId: state.links[agent] }
  const chain = sidechainRoot(state, uuid, textField(record, 'parentUuid'))
  const callId = chain.isNew ? startingCall(record, state) : undefined
  return { session: `${root}/sidechain-${chain.root}`, callId }
}

/** Clients before 2.0 do not say which call began a sidechain; its first prompt is the call's. */
function startingCall(record: Record<string, unknown>, state: State): string | undefined {
  const text = textOf(recordField(record, 'message')['content'])
  if (text === '') return undefined
  return Object.keys(state.pending).find((id) => {
    const prompt = state.pending[id]?.prompt
    return prompt !== undefined && prompt !== '' && text.startsWith(prompt)
  })
}

/** Tells a session's facts when they are new or have changed; records of the transcript proper have an id. */
function announce(entry: Entry, parent: SessionFacts['parent']): void {
  const { record, state, session, cwd, uuid } = entry
  const known = state.announced[session]
  if (uuid === '' && (known || !parent)) return
  const branch = textField(record, 'gitBranch')
  const version = textField(record, 'version')
  const slug = parent ? '' : textField(record, 'slug')
  const facts: SessionFacts = { nativeId: session }
  if (parent && !known) facts.parent = parent
  if (cwd !== '' && cwd !== known?.cwd) facts.cwd = cwd
  if (branch !== '' && branch !== known?.branch) facts.branch = branch
  if (version !== '' && version !== known?.version) facts.cliVersion = version
  if (slug !== '' && slug !== known?.slug) facts.slug = slug
  if (Object.keys(facts).length === 1) return
  remember(state.announced, session, {
    cwd: cwd || known?.cwd || '',
    branch: branch || known?.branch || '',
    version: version || known?.version || '',
    slug: slug || known?.slug || '',
  })
  entry.sessions.push(facts)
}

/** A summary found earlier is this session's title when its last message turns out to be here. */
function noteUuid(entry: Entry): void {
  const { state, uuid } = entry
  append(state.recent, uuid)
  if (state.summaries.length === 0) return
  const place = state.summaries.findIndex(([leaf]) => leaf === uuid)
  const summary = state.summaries[place]
  if (summary === undefined) return
  state.summaries.splice(place, 1)
  tellTitle(entry, summary[1], 1)
}
