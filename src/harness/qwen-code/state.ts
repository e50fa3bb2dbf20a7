/** What is remembered along one transcript of Qwen Code. Plain JSON, every collection bounded. */

import type { SourceFile } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { placeOf } from './paths.ts'

export interface State {
  /** Native id of the main session: what a record said last, until then what the path says. */
  session: string
  /** Id of the subagent whose file this is, else empty. */
  agent: string
  /** Facts last told of each session, so that they are told once: directory, branch, version, fork. */
  told: Record<string, string>
  /** Calls whose results have not been read, by call id. */
  pending: Record<string, ToolName>
  /** A title a person gave is not replaced by one the model made. */
  titled: boolean
  /** A prompt has not been answered yet, nor given up. */
  turnIsOpen: boolean
  /** The provider's response to the last request is whole: told by the client's telemetry, before the message itself. */
  responded: boolean
}

export function openState(file: SourceFile): State {
  const { session, agent } = placeOf(file)
  return { session, agent, told: {}, pending: {}, titled: false, turnIsOpen: false, responded: false }
}
