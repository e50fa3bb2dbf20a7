import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import { UserError } from '../core/errors.ts'
import type { Services, Tool, ToolAnswer } from '../tools/tool.ts'
import { createAdmission } from './admission.ts'
import { createDispatch } from './dispatch.ts'

const caller: Caller = { owner: 1, admin: true, launchDirectory: '/' }
const success: ToolAnswer = { text: 'fine', structured: { fine: true }, isError: false }

function tool(call: Tool['call'], describe?: Tool['describe']): Tool {
  return {
    name: 'probe',
    toolset: 'sessions',
    title: 'Probe',
    description: 'A probe.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({ limit: z.int().max(25).optional() }),
    output: z.object({}),
    call,
    ...(describe && { describe }),
  }
}

function setup(services: () => Promise<Services> = async () => ({}) as Services) {
  const failures: unknown[] = []
  let admitted = 0
  const admission = createAdmission()
  const dispatch = createDispatch({
    services,
    admission: () => ({
      run: (work, signal) => {
        admitted++
        return admission.run(work, signal)
      },
    }),
    clock: () => 1_000,
    onFailure: (name, cause) => failures.push(name, cause),
  })
  return { dispatch, failures, admitted: () => admitted }
}

describe('dispatch', () => {
  it('hands arguments and the time of acceptance to the tool, and its answer back', async () => {
    const { dispatch } = setup()
    const seen: unknown[] = []
    const probe = tool(async (_services, _caller, args, acceptedAt) => {
      seen.push(args, acceptedAt)
      return success
    })
    expect(await dispatch(probe, caller, { limit: 3 })).toBe(success)
    expect(seen).toEqual([{ limit: 3 }, 1_000])
  })

  it('lets a tool say in its own form that it was never asked', async () => {
    const { dispatch } = setup(async () => {
      throw new UserError('busy', 'too many calls')
    })
    const probe = { ...tool(async () => success), refuse: (error: UserError) => ({ ...success, text: error.code }) }
    expect(await dispatch(probe, caller, {})).toMatchObject({ text: 'busy' })
  })

  it('gives a place to valid calls only, null being no value', async () => {
    const { dispatch, admitted } = setup()
    const probe = tool(async () => success)
    for (const args of [{ limit: 26 }, { unknown: 1 }, null, [], 'text', true]) await dispatch(probe, caller, args)
    expect(admitted()).toBe(0)
    for (const args of [{}, { limit: 25 }, { limit: null }]) await dispatch(probe, caller, args)
    expect(admitted()).toBe(3)
  })

  it('judges a call by the schema that this machine publishes', async () => {
    const { dispatch, admitted } = setup()
    const probe = tool(
      async () => success,
      () => z.strictObject({ limit: z.int().max(100) }),
    )
    await dispatch(probe, caller, { limit: 100 })
    expect(admitted()).toBe(1)
  })

  it('tells the log about a failure and the caller only that there was one', async () => {
    const { dispatch, failures } = setup()
    const bug = new Error('the secret reason')
    const answer = await dispatch(
      tool(async () => {
        throw bug
      }),
      caller,
      {},
    )
    expect(answer).toMatchObject({
      isError: true,
      structured: { schema_version: 'moraine.mcp.error.v1', tool: 'probe', error: { code: 'internal_error' } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(failures).toEqual(['probe', bug])
  })

  it('logs the cause that a tool reports, and answers a store that cannot be opened', async () => {
    const { dispatch, failures } = setup()
    await dispatch(
      tool(async () => ({ ...success, cause: 'disk' })),
      caller,
      {},
    )
    const closed = setup(() => Promise.reject(new Error('no such disk')))
    const answer = await closed.dispatch(
      tool(async () => success),
      caller,
      {},
    )
    expect(failures).toEqual(['probe', 'disk'])
    expect(answer).toMatchObject({ isError: true, structured: { error: { code: 'internal_error' } } })
  })

  it('calls a cancelled call cancelled, not failed', async () => {
    const { dispatch, failures } = setup()
    const controller = new AbortController()
    const probe = tool(async (_services, { signal }) => {
      controller.abort()
      signal?.throwIfAborted()
      return success
    })
    const answer = await dispatch(probe, { ...caller, signal: controller.signal }, {})
    expect(answer).toMatchObject({ isError: true, structured: { error: { code: 'cancelled' } } })
    expect(failures).toEqual([])
  })
})
