/** What is remembered along one transcript of Grok. Plain JSON, every collection bounded. */

import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { placeOf } from './paths.ts'

/** A call whose result has not been read; a subagent is told from its siblings by its description. */
export interface PendingCall extends ToolName {
  description?: string
}

export interface State {
  session: string
  /** Working directory still to be told; empty afterwards. */
  directory: string
  /** By call id. */
  pending: Record<string, PendingCall>
  model: string
  /** A prompt has not been answered yet, nor given up. */
  turnIsOpen: boolean
  /** Number of the prompt that was just given; -1 once the agent has said or done something. */
  prompt: number
}

export function openState(file: SourceFile): State {
  const { session, directory } = placeOf(file)
  return { session, directory, pending: {}, model: '', turnIsOpen: false, prompt: -1 }
}
