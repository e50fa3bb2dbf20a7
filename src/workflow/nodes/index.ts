import type { WorkflowNode, WorkflowNodeType } from '../definition.ts'
import { agentDirectiveType } from './agent-directive.ts'
import { conditionType } from './condition.ts'
import { endType } from './end.ts'
import { expressionType } from './expression.ts'
import { lockType } from './lock.ts'
import { materializeType } from './materialize.ts'
import type { NodeType } from './node-type.ts'
import { readNoteType } from './read-note.ts'
import { startType } from './start.ts'
import { subgraphType } from './subgraph.ts'
import { telegramNotificationType } from './telegram-notification.ts'
import { teleportType } from './teleport.ts'
import { upsertNoteType } from './upsert-note.ts'
import { userNotificationType } from './user-notification.ts'
import { writeNoteType } from './write-note.ts'

/** Every node type Varve knows. */
export const nodeTypes: readonly NodeType[] = [
  startType,
  endType,
  agentDirectiveType,
  conditionType,
  expressionType,
  subgraphType,
  teleportType,
  lockType,
  materializeType,
  telegramNotificationType,
  userNotificationType,
  readNoteType,
  writeNoteType,
  upsertNoteType,
]

const byName = new Map<string, NodeType>(nodeTypes.map((type) => [type.type, type]))

/** The type a node names. A definition that was validated has no other. */
export function nodeTypeOf(node: WorkflowNode): NodeType {
  const type = byName.get(node.type)
  if (type === undefined) throw new Error(`no node type "${node.type}"`)
  return type
}

/** The type with that name; undefined when there is none. */
export function nodeTypeNamed(name: string): NodeType | undefined {
  return byName.get(name)
}

/** Names of the types a run can wait on: the targets of `recover`. */
export const waitingNodeTypes: readonly WorkflowNodeType[] = nodeTypes
  .filter((type) => type.waits)
  .map((type) => type.type)
