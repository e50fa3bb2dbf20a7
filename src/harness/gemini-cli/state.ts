/** What is remembered along one transcript of Gemini CLI. Plain JSON, every collection bounded. */

import type { SourceFile } from '../harness.ts'
import { placeOf } from './paths.ts'

export interface State {
  /** Native id of the session; until a header names it, the file's name. */
  session: string
  /** The session whose subagent this is, else empty. */
  parent: string
  /** A header has been read. */
  named: boolean
  /** A prompt has not been answered yet, nor given up. */
  turnIsOpen: boolean
  /** Id of the last prompt. */
  prompt: string
  cwd: string
  /** Ids of calls whose results were told with them; they are told again as a message. */
  answered: string[]
  /** Ids of the summaries told so far: they stand in every later copy of the history. */
  summaries: string[]
}

export function openState(file: SourceFile): State {
  const { name, parent } = placeOf(file)
  return {
    session: name,
    parent,
    named: false,
    turnIsOpen: false,
    prompt: '',
    cwd: '',
    answered: [],
    summaries: [],
  }
}

/** Most ids of one collection: calls run in parallel by the dozen. */
const LIMIT = 128

/** Adds an id and forgets the oldest one when there are too many. */
export function remember(ids: string[], id: string): void {
  ids.push(id)
  if (ids.length > LIMIT) ids.shift()
}
