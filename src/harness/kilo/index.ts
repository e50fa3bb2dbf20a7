/**
 * Kilo Code in the terminal: a descendant of OpenCode that writes as it does, into a folder of its own. Its boards, on
 * which sessions leave messages for each other, are no conversation.
 */

import { defineHarness } from '../harness.ts'
import { opencodeLayouts, opencodeMissing, sourceOf } from '../opencode/index.ts'

export const kilo = defineHarness({
  id: 'kilo',
  title: 'Kilo Code',
  // Until it got a name of its own, the database was called `opencode.db` here, too.
  sources: [sourceOf({ name: 'kilo', databases: ['kilo', 'opencode'], databaseVariable: 'KILO_DB' })],
  layouts: opencodeLayouts,
  missing: [
    ...opencodeMissing,
    'Messages that sessions leave for each other on a board.',
    'Tasks of the VS Code extension before it was built on the terminal client: Varve does not read them.',
  ],
})
