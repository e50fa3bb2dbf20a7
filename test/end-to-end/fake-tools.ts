/** Tools without an archive, for tests of what carries calls: they answer, wait, fail and misbehave on demand. */

import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isRecord } from '../../src/core/json.ts'
import type { Services, Surface, Tool, ToolAnswer } from '../../src/tools/tool.ts'

export const surface: Surface = { sourceNames: ['claude'], harnesses: [], maxResults: 50 }

/** Fakes use none of it. */
export const services = {} as Services

const output = z.object({
  schema_version: z.string(),
  tool: z.string(),
  request: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()).optional(),
  error: z.record(z.string(), z.unknown()).optional(),
  warnings: z.array(z.string()),
  performance: z.object({ elapsed_ms: z.number() }),
})

interface Fake {
  name: string
  readOnly?: boolean
  toolset?: Tool['toolset']
  input?: z.ZodObject
  run: (args: Record<string, unknown>, caller: Parameters<Tool['call']>[1]) => Promise<Record<string, unknown>>
}

function answer(tool: string, acceptedAt: number, body: Record<string, unknown>, isError: boolean): ToolAnswer {
  const kind = isError ? 'error' : tool
  const structured = {
    schema_version: `moraine.mcp.${kind}.v1`,
    tool,
    request: {},
    ...body,
    warnings: [],
    performance: { elapsed_ms: Date.now() - acceptedAt },
  }
  return { text: JSON.stringify(body), structured, isError }
}

function fake({ name, readOnly = true, toolset = 'sessions', input = z.object({}), run }: Fake): Tool {
  return {
    name,
    toolset,
    title: name,
    description: `Test tool ${name}.`,
    annotations: { readOnlyHint: readOnly, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output,
    async call(_services, caller, args, acceptedAt) {
      if (!isRecord(args) || !input.safeParse(args).success) {
        const error = { code: 'invalid_request', message: 'the arguments are not valid', details: {} }
        return answer(name, acceptedAt, { error }, true)
      }
      return answer(name, acceptedAt, { data: await run(args, caller) }, false)
    },
  }
}

/** What `wait` has seen, for tests in the same process. */
export const waits = { begun: [] as string[], aborted: [] as string[] }

export const fakeTools: readonly Tool[] = [
  fake({
    name: 'echo',
    input: z.strictObject({ text: z.string() }),
    run: async ({ text }, caller) => ({ text, client: caller.client ?? null }),
  }),
  fake({
    name: 'wait',
    input: z.strictObject({ ms: z.number(), name: z.string().optional() }),
    run: async ({ ms, name }, { signal, progress }) => {
      waits.begun.push(String(name))
      progress?.(0, 1, 'waiting')
      try {
        await delay(Number(ms), undefined, { ...(signal && { signal }) })
      } catch (error) {
        waits.aborted.push(String(name))
        throw error
      }
      return { waited: ms }
    },
  }),
  fake({
    name: 'noisy',
    run: async () => {
      console.log('a stray line')
      process.stdout.write('another stray line\n')
      return { done: true }
    },
  }),
  fake({
    name: 'broken',
    run: async () => {
      throw new Error('the secret reason')
    },
  }),
  fake({ name: 'write', readOnly: false, toolset: 'workflows', run: async () => ({ written: true }) }),
]
