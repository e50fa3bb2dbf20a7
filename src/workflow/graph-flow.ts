/** A workflow drawn with plain characters for a terminal: one line per node, in reading order. */

import { connectionsOf, startNode, type WorkflowDefinition, type WorkflowNode } from './definition.ts'

const NODE_WIDTH = 28
const TYPE_WIDTH = 21
const PREVIEW_WIDTH = 60

const signs: Partial<Record<WorkflowNode['type'], string>> = {
  start: '( )',
  end: '(x)',
  condition: '< >',
  teleport: '[^]',
  subgraph: '[[]]',
}

/**
 * The flow as text. Every node has a numbered line; an edge to the next line is drawn as `|`, any other names the line
 * it leads to, with `^` when that line is above (a loop).
 */
export function asciiFlow(definition: WorkflowDefinition, options: { previews?: boolean } = {}): string {
  const order = readingOrder(definition)
  const lineOf = new Map(order.map((node, index) => [node.id, index + 1]))
  const digits = `${order.length}`.length
  const lines: string[] = []
  for (const [index, node] of order.entries()) {
    const next = order[index + 1]
    const number = `${index + 1}`.padStart(digits)
    const preview = options.previews === true ? `  ${previewOf(node)}` : ''
    const head = `${(signs[node.type] ?? '[ ]').padEnd(4)} ${node.id.padEnd(NODE_WIDTH)} ${node.type.padEnd(TYPE_WIDTH)}`
    lines.push(`${number} ${head}${preview}`.trimEnd())
    const edges = Object.entries(connectionsOf(node))
    const margin = ' '.repeat(digits + 1)
    for (const [name, to] of edges) {
      if (edges.length === 1 && to === next?.id) lines.push(`${margin} |`)
      else lines.push(`${margin} +-- ${name} ${arrow(to, index + 1, lineOf)}`)
    }
  }
  return lines.join('\n')
}

function arrow(to: string, from: number, lineOf: ReadonlyMap<string, number>): string {
  const line = lineOf.get(to)
  if (line === undefined) return `-> ${to} (missing)`
  return `-> ${line} ${to}${line <= from ? ' ^' : ''}`
}

/**
 * The nodes as a reader wants them: from the start along each node's first edge, then what its other edges lead to,
 * then the teleports with what only they reach, then the rest.
 */
export function readingOrder(definition: WorkflowDefinition): WorkflowNode[] {
  const byId = new Map(definition.nodes.map((node) => [node.id, node]))
  const start = startNode(definition)
  const teleports = definition.nodes.filter((node) => node.type === 'teleport')
  const order = new Map<string, WorkflowNode>()
  for (const root of [...(start === null ? [] : [start]), ...teleports, ...definition.nodes]) {
    const pending = [root]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (order.has(node.id)) continue
      order.set(node.id, node)
      const targets = Object.values(connectionsOf(node)).flatMap((to) => byId.get(to) ?? [])
      pending.push(...targets.reverse())
    }
  }
  return [...order.values()]
}

/** What a node is about, in one line. */
export function previewOf(node: WorkflowNode, width = PREVIEW_WIDTH): string {
  const text = describe(node).replace(/\s+/g, ' ').trim()
  return text.length > width ? `${text.slice(0, width - 3)}...` : text
}

function describe(node: WorkflowNode): string {
  switch (node.type) {
    case 'start':
      return ''
    case 'end':
      return (node.finalOutput ?? []).join(', ')
    case 'agent-directive':
    case 'teleport':
      return node.directive
    case 'condition':
      return conditionText(node.condition)
    case 'expression':
      return node.expressions.join('; ')
    case 'subgraph':
      return node.graphId
    case 'lock':
      return node.reason
    case 'materialize':
      return node.files.map((file) => file.path).join(', ')
    case 'telegram-notification':
    case 'user-notification':
      return node.message
    case 'read-note':
      return `-> ${node.outputVariable}`
    case 'write-note':
      return `${node.key ?? 'each'} = ${node.source}`
    case 'upsert-note':
      return `${node.keyTemplate} = ${node.value}`
    default:
      return node satisfies never
  }
}

type Condition = Extract<WorkflowNode, { type: 'condition' }>['condition']

/** A condition as an author would say it: `verdict eq "yes" and not (round gte 3)`. */
export function conditionText(condition: Condition): string {
  switch (condition.operator) {
    case 'and':
    case 'or':
      return condition.conditions.map((inner) => `(${conditionText(inner)})`).join(` ${condition.operator} `)
    case 'not':
      return `not (${conditionText(condition.condition)})`
    case 'exists':
      return `exists ${operandText(condition.value)}`
    default:
      return `${operandText(condition.left)} ${condition.operator} ${operandText(condition.right)}`
  }
}

function operandText(operand: unknown): string {
  if (typeof operand === 'object' && operand !== null && 'contextPath' in operand) return String(operand.contextPath)
  return JSON.stringify(operand)
}
