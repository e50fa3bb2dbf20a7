/** What is remembered along one transcript. */

import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'

export interface State {
  /** Native id of the session. */
  session: string
  /** When it began, in milliseconds since 1970; the time of messages that have none. */
  startedAt: number | null
  /** Its history before it began was copied: it goes on from another session. */
  isContinued: boolean
  model: string
  cwd: string
  /** A prompt has not been answered yet, nor given up. */
  turnIsOpen: boolean
  /** Calls whose results have not been read, by call id. */
  pending: Record<string, ToolName>
}

export function openState(file: SourceFile): State {
  const name = (file.path.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '')
  return {
    session: file.key ?? name.replace(/^session_/, ''),
    startedAt: null,
    isContinued: false,
    model: '',
    cwd: '',
    turnIsOpen: false,
    pending: {},
  }
}
