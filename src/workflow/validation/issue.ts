import type { Issue } from '../definition.ts'
import { codeFacts, type IssueCode } from './codes.ts'

export interface Finding {
  field?: string
  message: string
  remedy: string
}

/** A finding about the definition as a whole; its type and severity follow from the code. */
export function issue(code: IssueCode, finding: Finding): Issue {
  const { type, severity } = codeFacts(code)
  return { type, severity, code, ...finding }
}

/** A finding about a node. The message names the node, so that it stands alone. */
export function nodeIssue(code: IssueCode, node: { id: string; type: string }, finding: Finding): Issue {
  return {
    ...issue(code, finding),
    nodeId: node.id,
    message: `Node "${node.id}" (${node.type}): ${finding.message}`,
  }
}
