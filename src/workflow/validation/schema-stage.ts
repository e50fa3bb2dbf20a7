/** The first stage of validation: the form of every part (V1 to V18, V24 to V26, V28, V44, V49, V68, V73). */

import * as z from 'zod'
import { isRecord } from '../../core/json.ts'
import {
  type Issue,
  metadataSchema,
  progressSchema,
  registryEntrySchema,
  rootFields,
  runtimePolicySchema,
} from '../definition.ts'
import { nodeTypeNamed, nodeTypes } from '../nodes/index.ts'
import type { IssueCode } from './codes.ts'
import { conditionIssues } from './condition-shape.ts'
import { issue, nodeIssue } from './issue.ts'
import { type ShapeProblem, shapeProblems } from './shape-problem.ts'

/** Findings about the form of a definition. When there are none, the JSON is a `WorkflowDefinition`. */
export function schemaIssues(definition: unknown): Issue[] {
  if (!isRecord(definition)) {
    return [
      issue('V1', {
        message: 'The definition is not an object',
        remedy: 'give an object with metadata and nodes',
      }),
    ]
  }
  return [
    ...rootIssues(definition),
    ...metadataIssues(definition['metadata']),
    ...registryIssues(definition['variableRegistry']),
    ...partIssues('V68', 'progress', progressSchema, definition['progress']),
    ...partIssues('V73', 'runtimePolicy', runtimePolicySchema, definition['runtimePolicy']),
    ...nodeListIssues(definition['nodes']),
  ]
}

/** Parts with checks of their own: the root only says that they are there. */
const rootSchema = z.strictObject({
  ...rootFields,
  metadata: z.unknown(),
  variableRegistry: z.unknown(),
  progress: z.unknown(),
  runtimePolicy: z.unknown(),
  nodes: z.unknown(),
})

function rootIssues(definition: Record<string, unknown>): Issue[] {
  const issues = ['metadata', 'nodes']
    .filter((name) => definition[name] === undefined)
    .map((name) => issue('V1', { field: name, message: `${name} is missing`, remedy: `add ${name} to the definition` }))
  for (const problem of shapeProblems(rootSchema, definition)) {
    if (problem.kind === 'missing') continue
    const [name] = problem.path
    issues.push(rootIssue(problem, name === 'slug' || name === 'visibility' ? 'V16' : codeByKind(problem)))
  }
  return issues
}

function rootIssue(problem: ShapeProblem, code: IssueCode, place = ''): Issue {
  return issue(code, {
    field: `${place}${problem.field}`,
    message: `The definition: ${place}${problem.words}`,
    remedy: problem.remedy,
  })
}

function codeByKind(problem: ShapeProblem): IssueCode {
  if (problem.kind === 'unknown') return 'V2'
  return problem.kind === 'empty' ? 'V9' : 'V12'
}

const metadataCodes: Record<string, IssueCode> = { name: 'V17', version: 'V18', description: 'V3' }

function metadataIssues(metadata: unknown): Issue[] {
  if (metadata === undefined) return []
  const issues: Issue[] = []
  for (const problem of shapeProblems(metadataSchema, metadata)) {
    const [name] = problem.path
    const absent = problem.kind === 'missing' || problem.kind === 'empty' || isBlank(metadata, name)
    const missing = absent && problem.path.length === 1 ? metadataCodes[String(name)] : undefined
    const malformed = name === 'version' && problem.kind === 'format' ? 'V4' : codeByKind(problem)
    issues.push(rootIssue(problem, missing ?? malformed, problem.path.length === 0 ? 'metadata' : 'metadata.'))
  }
  const name = isRecord(metadata) ? metadata['name'] : undefined
  if (typeof name === 'string' && name !== '' && name.trim() === '') {
    issues.push(
      issue('V17', { field: 'metadata.name', message: 'metadata.name is blank', remedy: 'give the workflow a name' }),
    )
  }
  return issues
}

function isBlank(metadata: unknown, name: PropertyKey | undefined): boolean {
  return isRecord(metadata) && metadata[String(name)] === ''
}

function registryIssues(registry: unknown): Issue[] {
  if (registry === undefined) return []
  if (!isRecord(registry)) {
    const [problem] = shapeProblems(z.record(z.string(), z.unknown()), registry)
    if (problem === undefined) return []
    return [
      issue('V12', { field: 'variableRegistry', message: `variableRegistry${problem.words}`, remedy: problem.remedy }),
    ]
  }
  return Object.entries(registry).flatMap(([name, entry]) => entryIssues(name, entry))
}

function entryIssues(name: string, entry: unknown): Issue[] {
  const field = `variableRegistry.${name}`
  if (!isRecord(entry)) {
    return [
      issue('V49', {
        field,
        message: `The variable "${name}" is not described by an object`,
        remedy: 'give it { "type": …, "description": … } and any JSON Schema keyword',
      }),
    ]
  }
  const issues = shapeProblems(registryEntrySchema, entry).map((problem) =>
    issue(problem.kind === 'empty' ? 'V49' : 'V15', {
      field: `${field}.${problem.field}`,
      message: `The variable "${name}": ${problem.words}`,
      remedy: problem.remedy,
    }),
  )
  const description = entry['description']
  if (typeof description === 'string' && description !== '' && description.trim() === '') {
    issues.push(
      issue('V49', {
        field: `${field}.description`,
        message: `The variable "${name}": description is blank`,
        remedy: 'say what the variable holds',
      }),
    )
  }
  return issues
}

function partIssues(code: IssueCode, name: string, schema: z.ZodType, value: unknown): Issue[] {
  if (value === undefined) return []
  return shapeProblems(schema, value).map((problem) =>
    issue(code, {
      field: problem.field === '' ? name : `${name}.${problem.field}`,
      message: `${name}: ${problem.words}`,
      remedy: problem.remedy,
    }),
  )
}

function nodeListIssues(nodes: unknown): Issue[] {
  if (nodes === undefined) return []
  if (!Array.isArray(nodes)) {
    return [issue('V12', { field: 'nodes', message: 'nodes is not a list', remedy: 'make nodes a list of nodes' })]
  }
  const tooFew =
    nodes.length < 2
      ? [
          issue('V5', {
            field: 'nodes',
            message: `A workflow needs at least 2 nodes and has ${nodes.length}`,
            remedy: 'add at least a start node and an end node',
          }),
        ]
      : []
  return [...tooFew, ...nodes.flatMap((node, index) => oneNodeIssues(node, index))]
}

function oneNodeIssues(raw: unknown, index: number): Issue[] {
  const field = `nodes[${index}]`
  if (!isRecord(raw)) {
    return [issue('V12', { field, message: `${field} is not an object`, remedy: 'make it an object with id and type' })]
  }
  const id = typeof raw['id'] === 'string' && raw['id'] !== '' ? raw['id'] : field
  const type = raw['type']
  const node = { id, type: typeof type === 'string' ? type : 'no type' }
  if (type === undefined) {
    const remedy = `add type: one of ${nodeTypes.map((known) => known.type).join(', ')}`
    return [nodeIssue('V6', node, { field: 'type', message: 'type is missing', remedy })]
  }
  const known = typeof type === 'string' ? nodeTypeNamed(type) : undefined
  if (known === undefined) {
    const remedy = `use one of ${nodeTypes.map((one) => one.type).join(', ')}`
    return [nodeIssue('V7', node, { field: 'type', message: `the type "${String(type)}" is unknown`, remedy })]
  }
  const problems = shapeProblems(known.schema, withoutExtensions(raw))
  const aside = type === 'condition' ? problems.filter((problem) => problem.path[0] !== 'condition') : problems
  const issues = aside.map((problem) => {
    const { field: at, words: message, remedy } = problem
    return nodeIssue(nodeCode(node.type, problem), node, { field: at, message, remedy })
  })
  return type === 'condition' ? [...issues, ...conditionIssues(node, raw['condition'])] : issues
}

/** A node without the author's own `x-…` keys. */
function withoutExtensions(node: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !name.startsWith('x-')))
}

/** Fields without which a node type makes no sense. */
const essentialFields: Record<string, readonly string[]> = {
  expression: ['expressions'],
  'read-note': ['outputVariable'],
  'write-note': ['source'],
  'upsert-note': ['keyTemplate', 'value'],
  teleport: ['hint'],
  lock: ['reason'],
}

const telegramFields = ['message', 'parseMode', 'replyMarkup', 'timeout']

function nodeCode(type: string, problem: ShapeProblem): IssueCode {
  const { kind, path } = problem
  const [first] = path
  const isEdge = first === 'connections'
  if (isEdge && kind === 'unknown') return type === 'end' ? 'V25' : 'V11'
  if (type === 'subgraph' && (isEdge || ['graphId', 'inputMapping', 'outputMapping'].includes(String(first)))) {
    return kind === 'unknown' ? 'V10' : 'V44'
  }
  if (kind === 'unknown') return 'V10'
  if (isEdge && kind === 'missing') return 'V24'
  if (type === 'agent-directive' && first === 'maxRetries') return 'V13'
  if (
    type === 'telegram-notification' &&
    telegramFields.includes(String(first)) &&
    !['missing', 'empty'].includes(kind)
  ) {
    return 'V14'
  }
  const essential = essentialFields[type]?.includes(String(first)) === true && path.length === 1
  if (essential && (kind === 'missing' || (kind === 'empty' && first === 'expressions'))) return 'V26'
  if (kind === 'missing') return 'V8'
  return kind === 'empty' ? 'V9' : 'V12'
}
