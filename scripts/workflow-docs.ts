/** What the documentation says about workflows and can be read off the program. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { workflowsFolder } from '../src/installation.ts'
import { parseDefinition, workflowJsonSchema } from '../src/workflow/definition-schema.ts'
import { nodeTypes } from '../src/workflow/nodes/index.ts'
import type { NodeType } from '../src/workflow/nodes/node-type.ts'
import { table } from './markdown-table.ts'

/** Fields every node has; the table is about the others. */
const COMMON_FIELDS = ['id', 'type', 'metadata', 'connections']

/** docs/workflow.schema.json. */
export function workflowSchemaText(): string {
  return `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`
}

/** Node types with their fields and edges; those that must be there stand in bold. */
export function nodeTypesTable(): string {
  const rows = nodeTypes.map((type) => [
    `\`${type.type}\``,
    type.title,
    type.waits ? 'yes' : '',
    fieldsOf(type),
    [...type.edges.required.map(bold), ...type.edges.optional.map(code)].join(', '),
  ])
  return table(['type', 'what it is', 'waits', 'fields', 'edges'], rows)
}

function fieldsOf(type: NodeType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(type.schema)
  return Object.keys(properties)
    .filter((name) => !COMMON_FIELDS.includes(name))
    .map((name) => (required.includes(name) ? bold(name) : code(name)))
    .join(', ')
}

function code(name: string): string {
  return `\`${name}\``
}

function bold(name: string): string {
  return `**\`${name}\`**`
}

/** The bundled workflows with what each is for. */
export function bundledTable(): string {
  const rows = readdirSync(workflowsFolder)
    .sort()
    .map((file) => parseDefinition(JSON.parse(readFileSync(join(workflowsFolder, file), 'utf8'))))
    .map(({ slug = '', metadata }) => [`\`${slug}\``, metadata.description])
  return table(['workflow', 'what it does'], rows)
}
