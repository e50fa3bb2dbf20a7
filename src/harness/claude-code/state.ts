/** What is remembered along one transcript. Plain JSON, every collection bounded. */

import type { SourceFile } from '../harness.ts'
import { placeOf } from './paths.ts'

/** A tool call whose result has not been read yet. */
export interface PendingCall {
  name: string
  server?: string
  /** The beginning of a subagent's prompt, by which an inline sidechain finds the call that started it. */
  prompt?: string
}

/** Facts of a session that were told; empty while unknown. */
export interface Announced {
  cwd: string
  branch: string
  version: string
  slug: string
}

export interface State {
  /** Native id of the main session; until a record names it, what the path suggests. */
  session: string
  /** The path is right about the session, whatever the records say. */
  certain: boolean
  /** The session is known: from the path, from a file name that is a session's id, or from a record. */
  named: boolean
  /** Id of the subagent whose file this is, else empty. */
  agent: string
  cowork: boolean
  /** By call id. */
  pending: Record<string, PendingCall>
  /** By session: the facts last told, so that they are told once. */
  announced: Record<string, Announced>
  /** By agent: the call that started it. */
  links: Record<string, string>
  /** Session this one was forked from, once a record has said so. */
  fork: string
  /** Rank of the title already told: 0 none, 1 summary, 2 made by the model, 3 given by the user. */
  titleRank: number
  /** Summaries whose last message has not been met: its uuid and the text. */
  summaries: [leaf: string, text: string][]
  /** The last uuids of the file, for a summary written after its last message. */
  recent: string[]
  /** Uuids of sidechain records without an agent id, each with the uuid its chain began with. */
  sidechains: [uuid: string, root: string][]
  /** A real stop_reason `end_turn` has been seen, so a text without one is not the end of a turn. */
  stopsAreReal: boolean
  /** The main conversation's turn has begun and not ended. */
  turnIsOpen: boolean
}

/** Most entries of one collection. Calls run in parallel by the dozen, not by the hundred. */
const LIMIT = 128

/** Most uuids and summaries kept. */
const RECENT = 32

/** Claude Code names sessions, and their files, with a UUID. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function openState(file: SourceFile): State {
  const { session, certain, agent, cowork } = placeOf(file)
  return {
    session,
    certain,
    named: certain || SESSION_ID.test(session),
    agent,
    cowork,
    pending: {},
    announced: {},
    links: {},
    fork: '',
    titleRank: 0,
    summaries: [],
    recent: [],
    sidechains: [],
    stopsAreReal: false,
    turnIsOpen: false,
  }
}

/** Sets an entry and forgets the oldest one when there are too many. */
export function remember<Value>(collection: Record<string, Value>, key: string, value: Value): void {
  if (!Object.hasOwn(collection, key)) {
    const keys = Object.keys(collection)
    if (keys.length >= LIMIT && keys[0] !== undefined) delete collection[keys[0]]
  }
  collection[key] = value
}

/** Removes an entry and returns it. */
export function take<Value>(collection: Record<string, Value>, key: string): Value | undefined {
  if (!Object.hasOwn(collection, key)) return undefined
  const value = collection[key]
  delete collection[key]
  return value
}

/** Adds to a list and forgets its oldest item when there are too many. */
export function append<Item>(list: Item[], item: Item, limit: number = RECENT): void {
  list.push(item)
  if (list.length > limit) list.shift()
}

/** The chain a sidechain record belongs to: that of its parent, or a new one. */
export function sidechainRoot(state: State, uuid: string, parent: string): { root: string; isNew: boolean } {
  const chain = parent === '' ? undefined : state.sidechains.find(([known]) => known === parent)
  const root = chain?.[1] ?? (uuid || parent)
  if (uuid !== '') append(state.sidechains, [uuid, root], LIMIT)
  return { root, isNew: chain === undefined }
}
