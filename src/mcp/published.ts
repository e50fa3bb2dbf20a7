/**
 * The tools as the build published them: what `tools/list` says, written to a file, so that a server that is only asked
 * for its list reads that file and none of the tools. A machine whose list differs (sources of its own, another page
 * size) makes its list from the tools.
 */

import { readFile } from 'node:fs/promises'
import { canonicalJson } from '../core/json.ts'
import type { Surface, Tool, Toolset } from '../tools/index.ts'
import type { ListedTool } from './listing.ts'
import type { OfferedTool } from './toolsets.ts'

/** Beside the bundled program; there is none when it runs from its sources. */
export const PUBLISHED_TOOLS = 'published-tools.json'

interface PublishedTools {
  surface: Surface
  tools: { toolset: Toolset; listed: ListedTool }[]
}

/** Every tool, as this machine publishes it. */
export async function offeredTools(surface: Surface): Promise<readonly OfferedTool[]> {
  const published = await readPublished()
  if (published && canonicalJson(published.surface) === canonicalJson(surface)) {
    return published.tools.map(({ toolset, listed }) => {
      const { name } = listed
      return { name, toolset, listed, load: () => loadTool(name) }
    })
  }
  const [{ tools }, { offerTools }] = await Promise.all([import('../tools/index.ts'), import('./listing.ts')])
  return offerTools(tools, surface)
}

/** What the build writes for the machine it runs on. */
export async function publishTools(surface: Surface): Promise<string> {
  const [{ tools }, { listTool }] = await Promise.all([import('../tools/index.ts'), import('./listing.ts')])
  const published: PublishedTools = {
    surface,
    tools: tools.map((tool) => ({ toolset: tool.toolset, listed: listTool(tool, surface) })),
  }
  return JSON.stringify(published)
}

async function readPublished(): Promise<PublishedTools | undefined> {
  try {
    return JSON.parse(await readFile(new URL(PUBLISHED_TOOLS, import.meta.url), 'utf8')) as PublishedTools
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function loadTool(name: string): Promise<Tool> {
  const { findTool } = await import('../tools/call.ts')
  return findTool(name)
}
