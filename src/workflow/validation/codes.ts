/** Every check of a definition by its stable code. A check has one code; a code is never used for another check. */

import type { Issue } from '../definition.ts'

interface CodeFacts {
  type: Issue['type']
  severity: Issue['severity']
  /** What the check is about, for documentation. */
  title: string
  /** The kind of warning in the older result shape. */
  kind?: 'best-practices' | 'performance' | 'maintainability'
}

const schemaError = (title: string): CodeFacts => ({ type: 'schema', severity: 'error', title })
const structureError = (title: string): CodeFacts => ({ type: 'structure', severity: 'error', title })
const connectionError = (title: string): CodeFacts => ({ type: 'connection', severity: 'error', title })
const nodeError = (title: string): CodeFacts => ({ type: 'node', severity: 'error', title })
const warning = (
  type: Issue['type'],
  title: string,
  kind: NonNullable<CodeFacts['kind']> = 'best-practices',
): CodeFacts => ({ type, severity: 'warning', title, kind })

export const issueCodes = {
  V1: schemaError('the definition is an object with metadata and nodes'),
  V2: schemaError('no unknown field at the root or in metadata'),
  V3: schemaError('metadata.description is there and not empty'),
  V4: schemaError('metadata.version is three numbers'),
  V5: schemaError('at least two nodes'),
  V6: schemaError('every node has a type'),
  V7: schemaError('every node type is known'),
  V8: schemaError('required fields of a node are there'),
  V9: schemaError('texts that must say something are not empty'),
  V10: schemaError('no unknown field on a node, but metadata and x-*'),
  V11: schemaError('no unknown edge'),
  V12: schemaError('fields have the type the schema says'),
  V13: schemaError('maxRetries is a whole number from 0 to 10'),
  V14: schemaError('a Telegram message keeps Telegram’s limits'),
  V15: schemaError('a registry entry has a known type and a description'),
  V16: schemaError('slug and visibility are well formed'),
  V17: structureError('metadata.name is there and not blank'),
  V18: structureError('metadata.version is there'),
  V19: structureError('at most 300 nodes'),
  V20: structureError('there is a start node'),
  V21: structureError('there is only one start node'),
  V22: structureError('there is an end node'),
  V23: structureError('node ids are unique'),
  V24: connectionError('required edges are there'),
  V25: connectionError('an end node has no edges'),
  V26: nodeError('the fields a node type cannot work without are there'),
  V27: connectionError('every edge leads to a node'),
  V28: nodeError('a condition is well formed'),
  V29: nodeError('an inputSchema compiles'),
  V30: nodeError('globalInputs is a list of names'),
  V31: nodeError('globalInputs are declared variables'),
  V32: nodeError('no name is both a global input and a property'),
  V33: nodeError('parentheses of an expression are balanced'),
  V34: warning('node', 'an expression holds only characters of the language'),
  V35: connectionError('no edge leads to a teleport'),
  V36: nodeError('no unclosed {{ in a template'),
  V37: nodeError('no stray }} in a template'),
  V38: nodeError('templates read declared names'),
  V39: nodeError('conditions read declared names'),
  V40: nodeError('registry defaults that are templates read declared names'),
  V41: warning('node', 'variables that are read get a value somewhere'),
  V42: warning('structure', 'every node can be reached'),
  V43: warning('structure', 'at most 20 directives', 'performance'),
  V44: nodeError('a subgraph says which workflow, both mappings and success'),
  V45: nodeError('a subgraph is not its own workflow'),
  V46: warning('node', 'at most 50 entries in a mapping', 'performance'),
  V47: warning('node', 'no workflow is a subgraph twice', 'maintainability'),
  V48: warning('structure', 'at most 10 subgraphs', 'performance'),
  V49: nodeError('a registry entry is a schema that compiles, with a description that says something'),
  V50: warning('structure', 'no node has the id of a variable', 'maintainability'),
  V51: structureError('no reserved name is used'),
  V52: nodeError('expressions parse'),
  V53: warning('node', 'expressions assign declared variables', 'maintainability'),
  V54: warning('node', 'expressions read declared names'),
  V55: structureError('no loop of automatic nodes without a way out'),
  V56: warning('structure', 'loops pass a node that waits'),
  V57: warning('structure', 'an end can be reached from every node'),
  V58: warning('node', 'finalOutput names declared variables', 'maintainability'),
  V59: nodeError('subgraphs do not lead back to this workflow'),
  V60: warning('node', 'the workflows of subgraphs can be found'),
  V61: nodeError('allowedNodeIds are nodes'),
  V62: nodeError('allowedNodeIds are nodes a run can wait on'),
  V63: nodeError('externalVariableWrites are declared variables'),
  V64: nodeError('materialized files stay in their folder'),
  V65: nodeError('a materialized file has one source'),
  V66: warning('node', 'maxRetries and timeout have an edge to leave by'),
  V67: warning('node', 'the edges maxRetriesExceeded and timeout have their limit'),
  V68: schemaError('progress is well formed'),
  V69: structureError('progress blocks have unique ids'),
  V70: structureError('progress connections lead to blocks'),
  V71: warning('structure', 'a progress block can be reached'),
  V72: warning('node', 'progress texts read declared names'),
  V73: schemaError('runtimePolicy is well formed'),
  V74: warning('node', 'registry defaults satisfy their own entry'),
  V75: structureError('the definition is at most 5 MB of JSON'),
  V76: warning('node', 'required names of an inputSchema are in it'),
  V77: nodeError('paths of mappings can be read and written'),
} as const satisfies Record<string, CodeFacts>

export type IssueCode = keyof typeof issueCodes

/** What a code stands for. */
export function codeFacts(code: string): CodeFacts {
  const known: Record<string, CodeFacts> = issueCodes
  const facts = known[code]
  if (facts === undefined) throw new Error(`no check has the code ${code}`)
  return facts
}
