/** What holds for any workflow and any answers. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../core/json.ts'
import { ask, compute, end, fork, type Json, start, variable, workflow } from './definition.testing.ts'
import { findNode, type WorkflowDefinition } from './definition.ts'
import { readsInMemory } from './simulate.ts'
import type { RunState } from './state.ts'
import { type Transition, transition } from './transition.ts'
import { validateDefinition } from './validate.ts'

/** A workflow of up to eight nodes between start and end; its edges lead anywhere, so that loops are common. */
const definitions: fc.Arbitrary<WorkflowDefinition> = fc.integer({ min: 1, max: 8 }).chain((count) => {
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  const to = fc.constantFrom(...ids, 'fin', 'fin')
  const nodes = ids.map((id) =>
    fc.oneof(
      fc.tuple(to, to, fc.option(fc.integer({ min: 0, max: 2 }))).map(([success, other, maxRetries]) => ({
        ...ask(id, success),
        inputSchema: {
          type: 'object',
          globalInputs: ['word'],
          properties: { n: { type: 'integer' } },
          required: ['n'],
        },
        ...(maxRetries === null ? {} : { maxRetries, connections: { success, maxRetriesExceeded: other } }),
      })),
      fc.tuple(to, to).map(([yes, no]) => fork(id, { operator: 'lt', left: { contextPath: 'i' }, right: 3 }, yes, no)),
      fc
        .tuple(fc.constantFrom('i = i + 1', 'i = 6 / (i - 2)', 'j = i'), to, to)
        .map(([line, next, error]) => compute(id, [line], next, { connections: { default: next, error } })),
      to.map(
        (next): Json => ({
          id,
          type: 'write-note',
          key: `k-${id}`,
          source: '{{i}} {{word}}',
          connections: { default: next },
        }),
      ),
    ),
  )
  return fc.tuple(...nodes).map((made) =>
    workflow(
      [
        start('n0'),
        ...made,
        {
          id: 'tele',
          type: 'teleport',
          hint: 'h',
          directive: '{{i}}',
          completionCondition: 'c',
          connections: { success: 'n0' },
        },
        end(),
      ],
      {
        variableRegistry: {
          i: variable('number', { default: 0 }),
          j: variable('number', { default: 0 }),
          word: variable('string', { default: '{{i}}' }),
        },
      },
    ),
  )
})

const calls = fc.array(
  fc.oneof(
    fc.record({
      input: fc.oneof(
        fc.record({ n: fc.integer() }),
        fc.record({ n: fc.integer(), word: fc.string() }),
        fc.jsonValue(),
      ),
    }),
    fc.record({ teleportTo: fc.constantFrom('tele', 'n0', 'nowhere') }),
  ),
  { maxLength: 12 },
)

type Call = { input?: unknown; teleportTo?: string }
type Outcome = Transition | { kind: 'failed'; code: string }

/** One call on a frozen state; a refused call is an outcome too. */
async function call(
  definition: WorkflowDefinition,
  state: RunState | null,
  given: Call,
  now: number,
): Promise<Outcome> {
  const run = { definition, workflowId: 'w', executionId: 'e', userId: 'u', reads: readsInMemory(new Map()), now }
  try {
    return await transition({ ...run, ...freeze(structuredClone(given)), state: freeze(state) })
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (typeof code !== 'string') throw error
    return { kind: 'failed', code }
  }
}

async function playAll(
  definition: WorkflowDefinition,
  all: readonly Call[],
): Promise<{ state: RunState | null; outcomes: Outcome[] }> {
  let state: RunState | null = null
  const outcomes: Outcome[] = []
  for (const [index, given] of [{}, ...all].entries()) {
    const outcome = await call(definition, state, given, index * 1000)
    outcomes.push(outcome)
    if (outcome.kind !== 'failed') state = outcome.state
    if (state === null) break
  }
  return { state, outcomes }
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) freeze(inner)
  }
  return value
}

describe('any workflow, any answers', () => {
  it('never change a state in place, and give the equal result for the equal input', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, calls, async (definition, all) => {
        const first = await playAll(freeze(definition), all)
        const second = await playAll(definition, all)
        expect(canonicalJson(second)).toBe(canonicalJson(first))
      }),
      { numRuns: 100 },
    )
  })

  it('leave a running run on a node that waits, a finished one with its output, and states that survive JSON', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, calls, async (definition, all) => {
        const { outcomes } = await playAll(definition, all)
        for (const outcome of outcomes) {
          if (outcome.kind === 'failed') continue
          const { state } = outcome
          expect(JSON.parse(JSON.stringify(state))).toEqual(state)
          if (outcome.kind === 'completed')
            expect(state).toMatchObject({ status: 'completed', nodeId: null, output: outcome.output })
          else expect(findNode(definition, state.nodeId ?? '')?.type).toMatch(/^(agent-directive|teleport)$/)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('change variables only by writes that the log tells: replaying it gives the state', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, calls, async (definition, all) => {
        const { state, outcomes } = await playAll(definition, all)
        const variables: Record<string, unknown> = {}
        let seq = 0
        for (const outcome of outcomes) {
          if (outcome.kind === 'failed' || outcome.kind === 'refused') continue
          for (const { name, value } of outcome.writes) variables[name] = value
          for (const visit of outcome.visits) expect(visit.seq).toBe(++seq)
        }
        if (state !== null) expect(variables).toEqual(state.variables)
        expect(state?.visitCount ?? 0).toBe(seq)
      }),
      { numRuns: 100 },
    )
  })

  it('a refused answer changes nothing but the visit’s counter, and a failed call leaves the run usable', async () => {
    await fc.assert(
      fc.asyncProperty(definitions, calls, async (definition, all) => {
        const { state } = await playAll(definition, all)
        if (state === null || state.status === 'completed') return
        const refused = await call(definition, state, { input: { wrong: true } }, 0)
        if (refused.kind === 'refused') expect({ ...refused.state, visit: null }).toEqual({ ...state, visit: null })
        expect((await call(definition, state, { teleportTo: 'nowhere' }, 0)).kind).toBe('failed')
        const jumped = await call(definition, state, { teleportTo: 'tele' }, 0)
        expect(jumped).toMatchObject({ kind: 'presented', presentation: { nodeId: 'tele' } })
      }),
      { numRuns: 100 },
    )
  })

  it('text from an agent is never read as a template', async () => {
    const definition = workflow(
      [
        start('a'),
        { ...ask('a', 'b'), inputSchema: { globalInputs: ['word'] } },
        ask('b', 'fin', {}, { directive: '<{{word}}>' }),
        end(),
      ],
      { variableRegistry: { word: variable('string'), secret: variable('string', { default: 'S3CRET' }) } },
    )
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const word = `${text}{{secret}}`
        const { outcomes } = await playAll(definition, [{ input: { word } }])
        const last = outcomes.at(-1)
        if (last?.kind === 'presented') expect(last.presentation.directive).toBe(`<${word}>`)
        expect(canonicalJson(last?.kind === 'presented' ? last.presentation : null)).not.toContain('S3CRET')
      }),
    )
  })

  it('validation never throws, whatever it is given', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({
        metadata: fc.jsonValue(),
        nodes: fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({
              id: fc.string(),
              type: fc.constantFrom('start', 'end', 'agent-directive', 'condition', 'expression', 'subgraph', 'lock'),
              condition: fc.jsonValue(),
              connections: fc.jsonValue(),
              expressions: fc.jsonValue(),
            }),
          ),
        ),
      }),
    )
    fc.assert(
      fc.property(anything, (json) => {
        for (const issue of validateDefinition(json)) expect(issue.code).toMatch(/^V\d+$/)
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(definitions, (definition) => {
        const hopeless = ['V55']
        const errors = validateDefinition(definition).filter((issue) => issue.severity === 'error')
        expect(errors.filter((issue) => !hopeless.includes(issue.code))).toEqual([])
      }),
    )
  })
})
