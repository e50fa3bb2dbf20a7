/** Tool calls of the editor: call and result in one bubble, most of it as JSON inside texts. */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, list, number, pick, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import type { Entry } from './entry.ts'
import { addCall, addResult, cursorToolName, parsed, plainText } from './tools.ts'

/** States after which nothing more comes. */
const OVER = new Set(['completed', 'error', 'errored', 'cancelled', 'canceled', 'aborted', 'rejected'])

/** Arguments that the client derives for itself from a command. */
const DERIVED = new Set(['parsingResult', 'requestedSandboxPolicy', 'repositoryInfo'])

export function readToolData(entry: Entry, data: Fields): void {
  const { tool, input } = calledTool(data)
  // Models that name a call and its item give both, one a line.
  const callId = text(data['toolCallId']).split('\n')[0] ?? ''
  const additional = fields(parsed(data['additionalData']))
  addCall(entry, { tool, callId, input }, number(additional['startedAtMs']))
  const status = text(data['status']).toLowerCase()
  if (!OVER.has(status)) {
    delete entry.state.pending[callId]
    return
  }
  const result = parsed(data['result'])
  const error = parsed(data['error'])
  const answer = fields(result)
  const isRefused = answer['rejected'] === true || text(data['userDecision']) === 'rejected'
  addResult(entry, {
    callId,
    tool,
    said: said(result) || said(error) || said(additional),
    failed: status !== 'completed' || isRefused,
    exitCode: number(answer['exitCodeV2']) ?? number(answer['exitCode']),
    payload: status === 'completed' && !isRefused ? undefined : pick(data, ['status', 'userDecision']),
  })
}

/** The tool, and what the model gave with what the client made of it. Those of a server's tool stand in the arguments. */
function calledTool(data: Fields): { tool: ToolName; input: unknown } {
  const params = parsed(data['params'])
  const raw = parsed(data['rawArgs'])
  const served = fields(list(fields(params)['tools'])[0])
  const server = text(served['serverName'])
  const name = text(data['name'])
  if (server !== '') {
    return { tool: toolName(name, { server, tool: text(served['name']) }), input: parsed(served['parameters']) }
  }
  if (/^(?:mcp-*)?$/.test(name)) return { tool: cursorToolName(text(fields(raw)['name']) || name), input: raw }
  const tool = cursorToolName(name)
  if (!isRecord(params) && !isRecord(raw)) return { tool, input: params || raw }
  const both = { ...fields(params), ...fields(raw) }
  return { tool, input: Object.fromEntries(Object.entries(both).filter(([key]) => !DERIVED.has(key))) }
}

const SPOKEN = [
  'output',
  'contents',
  'content',
  'modelVisibleErrorMessage',
  'clientVisibleErrorMessage',
  'message',
  'text',
]

/** What a result says; JSON where none of its fields has a name that tells. */
function said(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return Array.isArray(value) ? JSON.stringify(value) : ''
  for (const key of SPOKEN) {
    const spoken = typeof value[key] === 'object' && !Array.isArray(value[key]) ? '' : plainText(value[key])
    if (spoken !== '') return spoken
  }
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}
