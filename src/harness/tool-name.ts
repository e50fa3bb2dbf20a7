/** Reads the many spellings in which clients write the name of an MCP tool. */

/** What a record says about a tool beside its name. Give what is there; nothing is required. */
export interface ToolNameHints {
  /** A namespace the client keeps apart from the name: Codex writes `mcp__probe` beside `echo`. */
  namespace?: string | undefined
  /** The server, where a field of its own names it (`mcpServerName`, `server`). */
  server?: string | undefined
  /** The bare tool name, where a field of its own holds it. */
  tool?: string | undefined
  /** Servers known to be configured: without them `probe_echo` cannot be told from a builtin tool's name. */
  servers?: readonly string[] | undefined
  /** The real name out of the argument of a wrapper tool (`use_tool`, `tool_call`). */
  wrapped?: string | undefined
}

/** A tool's name without its server's prefix, and the server when there is one. */
export interface ToolName {
  name: string
  server?: string
}

/** `mcp__probe__echo`: the most common spelling, which Codex also uses for namespaces. */
const MCP_PREFIX = 'mcp__'

/** `mcp_probe_echo`: Gemini CLI. */
const MCP_SHORT_PREFIX = 'mcp_'

/** Claude Code names the server of a plugin `plugin_<plugin>_<server>`. */
const PLUGIN_PREFIX = 'plugin_'

/**
 * The bare name of a tool and the MCP server it belongs to. A name that shows no server is returned as it is: a wrong
 * server would be worse than none.
 */
export function toolName(name: string, hints: ToolNameHints = {}): ToolName {
  if (hints.wrapped) {
    const { wrapped, ...rest } = hints
    return toolName(wrapped, rest)
  }
  const tool = hints.tool || name
  if (hints.server) return { name: withoutServer(tool, hints.server), server: hints.server }
  if (hints.namespace) return inNamespace(tool, hints.namespace)
  return fromSpelling(tool, hints.servers ?? [])
}

function inNamespace(tool: string, namespace: string): ToolName {
  const server = namespace.startsWith(MCP_PREFIX) ? pluginServer(namespace.slice(MCP_PREFIX.length)) : ''
  return server === '' ? fromSpelling(tool, []) : { name: withoutServer(tool, server), server }
}

function fromSpelling(tool: string, servers: readonly string[]): ToolName {
  if (tool.startsWith(MCP_PREFIX)) return afterPrefix(tool, tool.slice(MCP_PREFIX.length), servers)
  const known = byKnownServer(tool, servers)
  if (known) return known
  if (tool.startsWith(MCP_SHORT_PREFIX)) return afterShortPrefix(tool, servers)
  return splitAt(tool, tool.indexOf('__'), 2) ?? { name: tool }
}

/** `<server>__<tool>`; either may hold `__` itself, so a known server is tried before the first `__` is trusted. */
function afterPrefix(whole: string, rest: string, servers: readonly string[]): ToolName {
  const known = longestFirst(servers).find(
    (server) => rest.startsWith(`${server}__`) && rest.length > server.length + 2,
  )
  if (known !== undefined) return { name: rest.slice(known.length + 2), server: known }
  const split = splitAt(rest, rest.indexOf('__', 1), 2)
  if (!split?.server) return { name: whole }
  return { name: split.name, server: pluginServer(split.server) }
}

/** `mcp_<server>_<tool>`: the server is known, or it is the first word. */
function afterShortPrefix(whole: string, servers: readonly string[]): ToolName {
  const rest = whole.slice(MCP_SHORT_PREFIX.length)
  return byKnownServer(rest, servers) ?? splitAt(rest, rest.indexOf('_'), 1) ?? { name: whole }
}

function byKnownServer(tool: string, servers: readonly string[]): ToolName | undefined {
  for (const server of longestFirst(servers)) {
    const name = withoutServer(tool, server)
    if (name !== tool) return { name, server }
  }
  return undefined
}

/** Takes the server's prefix off a name, whichever way they are joined; a name without it stays. */
function withoutServer(tool: string, server: string): string {
  for (const prefix of [
    `${MCP_PREFIX}${server}__`,
    `${MCP_SHORT_PREFIX}${server}_`,
    `${server}__`,
    `${server}-`,
    `${server}_`,
  ]) {
    if (tool.length > prefix.length && tool.startsWith(prefix)) return tool.slice(prefix.length)
  }
  if (tool.startsWith(MCP_PREFIX)) {
    const split = splitAt(
      tool.slice(MCP_PREFIX.length),
      tool.indexOf('__', MCP_PREFIX.length + 1) - MCP_PREFIX.length,
      2,
    )
    if (split?.server && pluginServer(split.server) === server) return split.name
  }
  return tool
}

/**
 * `plugin_<plugin>_<server>` to the server. Neither part is marked, so the server is taken to be the part after the
 * plugin's name when both are the same word, and the last one otherwise.
 */
function pluginServer(server: string): string {
  if (!server.startsWith(PLUGIN_PREFIX)) return server
  const rest = server.slice(PLUGIN_PREFIX.length)
  const half = (rest.length - 1) / 2
  if (Number.isInteger(half) && rest.charAt(half) === '_' && rest.slice(0, half) === rest.slice(half + 1)) {
    return rest.slice(0, half)
  }
  const cut = rest.lastIndexOf('_')
  return cut > 0 && cut < rest.length - 1 ? rest.slice(cut + 1) : server
}

function splitAt(text: string, at: number, width: number): ToolName | undefined {
  if (at < 1 || at + width >= text.length) return undefined
  return { server: text.slice(0, at), name: text.slice(at + width) }
}

function longestFirst(servers: readonly string[]): readonly string[] {
  return servers.length < 2 ? servers : [...servers].sort((left, right) => right.length - left.length)
}
