/** The tools as an MCP server, for the protocols of 2025 and for 2026-07-28. */

import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import { isRecord } from '../core/json.ts'
import type { Dispatch } from './dispatch.ts'
import { writeInstructions } from './instructions.ts'
import type { Resource } from './resources.ts'
import type { OfferedTool } from './toolsets.ts'

export interface ToolServerOptions {
  version: string
  /** What is served; see `selectTools`. */
  tools: readonly OfferedTool[]
  /** What can be read besides; see `offerResources`. */
  resources?: readonly Resource[]
  dispatch: Dispatch
  /** Who every call of this server is made for. */
  caller: Omit<Caller, 'signal' | 'client' | 'progress'>
}

/** Makes a server for one connection or one request; cheap, since all it needs is made once and shared. */
export type ServerFactory = () => Server

/** Lists do not change while a process runs; an upgrade replaces the process. */
const CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const

/**
 * Arguments are passed on as they came: a tool checks them itself and refuses them with an error envelope, where a
 * schema here would make a protocol error of them.
 */
const CALL = z.looseObject({ name: z.string(), arguments: z.unknown().optional() })

/** Leaves tool calls alone: the checks of the base class would refuse bad arguments before the tool sees them. */
class ToolServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>): typeof handler {
    return method === 'tools/call' ? handler : super._wrapHandler(method, handler)
  }
}

export function createServerFactory(options: ToolServerOptions): ServerFactory {
  const { version, tools, resources = [], dispatch, caller } = options
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const identity = { name: 'varve', title: 'Varve', version }
  const settings = {
    capabilities: { tools: {}, ...(resources.length > 0 && { resources: {} }) },
    instructions: writeInstructions(tools, caller.projectRoots),
    cacheHints: { 'tools/list': CACHE, 'resources/list': CACHE, 'server/discover': CACHE },
  }
  const listed = tools.map((tool) => tool.listed)

  return () => {
    const server = new ToolServer(identity, settings)
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', { params: CALL }, async (call, context) => {
      const tool = byName.get(call.name)
      if (tool === undefined) throw unknownTool(call.name, byName)
      const args = call.arguments === undefined ? {} : call.arguments
      const answer = await dispatch(await tool.load(), withContext(caller, server, context), args)
      return {
        content: [{ type: 'text', text: answer.text }],
        structuredContent: answer.structured,
        isError: answer.isError,
      }
    })
    if (resources.length > 0) serveResources(server, resources, caller)
    return server
  }
}

function serveResources(server: Server, resources: readonly Resource[], caller: ToolServerOptions['caller']): void {
  const listed = resources.map(({ read: _, ...resource }) => resource)
  server.setRequestHandler('resources/list', () => ({ resources: listed }))
  // Asked for by clients that know the capability alone.
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const resource = resources.find((each) => each.uri === uri)
    if (resource === undefined) throw new ResourceNotFoundError(uri)
    const text = await resource.read(withContext(caller, server, context))
    return { contents: [{ uri, mimeType: resource.mimeType, text }] }
  })
}

function unknownTool(name: string, served: ReadonlyMap<string, OfferedTool>): ProtocolError {
  const message = `unknown tool ${JSON.stringify(name.slice(0, 100))}; this server has ${[...served.keys()].join(', ')}`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** Adds what only this call knows: the client's name, how to cancel, and where to report progress. */
function withContext(caller: ToolServerOptions['caller'], server: Server, context: ServerContext): Caller {
  const { signal, _meta, notify } = context.mcpReq
  const client = clientName(server, context)
  const progressToken = _meta?.progressToken
  return {
    ...caller,
    signal,
    ...(client !== undefined && { client }),
    ...(progressToken !== undefined && {
      progress: (progress, total, message) => {
        const params = { progressToken, progress, total, message }
        // The client may be gone by now, which is no failure of the call.
        notify({ method: 'notifications/progress', params }).catch(() => {})
      },
    }),
  }
}

/** Since 2026-07-28 every request names its client; before, only the handshake did. */
function clientName(server: Server, context: ServerContext): string | undefined {
  const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {}
  const info = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
  return isRecord(info) && typeof info['name'] === 'string' ? info['name'] : undefined
}
