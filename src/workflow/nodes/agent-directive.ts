import * as z from 'zod'
import type { Issue } from '../definition.ts'
import { nodeIssue } from '../validation/issue.ts'
import { answerStep } from './answer.ts'
import { inputSchema, nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const agentDirectiveSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('agent-directive'),
  directive: text.describe('A template: what to do.'),
  completionCondition: text.describe('A template: how to know that it is done.'),
  inputSchema: inputSchema.optional().describe('The answer’s JSON Schema; absent: only an empty answer is taken.'),
  maxRetries: z
    .number()
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('Answers that may be refused per visit before the run leaves over maxRetriesExceeded (or error).'),
  retryMessage: text.optional().describe('A template, said with every refusal.'),
  timeout: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Milliseconds a visit may take; a later answer leaves over timeout (or error) instead.'),
  connections: z.strictObject({
    success: target,
    error: target.optional(),
    timeout: target.optional(),
    maxRetriesExceeded: target.optional(),
  }),
})
export type AgentDirectiveNode = z.infer<typeof agentDirectiveSchema>

/** A piece of work for the agent: the run waits here until an answer passes the schema. */
export const agentDirectiveType: NodeType<AgentDirectiveNode> = {
  type: 'agent-directive',
  title: 'Agent directive',
  waits: true,
  external: false,
  schema: agentDirectiveSchema,
  edges: { required: ['success'], optional: ['error', 'timeout', 'maxRetriesExceeded'] },
  templates: (node) => [
    { field: 'directive', text: node.directive },
    { field: 'completionCondition', text: node.completionCondition },
    ...(node.retryMessage === undefined ? [] : [{ field: 'retryMessage', text: node.retryMessage }]),
  ],
  check: unusedLimits,
  run: (node, visit) =>
    answerStep(node, visit, {
      ...(node.maxRetries === undefined ? {} : { maxRetries: node.maxRetries }),
      ...(node.retryMessage === undefined ? {} : { retryMessage: node.retryMessage }),
      ...(node.timeout === undefined ? {} : { timeout: node.timeout }),
      exhaustedEdge: exhaustedEdge(node),
      timeoutEdge: timeoutEdge(node),
    }),
}

function exhaustedEdge({ connections }: AgentDirectiveNode): string | null {
  if (connections.maxRetriesExceeded !== undefined) return 'maxRetriesExceeded'
  return connections.error === undefined ? null : 'error'
}

function timeoutEdge({ connections }: AgentDirectiveNode): string | null {
  if (connections.timeout !== undefined) return 'timeout'
  return connections.error === undefined ? null : 'error'
}

/** Limits without an edge to leave by, and edges without the limit that would lead to them. */
function unusedLimits(node: AgentDirectiveNode): Issue[] {
  const issues: Issue[] = []
  const warn = (code: 'V66' | 'V67', field: string, message: string, remedy: string) =>
    issues.push(nodeIssue(code, node, { field, message, remedy }))
  if (node.maxRetries !== undefined && exhaustedEdge(node) === null) {
    warn(
      'V66',
      'maxRetries',
      `maxRetries is ${node.maxRetries}, but there is no edge to leave by once it is used up`,
      'add connections.maxRetriesExceeded (or connections.error), or remove maxRetries',
    )
  }
  if (node.timeout !== undefined && timeoutEdge(node) === null) {
    warn(
      'V66',
      'timeout',
      `timeout is ${node.timeout} ms, but there is no edge to leave by when it is over`,
      'add connections.timeout (or connections.error), or remove timeout',
    )
  }
  if (node.maxRetries === undefined && node.connections.maxRetriesExceeded !== undefined) {
    warn(
      'V67',
      'connections.maxRetriesExceeded',
      'the maxRetriesExceeded edge is never taken: the node declares no maxRetries',
      'set maxRetries (0 to 10), or remove the edge',
    )
  }
  if (node.timeout === undefined && node.connections.timeout !== undefined) {
    warn(
      'V67',
      'connections.timeout',
      'the timeout edge is never taken: the node declares no timeout',
      'set timeout in milliseconds, or remove the edge',
    )
  }
  return issues
}
