/** What a server offers to read besides its tools. */

import type { Caller } from '../core/caller.ts'
import type { Services } from '../tools/index.ts'
import type { OfferedTool } from './toolsets.ts'

/** A text that a client may read; made anew at each reading. */
export interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  read(caller: Caller): Promise<string>
}

/** The resources that go with the tools served. @param services opens what is read from, at the first reading */
export function offerResources(
  tools: readonly Pick<OfferedTool, 'toolset'>[],
  services: () => Promise<Services>,
): readonly Resource[] {
  return tools.some(({ toolset }) => toolset === 'context') ? [contextDescription(services)] : []
}

function contextDescription(services: () => Promise<Services>): Resource {
  return {
    uri: 'rift://rift-context.md',
    name: 'rift-context.md',
    title: 'What is held',
    description: 'How many conversations and documents are held, from which clients, projects and dates.',
    mimeType: 'text/markdown',
    async read(caller) {
      const [opened, { contextOverview }] = await Promise.all([services(), import('../tools/index.ts')])
      return contextOverview(opened, caller)
    },
  }
}
