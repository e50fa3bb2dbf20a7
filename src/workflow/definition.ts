/**
 * What an author writes: the parts of a workflow as zod schemas, and the types read off them. The schemas never
 * transform: a definition that passes is the author's JSON itself. The whole is put together in definition-schema.ts.
 */

import * as z from 'zod'
import type { AgentDirectiveNode } from './nodes/agent-directive.ts'
import type { ConditionNode } from './nodes/condition.ts'
import type { EndNode } from './nodes/end.ts'
import type { ExpressionNode } from './nodes/expression.ts'
import type { LockNode } from './nodes/lock.ts'
import type { MaterializeNode } from './nodes/materialize.ts'
import type { ReadNoteNode } from './nodes/read-note.ts'
import type { StartNode } from './nodes/start.ts'
import type { SubgraphNode } from './nodes/subgraph.ts'
import type { TelegramNotificationNode } from './nodes/telegram-notification.ts'
import type { TeleportNode } from './nodes/teleport.ts'
import type { UpsertNoteNode } from './nodes/upsert-note.ts'
import type { UserNotificationNode } from './nodes/user-notification.ts'
import type { WriteNoteNode } from './nodes/write-note.ts'

export type { BinaryOperator, Condition, JsonSchema, Operand } from './nodes/node-schema.ts'

export type WorkflowNode =
  | StartNode
  | EndNode
  | AgentDirectiveNode
  | ConditionNode
  | ExpressionNode
  | SubgraphNode
  | TeleportNode
  | LockNode
  | MaterializeNode
  | TelegramNotificationNode
  | UserNotificationNode
  | ReadNoteNode
  | WriteNoteNode
  | UpsertNoteNode

export type WorkflowNodeType = WorkflowNode['type']

/** Most nodes a workflow may have. */
export const MAX_NODES = 300

/** `integer` is JSON Schema's; the other six are the types a variable may declare. */
export const variableTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

/** A global variable: a JSON Schema that must say its type and what it is for; any other keyword may follow. */
export const registryEntrySchema = z.looseObject({
  type: z.enum(variableTypes),
  description: z.string().min(1),
  default: z.unknown().optional(),
})
export type RegistryEntry = z.infer<typeof registryEntrySchema>

export const metadataSchema = z.strictObject({
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  author: z.string().optional(),
  tags: z.array(z.string().min(1)).optional(),
})
export type WorkflowMetadata = z.infer<typeof metadataSchema>

/** Which variables may be written from outside the run, and while it waits on which nodes (absent list: any). */
export const runtimePolicySchema = z.strictObject({
  externalVariableWrites: z
    .record(z.string(), z.strictObject({ allowedNodeIds: z.array(z.string()).optional() }))
    .optional(),
})
export type RuntimePolicy = z.infer<typeof runtimePolicySchema>

const factSchema = z.strictObject({
  label: z.string().min(1).max(100),
  value: z.string().min(1).max(500),
  tone: z.enum(['neutral', 'positive', 'warning', 'critical']).optional(),
})

const progressNodeSchema = z.strictObject({
  id: z.string().min(1),
  label: z.string().min(1).max(200),
  content: z.strictObject({
    summary: z.string().min(1).max(1000),
    details: z.array(z.string().min(1).max(500)).max(12).optional(),
    outcome: z.string().min(1).max(1000).optional(),
    next: z.string().min(1).max(500).optional(),
  }),
  connections: z.strictObject({ default: z.string().min(1).optional() }).optional(),
})

/** The author's picture of the work for people: up to 18 blocks; texts are templates over the globals. */
export const progressSchema = z.strictObject({
  title: z.string().min(1).max(200).optional(),
  goal: z.string().min(1).max(1000).optional(),
  facts: z.array(factSchema).max(8).optional(),
  nodes: z.array(progressNodeSchema).min(1).max(18),
})
export type Progress = z.infer<typeof progressSchema>

export const slugPattern = /^[a-z0-9-]+$/

/** Everything a definition says beside its nodes. */
export const rootFields = {
  id: z.string().min(1).optional(),
  slug: z.string().regex(slugPattern).optional(),
  owner: z.string().optional(),
  visibility: z.enum(['public', 'private']).optional(),
  metadata: metadataSchema,
  variableRegistry: z.record(z.string(), registryEntrySchema).optional(),
  systemReminder: z.string().optional(),
  runtimePolicy: runtimePolicySchema.optional(),
  progress: progressSchema.optional(),
}
type RootFields = z.infer<z.ZodObject<typeof rootFields>>

export type WorkflowDefinition = RootFields & { nodes: WorkflowNode[] }

/** One finding about a definition: what is wrong, where, and how to mend it. */
export interface Issue {
  type: 'schema' | 'structure' | 'connection' | 'node'
  severity: 'error' | 'warning'
  /** Stable, `V1` and up; the list is in `validation/codes.ts`. */
  code: string
  nodeId?: string
  /** The field to look at, as a path: `connections.success`, `condition.conditions[0].left`. */
  field?: string
  message: string
  remedy: string
}

/** The edges of a node: output name to node id. End nodes have none. */
export function connectionsOf(node: WorkflowNode): Readonly<Record<string, string>> {
  const edges: Record<string, string> = {}
  for (const [name, to] of Object.entries(node.connections ?? {})) if (to !== undefined) edges[name] = to
  return edges
}

/** The node with that id; null when there is none. */
export function findNode(definition: WorkflowDefinition, id: string): WorkflowNode | null {
  return definition.nodes.find((node) => node.id === id) ?? null
}

/** The node a new run begins at. A valid definition has exactly one. */
export function startNode(definition: WorkflowDefinition): StartNode | null {
  for (const node of definition.nodes) if (node.type === 'start') return node
  return null
}

/** The variables a definition declares; empty when it has no registry. */
export function registryOf(definition: WorkflowDefinition): Readonly<Record<string, RegistryEntry>> {
  return definition.variableRegistry ?? {}
}
