/** What is remembered along one session, and one record while it is read. */

import type { Draft, EventType, Reading, SessionFacts } from '../../core/event.ts'
import { hash128 } from '../../core/hash.ts'
import type { SourceFile } from '../harness.ts'

export interface State {
  session: string
  /** The document's own fields have been read: it is a session. */
  isBegun: boolean
  model: string
  /** When the session was begun, in milliseconds since 1970; 0 when nothing says so. */
  created: number
  /** Ids of calls whose results were told with them: editors tell them again as messages. */
  answered: string[]
}

export interface Entry {
  readonly state: State
  /** Place in the document. */
  readonly index: number
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openState({ relative }: SourceFile): State {
  const name = (relative.split('/').at(-1) ?? '').replace(/\.json$/, '')
  return { session: name || 'unknown', isBegun: false, model: '', created: 0, answered: [] }
}

export function openEntry(state: State, index: number): Entry {
  return { state, index, drafts: [], sessions: [] }
}

/** Adds an event under a name of its own, which it keeps when the document is written anew. */
export function add(entry: Entry, type: EventType, said: string, id: string, rest: Partial<Draft> = {}): Draft {
  const { state, drafts } = entry
  const index = drafts.filter(({ native }) => native.id === id).length
  const draft: Draft = { session: state.session, type, text: said, native: { id, index }, ...rest }
  if (state.created > 0) draft.at = state.created
  if (state.model !== '' && (type === 'assistant_response' || type === 'reasoning' || type === 'tool_call')) {
    draft.model = state.model
  }
  drafts.push(draft)
  return draft
}

/**
 * A message has no id. Its place alone would make an edited prompt overwrite the one before, its record alone would make
 * another message of it whenever one of its tools has answered.
 */
export function nameOf({ index }: Entry, role: string, said: string): string {
  return `${index} ${hash128(role, said).toString('hex')}`
}

export function readingOf({ drafts, sessions }: Entry): Reading {
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}
