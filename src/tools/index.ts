/** The list of tools. Adding one is its file, its test and a line here. */

import { contextPack } from './context/context-pack.ts'
import { conversationsSearch } from './context/conversations-search.ts'
import { forgetEvidenceFeedback } from './context/forget-evidence-feedback.ts'
import { logOutcome } from './context/log-outcome.ts'
import { openEvidence } from './context/open-evidence.ts'
import { save } from './context/save.ts'
import { search } from './context/search.ts'
import { status } from './context/status.ts'
import { whyEvidence } from './context/why-evidence.ts'
import { fileAttention } from './sessions/file-attention/index.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { open } from './sessions/open/index.ts'
import { searchSessions } from './sessions/search-sessions.ts'
import type { Tool } from './tool.ts'
import { help } from './workflows/help.ts'
import { list } from './workflows/list.ts'
import { manage } from './workflows/manage/index.ts'
import { notes } from './workflows/notes/index.ts'
import { session } from './workflows/session/index.ts'
import { start } from './workflows/start.ts'
import { step } from './workflows/step.ts'

export { contextOverview } from './context/overview.ts'
export {
  type Coverage,
  type ProjectLookup,
  type Services,
  type Surface,
  TOOLSETS,
  type Tool,
  type ToolAnswer,
  type Toolset,
} from './tool.ts'

export const tools: readonly Tool[] = [
  searchSessions,
  open,
  listSessions,
  fileAttention,
  contextPack,
  search,
  conversationsSearch,
  openEvidence,
  save,
  logOutcome,
  status,
  whyEvidence,
  forgetEvidenceFeedback,
  list,
  start,
  step,
  manage,
  session,
  notes,
  help,
]
