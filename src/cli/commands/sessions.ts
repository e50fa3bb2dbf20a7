import { toolCommand } from '../tool-command.ts'

export const sessions = toolCommand({
  name: 'sessions',
  summary: 'List sessions, the newest first',
  description: 'Without times, all of them.',
  tool: 'list_sessions',
  // Fixed, so that a cursor of one page fits the request for the next.
  defaults: { start_datetime: '1970-01-01T00:00:00Z', end_datetime: '9999-12-31T00:00:00Z' },
  examples: ['varve sessions --harness codex', 'varve sessions --start-datetime 2026-11-01T00:00:00Z --limit 5'],
})
