import { toolCommand } from '../tool-command.ts'

export const open = toolCommand({
  name: 'open',
  summary: 'Show a session, a turn or an event',
  tool: 'open',
  argument: {
    property: 'id',
    name: 'ID',
    description: 'an id printed by search, sessions, touched or open; left out with --cursor',
    required: false,
  },
  examples: ['varve open session:ses_01J9Q3N7W6F9A8K2M4V5R6T7Y8'],
})
