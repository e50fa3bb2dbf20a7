/** What is remembered along one transcript of Copilot CLI. Plain JSON, every collection bounded. */

import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { sessionOf } from './paths.ts'

/** A call whose result has not been read, and the session that made it. */
export interface PendingCall extends ToolName {
  session: string
}

/** Where a session's turn stands: the model is at work, or has said all it has to say. */
export type Progress = 'working' | 'said'

export interface State {
  /** Native id of the main session. */
  session: string
  cwd: string
  /** By call id. */
  pending: Record<string, PendingCall>
  /** By session: absent while no turn is open. */
  turns: Record<string, Progress>
  /** The last thought that was told by itself, in short: it may stand in the message after it again. */
  thought: string
  /** Usage is told call by call; otherwise only at the end. */
  tellsUsage: boolean
}

export function openState(file: SourceFile): State {
  return { session: sessionOf(file), cwd: '', pending: {}, turns: {}, thought: '', tellsUsage: false }
}
