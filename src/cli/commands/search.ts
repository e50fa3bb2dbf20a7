import { toolCommand } from '../tool-command.ts'

export const search = toolCommand({
  name: 'search',
  summary: 'Find what was said or done in past sessions',
  description:
    'Quote a phrase to find it whole, write -word to exclude a word, end a word with * to match its beginning.\n' +
    'Prompts and answers are searched; --event-types adds tool calls, their output and more.',
  tool: 'search_sessions',
  argument: { property: 'query', name: 'QUERY', description: 'what to look for', required: true, repeated: true },
  examples: ['varve search clock change', `varve search '"retry-after" -redis' --n-hits 3`],
})
