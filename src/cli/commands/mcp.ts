import { TOOLSETS, type Toolset } from '../../tools/tool.ts'
import { defineCommand } from '../command.ts'
import { usageError } from '../parse.ts'
import { withApp } from '../with-app.ts'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve one MCP client over stdin and stdout',
  description:
    'This is what an agent starts. The archive is opened, and new transcripts are read in the background, at the first\n' +
    'tool call. The process ends when its stdin ends.',
  arguments: [],
  options: {
    toolsets: { type: 'text', value: 'A,B', description: `serve only these groups of tools: ${TOOLSETS.join(', ')}` },
    'read-only': { type: 'boolean', description: 'serve only tools that change nothing' },
    'project-only': { type: 'boolean', description: 'show only sessions of the project the client was started in' },
  },
  examples: ['claude mcp add --scope user varve -- node /path/to/varve/bin/varve.js mcp'],
  async run({ options }, terminal) {
    const toolsets = options.toolsets === undefined ? undefined : options.toolsets.split(',').map(toToolset)
    return withApp(terminal, async (app) => {
      const [{ serveMcpOverStdio }, { mcpParts }] = await Promise.all([
        import('../../mcp/stdio.ts'),
        import('../mcp-parts.ts'),
      ])
      const server = await mcpParts(app, () => app.freshServices(terminal.say), terminal.say).serverOptions({
        ...(toolsets && { toolsets }),
        readOnly: options['read-only'],
        projectOnly: options['project-only'],
      })
      await serveMcpOverStdio(server).closed
      return 0
    })
  },
})

function toToolset(text: string): Toolset {
  const toolset = TOOLSETS.find((each) => each === text.trim())
  if (!toolset) throw usageError(`there is no toolset '${text}'; there are ${TOOLSETS.join(', ')}`, 'mcp')
  return toolset
}
