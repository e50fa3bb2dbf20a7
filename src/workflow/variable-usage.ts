/** Where each global variable of a definition gets its value, and where it is read. */

import { UserError } from '../core/errors.ts'
import { conditionReferences } from './condition.ts'
import { registryOf, type WorkflowDefinition, type WorkflowNode } from './definition.ts'
import { expressionReferences } from './expression-references.ts'
import { nodeTypeOf } from './nodes/index.ts'
import { parsePath, pathRoots } from './path.ts'
import { templateReferences } from './template.ts'
import { writtenBy } from './validation/writers.ts'

/** Where a variable gets a value. */
export interface VariableSource {
  type: 'registry' | 'initialData' | 'globalInput' | 'expression' | 'outputMapping' | 'externalWrite'
  nodeId: string | null
  description: string
}

/** Where a variable is read. */
export interface VariableUsage {
  nodeId: string
  field: string
  context: 'template' | 'condition' | 'expression' | 'inputMapping' | 'finalOutput' | 'source'
}

export interface VariableAnalysis {
  sources: VariableSource[]
  usages: VariableUsage[]
}

/** The global variables of a definition: those declared, and those it gives a value without declaring them. */
export function analyzeVariables(definition: WorkflowDefinition): Map<string, VariableAnalysis> {
  const found = new Map<string, VariableAnalysis>()
  const of = (name: string): VariableAnalysis => {
    const known = found.get(name) ?? { sources: [], usages: [] }
    found.set(name, known)
    return known
  }
  for (const [name, { type, description }] of Object.entries(registryOf(definition))) {
    of(name).sources.push({ type: 'registry', nodeId: null, description: `${type}: ${description}` })
  }
  for (const name of Object.keys(definition.runtimePolicy?.externalVariableWrites ?? {})) {
    of(name).sources.push({ type: 'externalWrite', nodeId: null, description: 'session set-variable may write it' })
  }
  for (const node of definition.nodes) {
    for (const name of new Set(writtenBy(node))) of(name).sources.push(sourceIn(node))
  }
  const variables = new Set(found.keys())
  for (const node of definition.nodes) {
    for (const { name, ...usage } of readBy(node)) if (variables.has(name)) of(name).usages.push(usage)
  }
  return found
}

function sourceIn(node: WorkflowNode): VariableSource {
  const source = (type: VariableSource['type'], description: string): VariableSource => ({
    type,
    nodeId: node.id,
    description,
  })
  switch (node.type) {
    case 'start':
      return source('initialData', 'given when the run begins')
    case 'expression':
      return source('expression', 'assigned')
    case 'subgraph':
      return source('outputMapping', `taken over from ${node.graphId}`)
    default:
      return source('globalInput', 'written by the answer of the agent')
  }
}

function readBy(node: WorkflowNode): (VariableUsage & { name: string })[] {
  const usage = (name: string, field: string, context: VariableUsage['context']) => ({
    name,
    nodeId: node.id,
    field,
    context,
  })
  const templates = nodeTypeOf(node)
    .templates(node)
    .flatMap(({ field, text }) => namesIn(text).map((name) => usage(name, field, 'template')))
  switch (node.type) {
    case 'condition':
      return conditionReferences(node.condition).flatMap(({ roots, field }) =>
        roots.map((name) => usage(name, field, 'condition')),
      )
    case 'expression':
      return node.expressions.flatMap((text, index) =>
        readsOf(text).map((name) => usage(name, `expressions[${index}]`, 'expression')),
      )
    case 'subgraph':
      return Object.keys(node.inputMapping).flatMap((path) =>
        rootsOf(path).map((name) => usage(name, `inputMapping.${path}`, 'inputMapping')),
      )
    case 'end':
      return (node.finalOutput ?? []).map((name, index) => usage(name, `finalOutput[${index}]`, 'finalOutput'))
    case 'write-note':
      if (node.batchMode !== true) return templates
      return [...templates, ...rootsOf(node.source).map((name) => usage(name, 'source', 'source'))]
    default:
      return templates
  }
}

/** The names a template reads, each once. */
function namesIn(text: string): string[] {
  return [...new Set(templateReferences(text).roots.map(({ name }) => name))]
}

function rootsOf(path: string): string[] {
  const parsed = parsePath(path)
  return parsed === null ? [] : pathRoots(parsed)
}

/** An expression that cannot be read is for validation to report. */
function readsOf(expression: string): string[] {
  try {
    return expressionReferences(expression).reads
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}
