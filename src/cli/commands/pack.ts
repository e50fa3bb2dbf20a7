import { defineCommand } from '../command.ts'
import { packLines } from '../pack-text.ts'
import { askTool, printAnswer } from '../tool-command.ts'

export const pack = defineCommand({
  name: 'pack',
  summary: 'Gather what is known that bears on a task',
  description:
    'Decisions, constraints, passages of past conversations, rules and live files, each word for word with its place.\n' +
    'This is what an agent gets from rift_context_pack.',
  arguments: [{ name: 'TASK', description: 'the task, in a few words', required: true, repeated: true }],
  options: {
    cwd: { type: 'text', value: 'DIR', description: 'the project to narrow documents to; where you are by default' },
    'max-bytes': {
      type: 'number',
      value: 'N',
      description: 'size of the pack at most, 1024 to 16384; 6144 by default',
    },
    'max-per-bucket': { type: 'number', value: 'N', description: 'items of each kind at most, 1 to 10; 3 by default' },
    since: { type: 'text', value: 'DATE', description: 'only what is dated later' },
    json: { type: 'boolean', description: 'print the structured answer' },
  },
  examples: ['varve pack check the installer before a release', 'varve pack "why 8 retries" --max-bytes 4096'],
  async run({ arguments: words, options }, terminal) {
    const answer = await askTool(terminal, 'rift_context_pack', {
      task: words.join(' '),
      cwd: options.cwd ?? terminal.cwd,
      max_bytes: options['max-bytes'] ?? null,
      max_per_bucket: options['max-per-bucket'] ?? null,
      since: options.since ?? null,
    })
    if (answer.isError || options.json) return printAnswer(answer, options.json, terminal)
    for (const line of packLines(answer.structured, terminal)) terminal.print(line)
    return 0
  },
})
