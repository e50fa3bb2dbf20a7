/** What stdio and HTTP share: one admission and one way to call a tool for all connections of this process. */

import type { App } from '../app.ts'
import { systemClock } from '../core/clock.ts'
import { version } from '../installation.ts'
import { createAdmission, WORKFLOW_LIMITS } from '../mcp/admission.ts'
import { createDispatch } from '../mcp/dispatch.ts'
import { offeredTools } from '../mcp/published.ts'
import { offerResources } from '../mcp/resources.ts'
import type { ToolServerOptions } from '../mcp/server.ts'
import { selectTools, type ToolSelection } from '../mcp/toolsets.ts'
import type { Services, ToolAnswer } from '../tools/index.ts'

export interface McpOptions extends ToolSelection {
  projectOnly?: boolean
}

export interface McpParts {
  /** What makes a server for one client. */
  serverOptions(options: McpOptions): Promise<ToolServerOptions>
  /** Calls a tool in the same line as MCP clients. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<ToolAnswer>
}

/** @param services opens what tools need, at the first call */
export function mcpParts(app: App, services: () => Promise<Services>, log: (message: string) => void): McpParts {
  const reading = createAdmission()
  const working = createAdmission(WORKFLOW_LIMITS)
  const dispatch = createDispatch({
    services,
    admission: (toolset) => (toolset === 'workflows' ? working : reading),
    clock: systemClock,
    onFailure: (tool, cause) => log(`varve: ${tool} failed: ${describe(cause)}`),
  })
  return {
    async serverOptions({ projectOnly = false, ...selection }) {
      const caller = await app.caller({ projectOnly })
      const tools = selectTools(await offeredTools(app.surface), selection)
      return { version, tools, resources: offerResources(tools, services), dispatch, caller }
    },
    async call(name, args, signal) {
      const { findTool } = await import('../tools/call.ts')
      return dispatch(findTool(name), { ...(await app.caller()), signal }, args)
    },
  }
}

/** A failure as the log shows it. */
export function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
