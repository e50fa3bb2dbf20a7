import { afterAll, describe, expect, test } from 'vitest'
import { answersFrom } from '../../src/cli/workflow/answers.ts'
import { isRecord } from '../../src/core/json.ts'
import { findNode, type WorkflowDefinition, type WorkflowNode } from '../../src/workflow/definition.ts'
import type { Presentation } from '../../src/workflow/nodes/node-type.ts'
import { coverageOf, type SimulatedAnswer, simulate } from '../../src/workflow/simulate.ts'
import type { RunState, VisitEntry } from '../../src/workflow/state.ts'
import { renderTemplate } from '../../src/workflow/template.ts'
import { startRun, type TestRun } from '../../src/workflow/transition.testing.ts'
import { transition } from '../../src/workflow/transition.ts'
import { type Answers, brokenText, bundled } from './bundled.ts'

/** What an agent says that did nothing. */
const LAZY: readonly unknown[] = [null, {}, 'ok', 'done', true, { done: true }, { result: 'All good.' }]

/** Ends of walks on which the work was given up. */
const GIVEN_UP = ['stopped', 'withdrawn']

describe.each(bundled)('$slug', ({ definition, walks }) => {
  const visits: VisitEntry[] = []
  const main = walks['main'] ?? {}

  test.each(Object.entries(walks))('walk: %s', async (_name, answers) => {
    const walk = await simulate({
      definition,
      ...answersFrom(answers),
      maxSteps: 200,
      clock: (index) => index,
    })
    const last = walk.steps.at(-1)
    expect({ end: walk.end, errors: walk.errors, node: last?.presentation.nodeId }).toMatchObject({ end: 'completed' })
    for (const { presentation } of walk.steps) expectClean(presentation)
    visits.push(...walk.visits)
    const left = unusedAnswers(answers, main, walk.steps)
    expect(left, 'answers that were written for this walk and not asked for').toEqual([])
  })

  test('the main walk reaches the goal', async () => {
    const { visits: route, output } = await simulate({
      definition,
      ...answersFrom(main),
      maxSteps: 200,
      clock: Number,
    })
    expect(route.at(-1)?.nodeId).toBe('done')
    expect(Object.keys(output ?? {}).length).toBeGreaterThan(1)
  })

  test('every directive refuses answers without content', async () => {
    const seen = new Set<string>()
    for (const answers of Object.values(walks)) {
      await drive(definition, answers, async (run, step) => {
        if (seen.has(step.nodeId)) return
        seen.add(step.nodeId)
        for (const lazy of LAZY) {
          const { kind } = await transition({ ...run.context(), state: run.state, input: lazy })
          expect(kind, `${step.nodeId}: ${JSON.stringify(lazy)}`).toBe('refused')
        }
      })
    }
    expect(definition.nodes.filter((node) => isStep(node) && !seen.has(node.id)).map((node) => node.id)).toEqual(
      reachedOnlyByFailure(definition),
    )
  })

  test('from every step one may ask the user and come back, or stop', async () => {
    const steps = await stepsOf(definition, main)
    for (const place of steps.keys()) {
      for (const teleport of ['ask-user', 'stop']) {
        const run = await walkTo(definition, main, place)
        await run.teleport(teleport)
        await finish(run, main)
        visits.push(...run.visits)
        const end = run.visits.at(-1)?.nodeId ?? ''
        expect(teleport === 'stop' ? end : GIVEN_UP.includes(end), `${teleport} at ${steps[place]}`).toBe(
          teleport === 'stop' ? 'stopped' : false,
        )
      }
    }
  })

  test('an answer of the right form that says nothing is refused, too, except where the user speaks', async () => {
    for (const answers of Object.values(walks)) {
      await drive(definition, answers, async (run, { nodeId, inputSchema }) => {
        if (JSON.stringify(inputSchema).includes('"user_words"')) return
        const { kind } = await transition({ ...run.context(), state: run.state, input: hollow(inputSchema) })
        expect(kind, `${nodeId}: ${JSON.stringify(hollow(inputSchema))}`).toBe('refused')
      })
    }
  })

  const limited = definition.nodes.filter((node) => node.type === 'agent-directive' && node.maxRetries !== undefined)
  test.each(limited.map((node) => node.id))('%s gives up after too many refusals, and asks the user', async (id) => {
    const node = findNode(definition, id)
    const retries = node?.type === 'agent-directive' ? (node.maxRetries ?? 0) : 0
    const run = await walkToStep(definition, walks, id)
    for (let left = retries; left > 0; left--) {
      const refused = await run.answer({})
      expect(refused).toMatchObject({ kind: 'refused', refusal: { retriesLeft: left - 1 } })
      if (refused.kind === 'refused') expect(refused.refusal.retryMessage).not.toMatch(brokenText)
    }
    await run.answer({})
    expect(run.shown?.nodeId).toBe('report-blocked')
    await finish(run, main)
    visits.push(...run.visits)
    expect(run.visits.at(-1)?.nodeId).toBe('stopped')
  })

  const saving = definition.nodes.filter((node) => node.type === 'write-note')
  test.each(saving.map((node) => node.id))('what %s cannot keep is told, and the run ends well', async () => {
    const run = await startRun(definition, { refuseNote: async () => 'the notes of this user are full' })
    const told: string[] = []
    await finish(run, main, (step) => told.push(step.directive))
    visits.push(...run.visits)
    expect(run.visits.at(-1)?.nodeId).toBe('done')
    expect(told.at(-1)).toContain('the notes of this user are full')
  })

  test('its progress can be shown at every step', async () => {
    const texts = progressTexts(definition)
    for (const answers of Object.values(walks)) {
      await drive(definition, answers, async (run) => {
        for (const text of texts) expect(rendered(text, run.state), text).not.toMatch(brokenText)
      })
    }
  })

  afterAll(() => {
    const { nodes, edges } = coverageOf(definition, visits)
    expect(nodes.missing).toEqual([])
    expect(edges.missing).toEqual([])
  })
})

function isStep(node: WorkflowNode): boolean {
  return node.type === 'agent-directive' || node.type === 'teleport'
}

/** The least a careless agent may write: every field is there, nothing is in it. */
function hollow(schema: unknown): unknown {
  if (!isRecord(schema)) return null
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices[0]
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(([name, inner]) => [
          name,
          hollow(inner),
        ]),
      )
    case 'array':
      return []
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return 0
    default:
      return 'ok'
  }
}

/** Steps that no answer leads to: what follows when something outside the workflow fails. */
function reachedOnlyByFailure(definition: WorkflowDefinition): string[] {
  return definition.nodes.flatMap((node) => (node.type === 'write-note' ? (node.connections.error ?? []) : []))
}

function expectClean({ nodeId, directive, completionCondition }: Presentation): void {
  expect(directive, nodeId).not.toMatch(brokenText)
  expect(directive, nodeId).not.toMatch(/\n\n\n|[ \t]\n/)
  expect(completionCondition, nodeId).not.toMatch(brokenText)
}

/** Answers that differ from those of the main walk and were never given. */
function unusedAnswers(
  answers: Answers,
  main: Answers,
  steps: readonly { presentation: Presentation; answer: SimulatedAnswer }[],
): string[] {
  const own = answers === main ? [] : Object.keys(answers).filter((id) => answers[id] !== main[id])
  return own.filter((id) => !steps.some(({ presentation }) => presentation.nodeId === id))
}

/** Walks a run to its end, showing each step before it is answered. */
async function finish(run: TestRun, answers: Answers, look?: (step: Presentation) => unknown): Promise<void> {
  const { answer } = answersFrom(answers)
  for (let index = 0; run.shown !== null; index++) {
    if (index > 200) throw new Error(`the run goes around at ${run.shown.nodeId}`)
    expectClean(run.shown)
    await look?.(run.shown)
    const given = answer(run.shown, index)
    if (given === null) throw new Error(`no answer for ${run.shown.nodeId}`)
    const result = 'input' in given ? await run.answer(given.input) : await run.teleport(given.teleportTo)
    if (result.kind === 'refused') throw new Error(`${result.refusal.nodeId}: ${result.refusal.errors.join('; ')}`)
  }
}

async function drive(
  definition: WorkflowDefinition,
  answers: Answers,
  look: (run: TestRun, step: Presentation) => Promise<void>,
): Promise<void> {
  const run = await startRun(definition)
  await finish(run, answers, (step) => look(run, step))
}

/** The steps of a walk, in order. */
async function stepsOf(definition: WorkflowDefinition, answers: Answers): Promise<string[]> {
  const steps: string[] = []
  await drive(definition, answers, async (_run, step) => {
    steps.push(step.nodeId)
  })
  return steps
}

/** A run that stands at a step, along the first walk that passes it. */
async function walkToStep(
  definition: WorkflowDefinition,
  walks: Record<string, Answers>,
  id: string,
): Promise<TestRun> {
  for (const answers of Object.values(walks)) {
    const place = (await stepsOf(definition, answers)).indexOf(id)
    if (place >= 0) return walkTo(definition, answers, place)
  }
  throw new Error(`no walk passes ${id}`)
}

/** A run that stands at the step with that place on the walk. */
async function walkTo(definition: WorkflowDefinition, answers: Answers, place: number): Promise<TestRun> {
  const run = await startRun(definition)
  const { answer } = answersFrom(answers)
  for (let index = 0; index < place; index++) {
    const given = run.shown === null ? null : answer(run.shown, index)
    if (given === null) throw new Error('the walk answers every step')
    await ('input' in given ? run.answer(given.input) : run.teleport(given.teleportTo))
  }
  return run
}

function progressTexts({ progress }: WorkflowDefinition): string[] {
  if (progress === undefined) return []
  return [
    ...[progress.title, progress.goal].filter((text) => text !== undefined),
    ...(progress.facts ?? []).map((fact) => fact.value),
    ...progress.nodes.flatMap(({ content: { summary, details, outcome, next } }) =>
      [summary, ...(details ?? []), outcome, next].filter((text) => text !== undefined),
    ),
  ]
}

function rendered(text: string, { variables }: RunState): string {
  return renderTemplate(text, {
    variables,
    executionId: 'run',
    workflowId: 'workflow',
    userId: 'user',
    fragments: new Map(),
  })
}
