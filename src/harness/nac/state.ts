/** What is remembered along one session and its workers. */

import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'

export interface State {
  /** Native id of the session. */
  session: string
  /** When it began, in milliseconds since 1970; its messages have no times. */
  startedAt: number | null
  /** Empty for a session on another machine. */
  cwd: string
  model: string
  /** Calls whose results have not been read, by call id. */
  pending: Record<string, ToolName>
}

export function openState(file: SourceFile): State {
  return { session: file.key ?? file.relative, startedAt: null, cwd: '', model: '', pending: {} }
}
