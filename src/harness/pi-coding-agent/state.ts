/** What is remembered along one transcript. Plain JSON, every collection bounded. */

import type { Ending } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { placeOf } from './paths.ts'

export interface State {
  /** Native id of the session: what the path says until the header names it. */
  session: string
  /** The session whose subagent this is by its path, else empty. */
  parent: string
  /** What the parent calls it, else empty. */
  name: string
  /** A title has been told. */
  titled: boolean
  cwd: string
  /** When the session was forked, in milliseconds since 1970; what is older in it was copied. */
  forkedAt: number | null
  /** Id of the entry before. */
  last: string
  /** How the last turn ended; empty while one is under way, and before the first. */
  ended: Ending | ''
  /** A prompt has not been answered yet, nor given up. */
  turnIsOpen: boolean
  /** Calls whose results have not been read, by call id. */
  pending: Record<string, ToolName>
}

export function openState(file: SourceFile): State {
  const { session, parent, name } = placeOf(file)
  return {
    session,
    parent,
    name,
    titled: false,
    cwd: '',
    forkedAt: null,
    last: '',
    ended: '',
    turnIsOpen: false,
    pending: {},
  }
}
