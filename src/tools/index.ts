/** The list of tools. Adding one is its file, its test and a line here. */

import type { Tool } from './tool.ts'

export { type Coverage, type Services, TOOLSETS, type Tool, type ToolAnswer, type Toolset } from './tool.ts'

export const tools: readonly Tool[] = []
