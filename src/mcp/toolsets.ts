/** Which tools a server offers. */

import type { Tool, Toolset } from '../tools/index.ts'

export interface ToolSelection {
  /** Absent: all of them. */
  toolsets?: readonly Toolset[]
  /** Only tools that change nothing. */
  readOnly?: boolean
}

export function selectTools(tools: readonly Tool[], selection: ToolSelection = {}): readonly Tool[] {
  const { toolsets, readOnly = false } = selection
  return tools.filter(
    (tool) => (toolsets?.includes(tool.toolset) ?? true) && (!readOnly || tool.annotations.readOnlyHint),
  )
}
