/** The reference of all tools, written from the tools themselves. */

import { z } from 'zod'
import { callText } from './refusal.ts'
import type { Tool } from './tool.ts'

/** Markdown: every tool with its actions, arguments, schema and good calls. */
export function toolsReference(tools: readonly Tool[]): string {
  return ['# Tools', ...tools.map(toolSection)].join('\n\n')
}

function toolSection(tool: Tool): string {
  const schema = inputSchema(tool)
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
  const rows = Object.entries((schema['properties'] ?? {}) as Record<string, Record<string, unknown>>).map(
    ([name, property]) =>
      `- \`${name}\`${required.includes(name) ? ' (required)' : ''}: ${String(property['description'] ?? '')}`,
  )
  const actions = (tool.actions ?? []).map((action) => `- \`${action.name}\`${fieldsOf(action)}: ${action.summary}`)
  const examples = (tool.examples ?? []).map((args) => callText({ tool: tool.name, args }))
  const effect = tool.annotations.readOnlyHint ? 'changes nothing' : 'changes data'
  return [
    `## ${tool.name}`,
    `${tool.title}. Toolset ${tool.toolset}; ${effect}.`,
    tool.description,
    ...(actions.length > 0 ? [`Actions:\n${actions.join('\n')}`] : []),
    `Arguments:\n${rows.join('\n')}`,
    `Input schema:\n\`\`\`json\n${JSON.stringify(withoutWords(schema))}\n\`\`\``,
    ...(examples.length > 0 ? [`Examples:\n\`\`\`\n${examples.join('\n')}\n\`\`\``] : []),
  ].join('\n\n')
}

function fieldsOf({ required, optional }: NonNullable<Tool['actions']>[number]): string {
  const fields = [...required, ...optional.map((name) => `${name}?`)]
  return fields.length === 0 ? '' : ` (${fields.join(', ')})`
}

/** The schema as every door publishes it. */
function inputSchema(tool: Tool): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input' })
  return schema
}

/** A schema without its descriptions, which stand in the list of arguments. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      // A property may be called `description`: then it is a schema, not a text.
      .filter(([name, value]) => name !== 'description' || typeof value !== 'string')
      .map(([name, value]) => [name, withoutWords(value)]),
  )
}
