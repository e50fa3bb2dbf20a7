import { UserError } from '../../core/errors.ts'
import { isRecord } from '../../core/json.ts'
import { tools } from '../../tools/index.ts'
import { defineCommand } from '../command.ts'
import { usageError } from '../parse.ts'
import { askTool } from '../tool-command.ts'

export const call = defineCommand({
  name: 'call',
  summary: 'Call a tool as an agent would and print its structured answer',
  description: 'The exit code is 1 when the tool refuses.',
  arguments: [
    { name: 'TOOL', description: `one of ${tools.map(({ name }) => name).join(', ')}`, required: true },
    { name: 'JSON', description: 'its arguments, an object; {} when left out' },
  ],
  options: {
    'project-only': { type: 'boolean', description: 'see only sessions of the project you are in' },
  },
  examples: [`varve call search_sessions '{"query": "clock change", "n_hits": 3}'`],
  async run({ arguments: [name, json = '{}'], options }, terminal) {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw usageError(`there is no tool '${name}'`, 'call')
    const args = parseArguments(json)
    const answer = await askTool(terminal, tool.name, args, { projectOnly: options['project-only'] })
    terminal.print(JSON.stringify(answer.structured, null, 2))
    return answer.isError ? 1 : 0
  },
})

function parseArguments(json: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError('usage', `JSON cannot be read: ${reason}`, {
      remedy: `quote it for your shell: '{"query": "…"}'`,
    })
  }
  if (!isRecord(value)) throw usageError('JSON must be an object', 'call')
  return value
}
