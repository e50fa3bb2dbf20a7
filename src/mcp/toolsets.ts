/** Which tools a server offers. */

import type { Tool, Toolset } from '../tools/index.ts'
import type { ListedTool } from './listing.ts'

/** A tool as a server needs it before the first call; loading the tools themselves would be most of a short start. */
export interface OfferedTool {
  name: string
  toolset: Toolset
  listed: ListedTool
  load(): Promise<Tool>
}

export interface ToolSelection {
  /** Absent: all of them. */
  toolsets?: readonly Toolset[]
  /** Only tools that change nothing. */
  readOnly?: boolean
}

export function selectTools(tools: readonly OfferedTool[], selection: ToolSelection = {}): readonly OfferedTool[] {
  const { toolsets, readOnly = false } = selection
  return tools.filter(
    (tool) => (toolsets?.includes(tool.toolset) ?? true) && (!readOnly || tool.listed.annotations.readOnlyHint),
  )
}
