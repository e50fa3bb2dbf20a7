/** What differs between two definitions, down to the field. */

import { canonicalJson, isRecord } from '../core/json.ts'
import type { WorkflowDefinition } from './definition.ts'

export interface FieldChange {
  /** A path such as `connections.success` or `inputSchema.required[0]`. */
  field: string
  /** Absent when the field is only in one of the two. */
  before?: unknown
  after?: unknown
}

export interface NamedChanges {
  added: string[]
  removed: string[]
  changed: { name: string; fields: FieldChange[] }[]
}

export interface DefinitionDiff {
  identical: boolean
  /** Name, version, description, author, tags. */
  metadata: FieldChange[]
  registry: NamedChanges
  runtimePolicy: FieldChange[]
  progress: FieldChange[]
  systemReminder: FieldChange[]
  nodes: NamedChanges
  /** Whether the nodes both have stand in another order. */
  reordered: boolean
}

/**
 * Compares two definitions (T185): metadata, registry, policy, progress, reminder, and every field of every node.
 * Catalogue fields (id, slug, owner, visibility) are no part of what a workflow does and are left out.
 */
export function diffDefinitions(before: WorkflowDefinition, after: WorkflowDefinition): DefinitionDiff {
  const nodesBefore = Object.fromEntries(before.nodes.map((node) => [node.id, node]))
  const nodesAfter = Object.fromEntries(after.nodes.map((node) => [node.id, node]))
  const shared = (nodes: WorkflowDefinition['nodes'], other: object) =>
    nodes.map((node) => node.id).filter((id) => Object.hasOwn(other, id))
  const diff = {
    metadata: fieldChanges(before.metadata, after.metadata),
    registry: namedChanges(before.variableRegistry ?? {}, after.variableRegistry ?? {}),
    runtimePolicy: fieldChanges(before.runtimePolicy, after.runtimePolicy),
    progress: fieldChanges(before.progress, after.progress),
    systemReminder: fieldChanges(before.systemReminder, after.systemReminder, 'systemReminder'),
    nodes: namedChanges(nodesBefore, nodesAfter),
    reordered: canonicalJson(shared(before.nodes, nodesAfter)) !== canonicalJson(shared(after.nodes, nodesBefore)),
  }
  const parts = [diff.metadata, diff.runtimePolicy, diff.progress, diff.systemReminder]
  const identical =
    !diff.reordered && parts.every((part) => part.length === 0) && isSame(diff.registry) && isSame(diff.nodes)
  return { identical, ...diff }
}

function isSame({ added, removed, changed }: NamedChanges): boolean {
  return added.length + removed.length + changed.length === 0
}

function namedChanges(before: Record<string, unknown>, after: Record<string, unknown>): NamedChanges {
  const names = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  return {
    added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
    changed: names
      .map((name) => ({ name, fields: fieldChanges(before[name], after[name]) }))
      .filter(({ fields }) => fields.length > 0),
  }
}

/** The smallest parts in which two JSON values differ. */
export function fieldChanges(before: unknown, after: unknown, field = ''): FieldChange[] {
  if (before === after) return []
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => fieldChanges(own(before, name), own(after, name), join(field, name)))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      fieldChanges(before[index], after[index], `${field}[${index}]`),
    )
  }
  return [{ field, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }]
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`
}
