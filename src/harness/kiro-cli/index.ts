/**
 * Kiro CLI (Amazon), and the editor where it writes the same. Its three engines keep conversations in three ways: in a
 * database, in a log for each session, and in logs by workspace. The engine is chosen for each session.
 */

import { defineHarness } from '../harness.ts'
import { conversation } from './conversation.ts'
import { sources } from './paths.ts'
import { sessionLog } from './session-log.ts'
import { workspaceLog } from './workspace-log.ts'

export const kiroCli = defineHarness({
  id: 'kiro-cli',
  title: 'Kiro CLI',
  sources,
  layouts: [sessionLog, workspaceLog, conversation],
  missing: [
    'The service counts tokens, and newer clients note credits alone, which are kept and not counted.',
    'In logs by session only prompts have a time; answers and tools have that of the prompt before them.',
    'How an earlier turn of such a log ended is known only when it was captured before the next one; without that, an answer that calls no tool is the end.',
    'The git branch and the version of the client are not recorded.',
    'What a conversation in the database lost at its beginning, when it grew too long, is gone unless it was captured before.',
    'Messages that a user took back (`ResetTo`) are not told from others.',
  ],
})
