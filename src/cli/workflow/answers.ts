/** Answers files: what an agent answers at each node of one walk. */

import { resolve } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { isRecord } from '../../core/json.ts'
import type { WorkflowDefinition } from '../../workflow/definition.ts'
import type { SimulatedAnswer, SimulationOptions } from '../../workflow/simulate.ts'
import { readJson } from './read-definition.ts'

/**
 * By node id an answer, which is given at every visit, or a list with one answer per visit (and one more after each
 * that is refused). An answer that is an array itself stands in such a list. An answer of the form `{ "teleportTo": "node" }` jumps instead.
 */
export type Answers = Readonly<Record<string, unknown>>

/**
 * Reads an answers file.
 * @param definitions what is walked and what its subgraphs enter; every key must be a node of one of them
 * @throws UserError `not_found`, `invalid_request`
 */
export function readAnswers(file: string, cwd: string, definitions: readonly WorkflowDefinition[]): Answers {
  const answers = readJson(resolve(cwd, file), file)
  if (!isRecord(answers)) {
    throw new UserError('invalid_request', `'${file}' does not hold answers`, {
      remedy: 'write an object: { "node-id": answer, "visited-twice": [first answer, second answer] }',
    })
  }
  const known = new Set(definitions.flatMap(({ nodes }) => nodes.map((node) => node.id)))
  const unknown = Object.keys(answers).filter((id) => !known.has(id))
  if (unknown.length > 0) {
    throw new UserError('invalid_request', `'${file}' answers nodes that do not exist: ${unknown.join(', ')}`, {
      remedy: 'correct the ids; `varve workflow show` lists them',
    })
  }
  return answers
}

/**
 * Answers one walk from a file's content. Steps that take only an empty answer need none. When an answer is refused the
 * next of the list is given; a single answer is not repeated then.
 */
export function answersFrom(answers: Answers): Required<Pick<SimulationOptions, 'answer' | 'answerAgain'>> {
  const given = new Map<string, number>()
  const next = (nodeId: string, list: readonly unknown[]): SimulatedAnswer => {
    const place = given.get(nodeId) ?? 0
    given.set(nodeId, place + 1)
    return place < list.length ? toAnswer(list[place]) : null
  }
  return {
    answer({ nodeId, inputSchema }) {
      if (!Object.hasOwn(answers, nodeId)) return inputSchema === null ? { input: null } : null
      const answer = answers[nodeId]
      return Array.isArray(answer) ? next(nodeId, answer) : toAnswer(answer)
    },
    answerAgain({ nodeId }) {
      const answer = answers[nodeId]
      return Array.isArray(answer) ? next(nodeId, answer) : null
    },
  }
}

function toAnswer(given: unknown): SimulatedAnswer {
  const jump = isRecord(given) && Object.keys(given).length === 1 ? given['teleportTo'] : undefined
  return typeof jump === 'string' ? { teleportTo: jump } : { input: given }
}
