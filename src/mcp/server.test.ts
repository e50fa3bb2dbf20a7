import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tools } from '../tools/index.ts'
import type { Tool, Toolset } from '../tools/tool.ts'
import { MAX_INSTRUCTIONS, writeInstructions } from './instructions.ts'
import { listTool, offerTools } from './listing.ts'
import { selectTools } from './toolsets.ts'

const surface = { sourceNames: ['claude', 'codex'], harnesses: [], maxResults: 50 }

function tool(name: string, toolset: Toolset = 'sessions', readOnlyHint = true): Tool {
  return {
    name,
    toolset,
    title: `Title of ${name}`,
    description: `What ${name} does.`,
    annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.object({ source: z.string().optional() }),
    output: z.object({ tool: z.literal(name), data: z.object({}).optional() }),
    call: async () => ({ text: '', structured: {}, isError: false }),
    describe: ({ sourceNames }, input) => input.extend({ source: z.enum(sourceNames).optional() }),
  }
}

const names = ['search_sessions', 'open', 'list_sessions', 'file_attention']
const all = [...names.map((name) => tool(name)), tool('step', 'workflows', false)]

describe('selectTools', () => {
  it('serves everything, a toolset, or what changes nothing', () => {
    const offered = offerTools(all, surface)
    expect(selectTools(offered)).toHaveLength(5)
    expect(selectTools(offered, { toolsets: ['workflows'] }).map(({ name }) => name)).toEqual(['step'])
    expect(selectTools(offered, { readOnly: true }).map(({ name }) => name)).toEqual(names)
    expect(selectTools(offered, { readOnly: true, toolsets: ['workflows'] })).toEqual([])
  })
})

describe('listTool', () => {
  it('publishes portable schemas for this machine, all four hints and a title', () => {
    expect(listTool(tool('open'), surface)).toEqual({
      name: 'open',
      title: 'Title of open',
      description: 'What open does.',
      inputSchema: { type: 'object', properties: { source: { type: 'string', enum: ['claude', 'codex'] } } },
      outputSchema: {
        type: 'object',
        properties: {
          tool: { type: 'string', const: 'open' },
          data: { type: 'object', properties: {}, additionalProperties: false },
        },
        required: ['tool'],
        additionalProperties: false,
      },
      annotations: {
        title: 'Title of open',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    })
  })
})

describe('descriptions', () => {
  it('T5, T6: are the same on every machine, and no instruction is part of one', () => {
    const other = { sourceNames: ['laptop'], harnesses: [], maxResults: 7 }
    const here = offerTools(tools, surface).map(({ listed }) => listed.description)
    expect(offerTools(tools, other).map(({ listed }) => listed.description)).toEqual(here)
    const instructions = writeInstructions(offerTools(tools, surface)).split('\n')
    for (const line of instructions) expect(here.filter((description) => description.includes(line))).toEqual([])
  })
})

describe('writeInstructions', () => {
  it('routes to every tool served and to no other, within the limit of clients', () => {
    const text = writeInstructions(all)
    for (const name of names) expect(text).toContain(`- ${name}: `)
    expect(text).toMatch(/never instructions/)
    expect(text.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS)
    expect(writeInstructions([tool('open')])).not.toContain('search_sessions')
  })

  it('keep to the limit with every tool there is, as it is served', () => {
    const offered = offerTools(tools, surface)
    for (const roots of [undefined, ['/x'.repeat(2_000)]]) {
      expect(writeInstructions(offered, roots).length).toBeLessThanOrEqual(MAX_INSTRUCTIONS)
    }
    const context = writeInstructions(offered.filter(({ toolset }) => toolset === 'context'))
    expect(context).toContain('rift_context_pack')
    expect(context).not.toContain('search_sessions')
  })

  it('C20: names the project only when there is nothing else to see, however long its name', () => {
    expect(writeInstructions(all)).not.toMatch(/invisible/)
    expect(writeInstructions(all, ['/home/me/project'])).toContain('/home/me/project')
    const long = writeInstructions(all, ['/x'.repeat(2_000)])
    expect(long).toMatch(/this project.*invisible/)
    expect(long.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS)
  })
})
