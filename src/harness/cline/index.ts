/**
 * Cline: the terminal client keeps a document of messages for each session (`session.ts`); the extension for VS Code and
 * other editors, and terminal clients before 3, one of what the user was shown of each task (`task.ts`).
 */

import { defineHarness } from '../harness.ts'
import { sources } from './paths.ts'
import { sessionLayout } from './session.ts'
import { taskLayout } from './task.ts'

export const cline = defineHarness({
  id: 'cline',
  title: 'Cline',
  sources,
  layouts: [sessionLayout, taskLayout],
  missing: [
    'That a command was interrupted: when the terminal client is stopped while a tool runs, it says that the session failed.',
    'The end of a turn that a session was taken up again after, when the turn was cancelled before Varve saw it.',
    'In editors: what a tool answered, but for commands, MCP tools and the browser; exit codes; the Git branch.',
    'Which call started a subagent, unless its task stands in the call.',
  ],
})
