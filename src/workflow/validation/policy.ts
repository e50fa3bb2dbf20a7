/** Checks of runtimePolicy and progress beyond their form (V61 to V63, V69 to V72). */

import { type Issue, registryOf, type WorkflowDefinition } from '../definition.ts'
import { edgesOf, entryNodes, reachableFrom, successors } from '../graph.ts'
import { nodeTypeOf, waitingNodeTypes } from '../nodes/index.ts'
import { templateReferences } from '../template.ts'
import { issue } from './issue.ts'
import { isDeclared } from './names.ts'

export function policyIssues(definition: WorkflowDefinition): Issue[] {
  const byId = new Map(definition.nodes.map((node) => [node.id, node]))
  const writes = definition.runtimePolicy?.externalVariableWrites ?? {}
  return Object.entries(writes).flatMap(([name, { allowedNodeIds = [] }]) => {
    const place = `runtimePolicy.externalVariableWrites.${name}`
    const issues: Issue[] = []
    if (!Object.hasOwn(registryOf(definition), name)) {
      issues.push(
        issue('V63', {
          field: place,
          message: `runtimePolicy lets the variable "${name}" be written, which is not declared`,
          remedy: `declare "${name}" in variableRegistry, or remove the entry`,
        }),
      )
    }
    for (const [index, id] of allowedNodeIds.entries()) {
      const field = `${place}.allowedNodeIds[${index}]`
      const node = byId.get(id)
      if (node === undefined) {
        const message = `runtimePolicy names the node "${id}", which does not exist`
        issues.push(issue('V61', { field, message, remedy: 'correct the id, or remove it' }))
      } else if (!nodeTypeOf(node).waits) {
        const message = `runtimePolicy names the node "${id}" of type ${node.type}, where a run never waits`
        const remedy = `name a node of type ${waitingNodeTypes.join(', ')}`
        issues.push(issue('V62', { field, message, remedy }))
      }
    }
    return issues
  })
}

export function progressIssues(definition: WorkflowDefinition): Issue[] {
  const { progress } = definition
  if (progress === undefined) return []
  const issues: Issue[] = []
  const ids = new Set<string>()
  for (const [index, block] of progress.nodes.entries()) {
    if (ids.has(block.id)) {
      issues.push(
        issue('V69', {
          field: `progress.nodes[${index}].id`,
          message: `Several progress blocks have the id "${block.id}"`,
          remedy: 'give each block an id of its own',
        }),
      )
    }
    ids.add(block.id)
  }
  for (const [index, block] of progress.nodes.entries()) {
    const to = block.connections?.default
    if (to === undefined || ids.has(to)) continue
    issues.push(
      issue('V70', {
        field: `progress.nodes[${index}].connections.default`,
        message: `The progress block "${block.id}" leads to "${to}", which is not a block`,
        remedy: 'name a block of progress.nodes, or remove the connection',
      }),
    )
  }
  const reached = reachableFrom(entryNodes(definition), successors(edgesOf(definition)))
  if (![...ids].some((id) => reached.has(id))) {
    issues.push(
      issue('V71', {
        field: 'progress.nodes',
        message: 'No progress block has the id of a node that a run can reach, so that none ever becomes current',
        remedy: 'give a block the id of the node its part of the work begins at',
      }),
    )
  }
  return [...issues, ...progressTextIssues(definition)]
}

function progressTextIssues(definition: WorkflowDefinition): Issue[] {
  return progressTexts(definition).flatMap(({ field, text }) =>
    templateReferences(text)
      .roots.filter((root) => !root.inEach && !isDeclared(definition, root.name))
      .map(({ name }) =>
        issue('V72', {
          field,
          message: `The progress text ${field} reads "${name}", which is neither a variable nor a node`,
          remedy: `declare "${name}" in variableRegistry, or correct the name`,
        }),
      ),
  )
}

function progressTexts({ progress }: WorkflowDefinition): { field: string; text: string }[] {
  const texts: { field: string; text: string }[] = []
  const add = (field: string, text: string | undefined) => {
    if (text !== undefined) texts.push({ field: `progress.${field}`, text })
  }
  add('title', progress?.title)
  add('goal', progress?.goal)
  for (const [index, fact] of (progress?.facts ?? []).entries()) add(`facts[${index}].value`, fact.value)
  for (const [index, { label, content }] of (progress?.nodes ?? []).entries()) {
    const place = `nodes[${index}]`
    add(`${place}.label`, label)
    add(`${place}.content.summary`, content.summary)
    for (const [at, detail] of (content.details ?? []).entries()) add(`${place}.content.details[${at}]`, detail)
    add(`${place}.content.outcome`, content.outcome)
    add(`${place}.content.next`, content.next)
  }
  return texts
}
