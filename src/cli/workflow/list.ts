import type { WorkflowDefinition } from '../../workflow/definition.ts'
import { printJson, type WorkflowAction } from './action.ts'
import { BUNDLED_HANDLE, bundledSlugs, readParsed } from './read-definition.ts'

export const list: WorkflowAction = {
  name: 'list',
  summary: 'the workflows that come with Varve',
  takes: { least: 0, most: 0 },
  async run(_references, options, terminal) {
    const workflows = bundledSlugs().map((slug) => summarize(slug, readParsed(slug, terminal.cwd)))
    if (options.json) printJson(terminal, { workflows })
    else for (const line of workflows.flatMap(shown)) terminal.print(line)
    return 0
  },
}

interface Summary {
  id: string
  slug: string
  name: string
  version: string
  description: string
  nodeCount: number
}

function summarize(slug: string, { metadata, nodes }: WorkflowDefinition): Summary {
  const { name, version, description } = metadata
  return { id: `${BUNDLED_HANDLE}/${slug}`, slug, name, version, description, nodeCount: nodes.length }
}

function shown({ slug, version, description, nodeCount }: Summary): string[] {
  return [`${slug} ${version}, ${nodeCount} nodes`, `    ${description}`]
}
