/** What the build runs to publish the tools (see `mcp/published.ts`): the list of a machine without a configuration. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { PUBLISHED_TOOLS, publishTools } from '../mcp/published.ts'

export { PUBLISHED_TOOLS }

/** @param empty a folder that holds no configuration */
export async function publishedTools(empty: string): Promise<string> {
  const env = { VARVE_HOME: join(empty, 'nothing') }
  const app = await createApp({ home: homedir(), env, platform: process.platform, cwd: empty })
  return publishTools(app.surface)
}
