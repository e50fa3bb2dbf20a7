import { UserError } from '../../core/errors.ts'
import type { WorkflowDefinition } from '../../workflow/definition.ts'
import {
  type Coverage,
  coverageOf,
  type Simulation,
  sampledAnswers,
  seededPick,
  simulate as walk,
} from '../../workflow/simulate.ts'
import { errorText, validateDefinition } from '../../workflow/validate.ts'
import type { Terminal } from '../terminal.ts'
import { printJson, type WorkflowAction } from './action.ts'
import { answersFrom, readAnswers } from './answers.ts'
import { BUNDLED_HANDLE, bundledSlugs, readParsed } from './read-definition.ts'

/** Steps after which a walk is given up: it goes around in a loop. */
const MAX_STEPS = 500

/** Characters of an answer that are shown. */
const ANSWER_WIDTH = 160

/** A walk and the answers file it used; null for made-up answers. */
interface Walked {
  answers: string | null
  simulation: Simulation
}

export const simulate: WorkflowAction = {
  name: 'simulate',
  summary: 'walk it with given or made-up answers; nothing is stored, the exit code is 1 when a walk does not end',
  takes: { least: 1, most: 1 },
  async run([reference = ''], options, terminal) {
    const definition = readValid(reference, terminal.cwd)
    const others = options.with.map((each) => ({ reference: each, definition: readParsed(each, terminal.cwd) }))
    const definitions = [definition, ...others.map((other) => other.definition)]
    const walks: Walked[] = []
    for (const answers of options.answers.length > 0 ? options.answers : [null]) {
      const simulation = await walk({
        definition,
        ...(answers === null
          ? { answer: sampledAnswers(definition, seededPick(options.seed ?? 1)) }
          : answersFrom(readAnswers(answers, terminal.cwd, definitions))),
        workflow: async (id) => enterable(id, others, terminal.cwd),
        maxSteps: MAX_STEPS,
        clock: (index) => index,
      })
      walks.push({ answers, simulation })
    }
    const coverage = coverageOf(
      definition,
      walks.flatMap(({ simulation }) => simulation.visits),
    )
    if (options.json) printJson(terminal, { walks: walks.map(walkData), coverage })
    else printWalks(terminal, walks, coverage)
    return walks.every(({ simulation }) => simulation.end === 'completed') ? 0 : 1
  },
}

function readValid(reference: string, cwd: string): WorkflowDefinition {
  const definition = readParsed(reference, cwd)
  const errors = errorText(validateDefinition(definition))
  if (errors === '') return definition
  throw new UserError('WORKFLOW_INVALID', `'${reference}' is not valid: ${errors}`, {
    remedy: `see \`varve workflow validate ${reference}\``,
  })
}

/** The workflow a subgraph's `graphId` names: one that was given, or a bundled one. */
function enterable(id: string, given: readonly { reference: string; definition: WorkflowDefinition }[], cwd: string) {
  const known = given.find(({ reference, definition: { id: own, slug, owner } }) =>
    [reference, own, slug, `${owner}/${slug}`].includes(id),
  )
  if (known !== undefined) return { id, definition: known.definition }
  const slug = bundledSlugs().find((each) => id === `${BUNDLED_HANDLE}/${each}`)
  return slug === undefined ? null : { id, definition: readParsed(slug, cwd) }
}

function walkData({ answers, simulation }: Walked) {
  const { end, steps, visits, output, errors } = simulation
  return {
    answers,
    end,
    errors,
    steps,
    output,
    route: visits.map(({ path, nodeId, edge }) => ({ path, nodeId, edge })),
  }
}

function printWalks(terminal: Terminal, walks: readonly Walked[], coverage: Coverage): void {
  for (const { answers, simulation } of walks) {
    if (answers !== null) terminal.print(`${answers}:\n`)
    for (const [index, step] of simulation.steps.entries()) {
      const again = simulation.steps[index - 1]?.presentation === step.presentation
      printStep(terminal, index + 1, step, again)
    }
    const print = simulation.end === 'completed' ? terminal.print : terminal.say
    print(`${endText(simulation)}\n`)
  }
  terminal.print(shareLine('nodes', coverage.nodes))
  terminal.print(shareLine('edges', coverage.edges))
}

function printStep(
  terminal: Terminal,
  number: number,
  { presentation, answer }: Simulation['steps'][number],
  again: boolean,
): void {
  const { path, nodeId, directive, completionCondition } = presentation
  terminal.print(terminal.paint('bold', `${number} ${[...path, nodeId].join('/')}`))
  if (again) terminal.print('  The answer was refused.')
  else terminal.print(indented(`${directive.trimEnd()}\nDone when: ${completionCondition}`))
  if (answer === null) terminal.print('')
  else if ('teleportTo' in answer) terminal.print(`  -> jump to ${answer.teleportTo}\n`)
  else terminal.print(`  -> ${shortened(JSON.stringify(answer.input) ?? 'nothing')}\n`)
}

/** How a walk ended, in words. */
function endText({ end, steps, errors, output }: Simulation): string {
  const node = steps.at(-1)?.presentation.nodeId ?? 'the start'
  const reasons = errors.map((error) => `\n  - ${error}`).join('')
  switch (end) {
    case 'completed':
      return `The walk ends: ${JSON.stringify(output, null, 2)}`
    case 'stopped':
      return `The walk stops at ${node}: there is no further answer for it.`
    case 'refused':
      return `The answer to ${node} is refused:${reasons}`
    case 'failed':
      return `The walk fails after ${node}:${reasons}`
    case 'too-long':
      return `The walk does not end within ${MAX_STEPS} steps; the last was ${node}.`
    default:
      return end satisfies never
  }
}

function shareLine(what: string, { visited, total, missing }: Coverage['nodes']): string {
  return `${what}: ${visited} of ${total}${missing.length === 0 ? '' : `; not passed: ${missing.join(', ')}`}`
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}

function shortened(text: string): string {
  return text.length > ANSWER_WIDTH ? `${text.slice(0, ANSWER_WIDTH - 3)}...` : text
}
