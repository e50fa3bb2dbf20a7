import { describe, expect, it } from 'vitest'
import { ask, end, fork, type Json, start, variable, workflow } from '../definition.testing.ts'
import { refusalOf, route, START_TIME, startRun } from '../transition.testing.ts'
import { transition } from '../transition.ts'

const word = { type: 'string', minLength: 3 }

/** ask -> fin, with `help` as the way out of its limits. */
function limited(more: Json, connections: Json) {
  return workflow([
    start('ask'),
    ask('ask', 'fin', { word }, { ...more, connections: { success: 'fin', ...connections } }),
    ask('help', 'ask'),
    end({ finalOutput: ['ask', 'help'] }),
  ])
}

describe('maxRetries (weak point 14)', () => {
  it('lets that many answers be refused, and leaves over maxRetriesExceeded with the next', async () => {
    const run = await startRun(
      limited({ maxRetries: 2, retryMessage: 'Three letters, {{executionId}}!' }, { maxRetriesExceeded: 'help' }),
    )
    const first = refusalOf(await run.answer({ word: 'a' }))
    expect(first).toMatchObject({ retriesLeft: 1, retryMessage: 'Three letters, run-1!' })
    expect(run.state.visit).toEqual({ enteredAt: START_TIME, refusals: 1 })
    expect(refusalOf(await run.answer({})).retriesLeft).toBe(0)
    expect((await run.answer({ word: 'b' })).kind).toBe('presented')
    expect(run.shown?.nodeId).toBe('help')
    expect(route(run.visits).at(-1)).toBe('ask maxRetriesExceeded')
    expect(run.state.variables['ask']).toMatchObject({
      refusedAnswers: 3,
      lastErrors: [expect.stringContaining('word')],
    })
  })

  it('counts per visit: coming back starts anew', async () => {
    const run = await startRun(limited({ maxRetries: 1 }, { maxRetriesExceeded: 'help' }))
    await run.answer({ word: 'a' })
    await run.answer({ word: 'b' })
    await run.answer({})
    expect(run.shown?.nodeId).toBe('ask')
    expect(refusalOf(await run.answer({ word: 'c' })).retriesLeft).toBe(0)
    expect((await run.answer({ word: 'long' })).kind).toBe('completed')
  })

  it('takes the error edge where there is no maxRetriesExceeded, and at 0 with the first refusal', async () => {
    const run = await startRun(limited({ maxRetries: 0 }, { error: 'help' }))
    await run.answer({ word: 'a' })
    expect(run.shown?.nodeId).toBe('help')
    expect(route(run.visits).at(-1)).toBe('ask error')
  })

  it('without an edge to leave by keeps refusing, and stores no counter', async () => {
    const run = await startRun(limited({ maxRetries: 1 }, {}))
    const before = structuredClone(run.state)
    for (let round = 0; round < 5; round++) {
      expect(refusalOf(await run.answer({ word: 'a' })).retriesLeft).toBeNull()
      expect(run.state).toEqual(before)
    }
  })

  it('a refusal changes only the counter of the pending visit (T73)', async () => {
    const run = await startRun(limited({ maxRetries: 3 }, { maxRetriesExceeded: 'help' }))
    const { visit: _before, ...rest } = structuredClone(run.state)
    await run.answer({ word: 'a' })
    const { visit, ...after } = run.state
    expect(after).toEqual(rest)
    expect(visit).toEqual({ enteredAt: START_TIME, refusals: 1 })
  })
})

describe('timeout (weak point 14)', () => {
  const definition = limited({ timeout: 60_000 }, { timeout: 'help' })

  it('is looked at when the next answer comes: in time it counts, later the run leaves over timeout', async () => {
    const run = await startRun(definition)
    const call = { ...run.context(), state: run.state, input: { word: 'good' } }
    expect((await transition({ ...call, now: START_TIME + 60_000 })).kind).toBe('completed')
    const late = await transition({ ...call, now: START_TIME + 60_001 })
    expect(late).toMatchObject({ kind: 'presented', presentation: { nodeId: 'help' } })
    expect(late.state.variables['ask']).toEqual({ timedOut: true, waitedMilliseconds: 60_001 })
  })

  it('counts from the visit: coming back starts anew', async () => {
    const run = await startRun(definition)
    run.now += 100_000
    await run.answer({ word: 'good' })
    expect(run.shown?.nodeId).toBe('help')
    await run.answer()
    run.now += 60_000
    expect((await run.answer({ word: 'good' })).kind).toBe('completed')
  })

  it('takes the error edge where there is no timeout edge, and has no effect without either', async () => {
    const caught = await startRun(limited({ timeout: 1000 }, { error: 'help' }))
    caught.now += 2000
    await caught.answer({ word: 'good' })
    expect(route(caught.visits).at(-1)).toBe('ask error')
    const open = await startRun(limited({ timeout: 1000 }, {}))
    open.now += 2000
    expect((await open.answer({ word: 'good' })).kind).toBe('completed')
  })
})

describe('the answer of a directive (1.4)', () => {
  it('C44: goes to the globals it lists and, whole, to the node; C22: wrong types are refused', async () => {
    const definition = workflow(
      [
        start('review'),
        {
          ...ask('review', 'gate'),
          inputSchema: {
            type: 'object',
            globalInputs: ['verdict'],
            properties: { count: { type: 'number' } },
            required: ['verdict', 'count'],
          },
        },
        fork(
          'gate',
          {
            operator: 'and',
            conditions: [
              { operator: 'eq', left: { contextPath: 'verdict' }, right: 'yes' },
              { operator: 'gt', left: { contextPath: 'review.count' }, right: 0 },
            ],
          },
          'fin',
          'review',
        ),
        end({ finalOutput: ['verdict', 'review', 'count'] }),
      ],
      { variableRegistry: { verdict: variable('string', { enum: ['yes', 'no'] }) } },
    )
    const run = await startRun(definition)
    expect((await run.answer({ verdict: 'yes' })).kind).toBe('refused')
    expect((await run.answer({ verdict: 'yes', count: [] })).kind).toBe('refused')
    await run.answer({ verdict: 'no', count: 3 })
    expect(run.shown?.nodeId).toBe('review')
    expect(run.state.variables['gate']).toEqual({ conditionResult: false, evaluatedValues: { verdict: 'no' } })
    await run.answer({ verdict: 'yes', count: 3 })
    expect(run.state.output).toEqual({ verdict: 'yes', review: { verdict: 'yes', count: 3 } })
  })

  it('that is a list or a text is kept whole under the node', async () => {
    const definition = workflow([
      start('ask'),
      { ...ask('ask', 'fin'), inputSchema: { type: 'array', items: { type: 'string' } } },
      end({ finalOutput: ['ask'] }),
    ])
    const run = await startRun(definition)
    await run.answer(['a', 'b'])
    expect(run.state.output).toEqual({ ask: ['a', 'b'] })
  })

  it('C23: may have other keys only where the author allows them; they stay with the node', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const closed = await startRun(workflow([start('ask'), { ...ask('ask', 'fin'), inputSchema: schema }, end()]))
    expect((await closed.answer({ b: 1 })).kind).toBe('refused')
    const open = { ...ask('ask', 'fin'), inputSchema: { ...schema, additionalProperties: true } }
    const run = await startRun(workflow([start('ask'), open, end({ finalOutput: ['ask', 'b'] })]))
    await run.answer({ b: 1 })
    expect(run.state.output).toEqual({ ask: { b: 1 } })
  })
})
