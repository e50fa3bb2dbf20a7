/** What is remembered along one transcript. */

import type { SourceFile } from '../harness.ts'
import { stemOf } from './paths.ts'

export interface State {
  /** Native id of the session. */
  session: string
  /** When the session began, in milliseconds since 1970; what is older in it was copied by a fork. */
  createdAt: number | null
  /** Hash of the newest prompt's text. */
  prompt: string
  /** A compaction made room by taking the newest prompt out; the client puts it in again behind the summary. */
  expectsReplay: boolean
  /** A turn is under way. */
  isOpen: boolean
  /** Ids and tools of the calls of the newest answer, for results that do not name their tool. */
  calls: [id: string, tool: string][]
}

export function openState(file: SourceFile): State {
  const session = file.key ?? stemOf(file)
  return { session, createdAt: null, prompt: '', expectsReplay: false, isOpen: false, calls: [] }
}
