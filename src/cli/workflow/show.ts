import { edgesOf, structureFacts } from '../../workflow/graph.ts'
import { asciiFlow } from '../../workflow/graph-flow.ts'
import { printJson, type WorkflowAction } from './action.ts'
import { readParsed } from './read-definition.ts'

export const show: WorkflowAction = {
  name: 'show',
  summary: 'its steps as a picture of text',
  takes: { least: 1, most: 1 },
  async run([reference = ''], options, terminal) {
    const definition = readParsed(reference, terminal.cwd)
    const { metadata } = definition
    const graph = asciiFlow(definition, { previews: options.details })
    if (options.json) {
      printJson(terminal, { metadata, structure: structureFacts(definition), connections: edgesOf(definition), graph })
      return 0
    }
    terminal.print(`${metadata.name} ${metadata.version}: ${metadata.description}`)
    terminal.print('')
    terminal.print(graph)
    return 0
  },
}
