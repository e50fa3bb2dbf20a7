/** An edit of a definition, as `manage edit` takes it. Pure; what comes out is not validated yet. */

import { invalidRequest } from '../../../core/errors.ts'
import { isRecord } from '../../../core/json.ts'

type Json = Record<string, unknown>

export interface Changes {
  metadata?: Json | undefined
  variableRegistry?: Json | undefined
  runtimePolicy?: Json | undefined
  progress?: Json | undefined
  addNodes?: Json[] | undefined
  removeNodes?: string[] | undefined
  updateNodes?: { nodeId: string; changes?: unknown }[] | undefined
  removeConnections?: { nodeId: string; connectionKey: string }[] | undefined
  systemReminder?: string | undefined
}

/** What an edit did, in numbers. */
export interface ChangeCounts {
  metadataUpdated: boolean
  systemReminderUpdated: boolean
  variableRegistryUpdated: boolean
  runtimePolicyUpdated: boolean
  progressUpdated: boolean
  nodesAdded: number
  nodesRemoved: number
  nodesUpdated: number
  connectionsRemoved: number
}

/**
 * Applies changes in a fixed order: metadata, reminder, registry, policy, progress, then nodes removed, updated and
 * added, then connections removed.
 * @throws UserError `invalid_request` for no changes at all, for a node that is not there, or an id given twice
 */
export function applyChanges(definition: Json, changes: Changes): { definition: Json; counts: ChangeCounts } {
  const { metadata, systemReminder, variableRegistry, runtimePolicy, progress } = changes
  if (Object.entries(changes).every(isNothing)) {
    throw invalidRequest('changes holds no change', 'changes', {
      remedy:
        'give at least one of metadata, variableRegistry, runtimePolicy, progress, addNodes, removeNodes, updateNodes, removeConnections, systemReminder',
    })
  }
  const edited: Json = { ...definition }
  if (metadata !== undefined)
    edited['metadata'] = { ...(isRecord(edited['metadata']) ? edited['metadata'] : {}), ...metadata }
  if (systemReminder !== undefined) edited['systemReminder'] = systemReminder
  if (systemReminder === '') delete edited['systemReminder']
  if (variableRegistry !== undefined) edited['variableRegistry'] = variableRegistry
  if (runtimePolicy !== undefined) edited['runtimePolicy'] = runtimePolicy
  if (progress !== undefined) edited['progress'] = progress
  const before = Array.isArray(definition['nodes']) ? definition['nodes'].filter(isRecord) : []
  edited['nodes'] = changeNodes(before, changes)
  return {
    definition: edited,
    counts: {
      metadataUpdated: metadata !== undefined && Object.keys(metadata).length > 0,
      systemReminderUpdated: systemReminder !== undefined,
      variableRegistryUpdated: variableRegistry !== undefined,
      runtimePolicyUpdated: runtimePolicy !== undefined,
      progressUpdated: progress !== undefined,
      nodesAdded: changes.addNodes?.length ?? 0,
      nodesRemoved: changes.removeNodes?.length ?? 0,
      nodesUpdated: changes.updateNodes?.length ?? 0,
      connectionsRemoved: changes.removeConnections?.length ?? 0,
    },
  }
}

/** Lists of nothing and metadata of nothing change nothing; an empty registry or reminder is a change. */
function isNothing([name, change]: [string, unknown]): boolean {
  if (change === undefined) return true
  if (Array.isArray(change)) return change.length === 0
  return name === 'metadata' && isRecord(change) && Object.keys(change).length === 0
}

function changeNodes(before: readonly Json[], changes: Changes): Json[] {
  const { removeNodes = [], updateNodes = [], addNodes = [], removeConnections = [] } = changes
  refuseRepeated(removeNodes, 'changes.removeNodes')
  refuseRepeated(
    updateNodes.map(({ nodeId }) => nodeId),
    'changes.updateNodes',
  )
  for (const [index, id] of removeNodes.entries()) placeOf(before, id, `changes.removeNodes[${index}]`)
  const nodes = before.filter(({ id }) => !removeNodes.includes(String(id)))
  for (const [index, { nodeId, changes: update }] of updateNodes.entries()) {
    const field = `changes.updateNodes[${index}]`
    const place = placeOf(nodes, nodeId, `${field}.nodeId`)
    nodes[place] = updated(nodes[place] ?? {}, update, `${field}.changes`)
  }
  for (const [index, node] of addNodes.entries()) {
    if (nodes.some(({ id }) => id === node['id'])) {
      throw invalidRequest(`there is already a node "${String(node['id'])}"`, `changes.addNodes[${index}].id`, {
        remedy: 'give the new node another id, or change the old one with updateNodes',
      })
    }
    nodes.push(node)
  }
  for (const [index, { nodeId, connectionKey }] of removeConnections.entries()) {
    const field = `changes.removeConnections[${index}]`
    const place = placeOf(nodes, nodeId, `${field}.nodeId`)
    nodes[place] = withoutConnection(nodes[place] ?? {}, connectionKey, `${field}.connectionKey`)
  }
  return nodes
}

function placeOf(nodes: readonly Json[], id: string, field: string): number {
  const place = nodes.findIndex((node) => node['id'] === id)
  if (place >= 0) return place
  throw invalidRequest(`there is no node "${id}"`, field, { remedy: 'manage list-nodes shows the ids' })
}

function refuseRepeated(ids: readonly string[], field: string): void {
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw invalidRequest(`"${repeated}" is given twice`, field, { remedy: 'give it once' })
}

function updated(node: Json, update: unknown, field: string): Json {
  if (!isRecord(update) || Object.keys(update).length === 0) {
    throw invalidRequest('an update needs an object with the fields to set', field, {
      remedy: 'for example { "directive": "…" }; null takes a field away',
    })
  }
  return Object.fromEntries(Object.entries({ ...node, ...update }).filter(([, value]) => value !== null))
}

function withoutConnection(node: Json, key: string, field: string): Json {
  const connections = isRecord(node['connections']) ? node['connections'] : {}
  if (!Object.hasOwn(connections, key)) {
    const known = Object.keys(connections)
    throw invalidRequest(`node "${String(node['id'])}" has no connection "${key}"`, field, {
      remedy: known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`,
    })
  }
  const { [key]: _removed, ...rest } = connections
  return { ...node, connections: rest }
}
