import { describe, expect, it } from 'vitest'
import type { Toolset } from '../tools/tool.ts'
import { offerResources } from './resources.ts'
import type { OfferedTool } from './toolsets.ts'

const offered = (toolset: Toolset): Pick<OfferedTool, 'toolset'> => ({ toolset })
const services = async (): Promise<never> => {
  throw new Error('opened')
}

describe('2: the resource', () => {
  it('is offered with the context tools alone, and opens nothing before it is read', async () => {
    expect(offerResources([offered('sessions'), offered('workflows')], services)).toEqual([])
    const [resource, ...others] = offerResources([offered('context')], services)
    expect(others).toEqual([])
    expect(resource).toMatchObject({ uri: 'rift://rift-context.md', mimeType: 'text/markdown' })
    await expect(resource?.read({ owner: 1, admin: true, launchDirectory: '/' })).rejects.toThrow('opened')
  })
})
