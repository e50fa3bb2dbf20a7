/** What is remembered along one rollout. Plain JSON, and small: it is kept in the checkpoint between two reads. */

import { hash128 } from '../../core/hash.ts'
import type { SourceFile } from '../harness.ts'
import type { CopiedHistory } from './copied-history.ts'
import type { TokenTotals } from './usage.ts'

/** A tool call whose response or twin may still come. */
export interface PendingCall {
  id: string
  name: string
  server?: string
  exitCode?: number
  failed?: true
  /** Its output has been read and did not tell an exit code. */
  answered?: true
  /** Its process goes on in the background, so that its end may come much later. */
  running?: true
}

export interface CodexState {
  /** Native id of the session the file belongs to. */
  session: string
  /** The file's own `session_meta` has been read. */
  owned: boolean
  /** Something other than a `session_meta` has been read. */
  begun: boolean
  /** Some record had a time. */
  timed: boolean
  /** Set while the records are a copy of another session's history. */
  copied?: CopiedHistory
  /** When the session was made, in milliseconds since 1970. */
  madeAt?: number
  cwd?: string
  model?: string
  /** What happened since the last end of a turn: a compact command has neither, and ends nothing. */
  turn: { prompted?: true; worked?: true; failed?: true }
  /** Place of the last prompt that came as a response item. */
  promptAt?: number
  /** In this file an event confirms each prompt. */
  confirmed?: true
  /** The next message between agents starts a turn. */
  triggered?: true
  /** Texts said on one side of the double representation and not yet on the other, oldest first. */
  said: string[]
  calls: PendingCall[]
  /** The file has `token_usage_record`s, so that its `token_count`s say nothing new. */
  exactUsage?: true
  totals?: TokenTotals
  /** `token_count`s so far. */
  counts: number
}

/** Enough for what one response of a model says and calls, many times over. */
const SAID = 32
const CALLS = 128

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Before its first record a file belongs to the session its name tells. */
export function openState(file: SourceFile): CodexState {
  const name = file.relative.slice(file.relative.lastIndexOf('/') + 1).replace(/\.jsonl(\.zst)?$/, '')
  return {
    session: UUID.exec(name)?.[0] ?? name,
    owned: false,
    begun: false,
    timed: false,
    turn: {},
    said: [],
    calls: [],
    counts: 0,
  }
}

/** The two sides on which a rollout tells a step: what goes to the model, and what the user was shown. */
export type Side = 'item' | 'event'

/** Notes what one side said. Only a hash is kept, since the state is not redacted. */
export function say(state: CodexState, kind: string, side: Side, text: string): void {
  state.said.push(`${side}:${hashOf(kind, text)}`)
  if (state.said.length > SAID) state.said.shift()
}

/** Whether the other side has said this already, so that this is its twin; it can be claimed once. */
export function claim(state: CodexState, kind: string, side: Side, text: string): boolean {
  if (state.said.length === 0) return false
  const other = state.said.indexOf((side === 'item' ? 'event:' : 'item:') + hashOf(kind, text))
  if (other >= 0) state.said.splice(other, 1)
  return other >= 0
}

/** Whether this is the twin of something said on the other side; if not, it is noted for a twin that may follow. */
export function isTwin(state: CodexState, kind: string, side: Side, text: string): boolean {
  if (claim(state, kind, side, text)) return true
  say(state, kind, side, text)
  return false
}

function hashOf(kind: string, text: string): string {
  return hash128(kind, text.trim()).toString('base64url').slice(0, 12)
}

/** Remembers a call; false when it is known already. */
export function rememberCall(state: CodexState, id: string | undefined, name: string, server?: string): boolean {
  if (id === undefined) return true
  if (findCall(state, id)) return false
  if (state.calls.length >= CALLS) {
    const oldest = state.calls.findIndex((call) => !call.running)
    state.calls.splice(Math.max(oldest, 0), 1)
  }
  state.calls.push(server === undefined ? { id, name } : { id, name, server })
  return true
}

export function findCall(state: CodexState, id: string | undefined): PendingCall | undefined {
  return id === undefined ? undefined : state.calls.findLast((call) => call.id === id)
}

/** The model has gone on working in this turn. */
export function noteWork(state: CodexState): void {
  state.turn.worked = true
}

/** A turn is over: what was said in it is not waited for any more. */
export function endTurn(state: CodexState): void {
  state.turn = {}
  state.said = []
}
