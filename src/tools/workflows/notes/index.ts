/** notes: texts that outlive a run. One file per action. */

import { z } from 'zod'
import { defineActionTool } from '../../action.ts'
import { deleteNote } from './delete.ts'
import { get } from './get.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { save } from './save.ts'
import { stats } from './stats.ts'

export const notes = defineActionTool({
  name: 'notes',
  toolset: 'workflows',
  title: 'Keep notes',
  description: [
    'Keep texts that outlive a conversation and a run: by key, with tags and versions, for you alone. Call save when the user',
    'says to remember something, or when a task produces what later runs need (conventions, results, hand-overs); get or list',
    'when a task or template refers to a note, or before asking the user what may be written down already. Every save is a',
    'new version; history and get with version read older ones. Workflows quote notes with {{note:KEY}}. To find what was',
    'said in past conversations use search_sessions.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  actionDescription: 'What to do with the notes.',
  actions: [list, get, save, deleteNote, history, stats],
  output: { key: z.string(), version: z.number() },
})
