/** What a server offers: what `tools/list` says about each tool, and how to come by the tool itself. */

import { z } from 'zod'
import type { Surface, Tool } from '../tools/index.ts'
import type { OfferedTool } from './toolsets.ts'

export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema
  annotations: Tool['annotations'] & { title: string }
}

type JsonSchema = { type: 'object'; [keyword: string]: unknown }

/** Offers tools that are loaded. */
export function offerTools(tools: readonly Tool[], surface: Surface): OfferedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    toolset: tool.toolset,
    listed: listTool(tool, surface),
    load: async () => tool,
  }))
}

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
