import { describe, expect, it } from 'vitest'
import { ask, end, type Json, start, teaWorkflow, workflow } from './definition.testing.ts'
import { parseDefinition } from './definition-schema.ts'
import { schemas } from './schema-check.ts'
import {
  coverageOf,
  type SimulationOptions,
  sampledAnswers,
  scriptedAnswers,
  seededPick,
  simulate,
} from './simulate.ts'
import { sampleAnswer, tellingValues } from './simulate-answers.ts'
import { textMatching } from './simulate-pattern.ts'

const tea = parseDefinition(teaWorkflow())
const clock = (index: number) => 1000 * index

const walk = (answer: SimulationOptions['answer'], more: Partial<SimulationOptions> = {}) =>
  simulate({ definition: tea, answer, maxSteps: 20, clock, ...more })

describe('simulate', () => {
  it('walks a script to the end and tells steps, visits and output', async () => {
    const result = await walk(scriptedAnswers({ ask: [{ kind: 'green' }, { kind: 'black' }] }))
    expect(result).toMatchObject({ end: 'completed', output: { cups: 2, kind: 'black' }, errors: [] })
    expect(result.steps.map((step) => step.presentation.directive)).toEqual([
      'Pick a tea for cup 0.',
      'Pick a tea for cup 1.',
    ])
    expect(coverageOf(tea, result.visits)).toEqual({
      nodes: { visited: 5, total: 5, missing: [] },
      edges: { visited: 5, total: 5, missing: [] },
    })
  })

  it('stops where the script ends, where an answer is refused, and when the steps are used up', async () => {
    expect(await walk(scriptedAnswers({ ask: [{ kind: 'green' }] }))).toMatchObject({ end: 'stopped', output: null })
    expect(await walk(scriptedAnswers({ ask: [{ kind: 'red' }] }))).toMatchObject({
      end: 'refused',
      errors: [expect.stringContaining('kind')],
    })
    expect((await walk(() => ({ input: { kind: 'green' } }), { maxSteps: 1 })).end).toBe('too-long')
    expect(coverageOf(tea, []).edges.missing).toContain('more.true')
  })

  it('tells a failure instead of throwing it', async () => {
    const definition = workflow([
      start('ask'),
      ask('ask', 'sub'),
      {
        id: 'sub',
        type: 'subgraph',
        graphId: 'none',
        inputMapping: {},
        outputMapping: {},
        connections: { success: 'fin' },
      },
      end(),
    ])
    const result = await walk(() => ({ input: {} }), { definition })
    expect(result).toMatchObject({ end: 'failed', errors: [expect.stringMatching(/^SUBGRAPH_NOT_FOUND: /)] })
  })

  it('steps over nodes that reach outside, by the first edge or the one named, and keeps notes in memory', async () => {
    const definition = workflow([
      start('tell'),
      { id: 'tell', type: 'user-notification', message: 'm', connections: { default: 'save', error: 'sad' } },
      { id: 'save', type: 'write-note', key: 'k', source: 'from {{executionId}}', connections: { default: 'ask' } },
      ask('ask', 'fin', {}, { directive: '{{note:k}} {{note:old}}' }),
      end(),
      end({ id: 'sad' }),
    ])
    const old = { key: 'old', value: 'O', tags: [], version: 1, createdAt: 0, updatedAt: 0 }
    const well = await walk(() => ({ input: null }), { definition, notes: [old] })
    expect(well.steps[0]?.presentation.directive).toBe('from simulated O')
    const badly = await walk(() => ({ input: null }), { definition, edgeOf: () => 'error' })
    expect(badly.visits.at(-1)?.nodeId).toBe('sad')
  })
})

describe('made-up answers', () => {
  const schemasToTry: Json[] = [
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', minimum: 3, maximum: 4 } },
      required: ['a', 'b'],
    },
    { type: 'array', items: { type: 'string', minLength: 12 }, minItems: 2, maxItems: 3 },
    { type: 'string', pattern: '^\\./ws/[a-z0-9-]+-\\d{8}/(plan|report)\\.md$' },
    { type: 'string', minLength: 3, maxLength: 5 },
    { type: 'number', exclusiveMinimum: 2, multipleOf: 5 },
    { enum: [1, 'two', null] },
    { const: { deep: [1] } },
    { type: ['integer', 'null'], maximum: -7 },
    { oneOf: [{ type: 'boolean' }, { type: 'object', properties: { c: { type: 'null' } }, required: ['c'] }] },
    {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: { d: { type: 'boolean' } } } } },
    },
  ]

  it.each(schemasToTry.map((schema) => [JSON.stringify(schema), schema] as const))('satisfy %s', (_text, schema) => {
    for (let seed = 0; seed < 50; seed++) {
      const answer = sampleAnswer(schema, seededPick(seed))
      expect(schemas.check(schema, answer), JSON.stringify(answer)).toEqual([])
    }
  })

  it('take the values at which conditions turn', () => {
    const telling = tellingValues(tea)
    expect(telling.get('cups')).toEqual([2, 3, 1])
    const picked = new Set(
      Array.from({ length: 60 }, (_, seed) =>
        JSON.stringify(
          sampleAnswer(
            { type: 'object', properties: { cups: { type: 'number' } }, required: ['cups'] },
            seededPick(seed),
            telling,
          ),
        ),
      ),
    )
    for (const cups of [1, 2, 3]) expect(picked).toContain(JSON.stringify({ cups }))
  })

  it('are the same for the same seed', async () => {
    const answers = async (seed: number) =>
      (await walk(sampledAnswers(tea, seededPick(seed)))).steps.map((step) => step.answer)
    expect(await answers(7)).toEqual(await answers(7))
    expect(JSON.stringify(await answers(7))).not.toBe(JSON.stringify(await answers(8)))
  })
})

describe('textMatching', () => {
  it.each([
    '^[a-z][a-z0-9-]*[a-z0-9]$',
    '\\d{2,}',
    'a|bc|',
    '[^\\w ]{3}',
    'x?y+z*',
    '(?:ab){2}-[A-F\\d]',
    '.{4}',
    '\\$\\(\\)',
    '[]a-]',
    'a{2}?',
  ])('%s is matched by what it makes', (pattern) => {
    for (let seed = 0; seed < 30; seed++) {
      const text = textMatching(pattern, seededPick(seed))
      expect(text).toMatch(new RegExp(`^(?:${pattern === '[]a-]' ? '[\\]a-]' : pattern})$`))
    }
  })

  it('reaches a wanted length where the pattern leaves room', () => {
    expect(textMatching('^a+$', seededPick(1), 20)?.length).toBeGreaterThanOrEqual(20)
    expect(textMatching('^abc$', seededPick(1), 20)).toBeNull()
  })

  it.each(['(?=a)b', '\\1', '(a', '[a', 'a)', '*', '\\p{L}', '(?<n>a)'])('gives null for %s', (pattern) => {
    expect(textMatching(pattern, seededPick(1))).toBeNull()
  })
})
