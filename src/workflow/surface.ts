/**
 * The continuation surface (T87 to T90): what a paused run depends on in its definition. As long as it stays the same
 * the run goes on with the same attempt, whatever else the author edits.
 */

import { createHash } from 'node:crypto'
import { canonicalJson } from '../core/json.ts'
import { findNode, type RegistryEntry, registryOf, type WorkflowDefinition, type WorkflowNode } from './definition.ts'
import { fieldChanges } from './graph-diff.ts'
import { globalInputsOf } from './nodes/node-schema.ts'
import type { RunState } from './state.ts'
import type { RunContext } from './transition.ts'
import { type Level, levelsOf } from './transition-levels.ts'

/** One workflow the run stands in: the node it stands on, without what only viewers read. */
interface SurfaceLevel {
  nodeId: string
  /** Null when the definition has no such node any more. */
  node: Record<string, unknown> | null
  /** Registry entries of the globals that the node takes from the agent; null for one that is not declared. */
  variables: Record<string, RegistryEntry | null>
}

/** JSON to be stored with an attempt. From the run's own workflow inwards, one level per inline child. */
export type Surface = SurfaceLevel[]

/**
 * The surface of a paused run, against the definitions as they are now.
 * @throws UserError `SUBGRAPH_NOT_FOUND` when a child the run stands in cannot be read.
 */
export async function surfaceOf(
  run: Pick<RunContext, 'definition' | 'workflowId' | 'reads'>,
  state: RunState,
): Promise<Surface> {
  return (await levelsOf(run, state)).map(surfaceLevel)
}

/** 64 hex digits; equal surfaces have equal ones. */
export function surfaceHash(surface: Surface): string {
  return createHash('sha256').update(canonicalJson(surface)).digest('hex')
}

/** What changed between two surfaces, as paths an author understands: `node ask: directive`, `variable kind: enum`. */
export function surfaceChanges(before: Surface, after: Surface): string[] {
  const depth = Math.max(before.length, after.length)
  return Array.from({ length: depth }, (_, index) => levelChanges(before[index], after[index])).flat()
}

function surfaceLevel({ definition, nodeId }: Level): SurfaceLevel {
  const node = findNode(definition, nodeId)
  if (node === null) return { nodeId, node: null, variables: {} }
  return { nodeId, node: withoutDisplay(node), variables: takenVariables(node, definition) }
}

/** `metadata` and `x-*` keys are for viewers and for the author; nothing executes them. */
function withoutDisplay(node: WorkflowNode): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== 'metadata' && !name.startsWith('x-')))
}

function takenVariables(node: WorkflowNode, definition: WorkflowDefinition): SurfaceLevel['variables'] {
  const registry = registryOf(definition)
  const schema = 'inputSchema' in node ? node.inputSchema : undefined
  return Object.fromEntries(globalInputsOf(schema).map((name) => [name, registry[name] ?? null]))
}

function levelChanges(before: SurfaceLevel | undefined, after: SurfaceLevel | undefined): string[] {
  if (before === undefined || after === undefined) {
    return [`node ${(before ?? after)?.nodeId}: ${before === undefined ? 'entered' : 'left'}`]
  }
  if (before.nodeId !== after.nodeId) return [`the run stands on ${after.nodeId} instead of ${before.nodeId}`]
  if (after.node === null) return before.node === null ? [] : [`node ${after.nodeId}: removed`]
  const names = new Set([...Object.keys(before.variables), ...Object.keys(after.variables)])
  return [
    ...fieldChanges(before.node ?? {}, after.node).map(({ field }) => `node ${after.nodeId}: ${field}`),
    ...[...names].flatMap((name) =>
      fieldChanges(before.variables[name] ?? {}, after.variables[name] ?? {}).map(
        ({ field }) => `variable ${name}: ${field}`,
      ),
    ),
  ]
}
