/** A conversation out of a web page's export while it is read, and the drafts made of it so far. */

import type { Draft, EventType, Reading, SessionFacts } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import { isTime, parseTime } from '../core/time.ts'
import { foreign, number } from './fields.ts'
import {
  defineLayout,
  type ExportFormat,
  everyFile,
  type Layout,
  type SourceDefinition,
  type SourceFile,
} from './harness.ts'
import type { Branch } from './thread.ts'

/** What is remembered along an export: the session of the last conversation, in which what nobody understands stands. */
export interface ExportState {
  session: string
}

export interface Conversation {
  readonly session: string
  readonly drafts: Draft[]
  /** How many events each message has by now. */
  readonly places: Map<string, number>
}

/** A message of it. */
export interface Message {
  /** Its own id, or its place in the conversation. */
  readonly id: string
  readonly at: number | undefined
  readonly model: string
  readonly branch: Branch
}

/** An export lies nowhere of its own: it is read when somebody names it. */
export function exportSource(name: string): SourceDefinition {
  return { name, roots: () => [], matches: () => false }
}

/** The one way a web page's export is written: `format` says where its conversations lie, `read` what one means. */
export function exportLayout(format: Omit<ExportFormat, 'kind'>, read: Layout<ExportState>['read']): Layout {
  return defineLayout<ExportState>({
    matches: everyFile,
    format: { kind: 'export', ...format },
    open: openExport,
    read,
  })
}

function openExport(file: SourceFile): ExportState {
  return { session: (file.relative.split('/').at(-1) ?? '').replace(/\.(zip|json)$/i, '') || 'export' }
}

/** `seed`: what tells a conversation without an id from all others, and stays when it grows. */
export function openConversation(state: ExportState, id: string, ...seed: readonly string[]): Conversation {
  state.session = id === '' ? hash128('conversation', ...seed).toString('hex') : id
  return { session: state.session, drafts: [], places: new Map() }
}

/**
 * Adds an event. One of a branch that was left is marked so; an answer that was replaced neither is one nor ends a turn.
 */
export function add(
  { session, drafts, places }: Conversation,
  message: Message,
  type: EventType,
  said: string,
  rest: Partial<Draft> = {},
): Draft {
  const index = places.get(message.id) ?? 0
  places.set(message.id, index + 1)
  const draft: Draft = { session, type, text: said, native: { id: message.id, index }, ...rest }
  if (message.at !== undefined) draft.at = message.at
  if (message.model !== '' && type !== 'user_input' && type !== 'system') draft.model = message.model
  if (message.branch !== 'main') {
    draft.payload = { branch: 'abandoned', ...(draft.payload === undefined ? {} : { more: draft.payload }) }
  }
  if (message.branch === 'answer') {
    delete draft.ends
    if (type === 'assistant_response') draft.commentary = true
  }
  drafts.push(draft)
  return draft
}

/** What an export says of a conversation as a whole, so that one without messages is told, too. */
export function addHead(conversation: Conversation, at: number | undefined, payload?: unknown): void {
  const head: Message = { id: 'conversation', at, model: '', branch: 'main' }
  add(conversation, head, 'system', '', payload === undefined ? {} : { payload })
}

export function readingOf({ session, drafts }: Conversation, title: string, more: Partial<SessionFacts> = {}): Reading {
  return { drafts, sessions: [{ nativeId: session, ...(title === '' ? {} : { title }), ...more }] }
}

/** What no rule covers is kept as it is. */
export function unknownRecord(value: unknown, { session }: ExportState): Reading {
  return { drafts: [{ session, type: 'unknown', text: '', payload: foreign(value), native: { index: 0 } }] }
}

/** A time as web pages write it: seconds since 1970 with a fraction, or a text. */
export function webTime(value: unknown): number | undefined {
  const seconds = number(value)
  if (seconds === undefined) return parseTime(value)
  const millis = Math.round(seconds * 1000)
  return isTime(millis) && millis > 0 ? millis : undefined
}

/** `[file beds.pdf]` for each name; what a file holds leaves by reference. */
export function fileNames(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '').map((name) => `[file ${name}]`)
}
