/** What `tools/list` says about a tool. */

import { z } from 'zod'
import type { Surface, Tool } from '../tools/index.ts'

export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  annotations: Tool['annotations'] & { title: string }
}

type JsonSchema = { type: 'object'; [keyword: string]: unknown }

export function listTool(tool: Tool, surface: Surface): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toJsonSchema(tool.describe?.(surface, tool.input) ?? tool.input, 'input'),
    outputSchema: toJsonSchema(tool.output, 'output'),
    annotations: { title: tool.title, ...tool.annotations },
  }
}

/** Without `$schema`: every protocol version reads a schema that names no dialect, and some clients refuse one that does. */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  return { ...rest, type: 'object' }
}
