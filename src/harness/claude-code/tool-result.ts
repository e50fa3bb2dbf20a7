/** Results of tool calls: which tool they answer, what they say, and how the call went. */

import type { ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { recordField, textField, textOf } from './content.ts'
import { add, type Entry, tellSubagent } from './entry.ts'
import { take } from './state.ts'

/** Tools that start a subagent: `Task` until 2.0, `Agent` since. */
export const SUBAGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task'])

const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'bash', 'PowerShell', 'bash_code_execution'])

/** Name of a tool whose call was never seen. */
const UNKNOWN_TOOL = 'unknown'

/** A `tool_result` block, or one of the results of tools that run on the provider's servers. */
export function readToolResult(entry: Entry, block: Record<string, unknown>): void {
  const { record, state } = entry
  const structured = record['toolUseResult']
  const callId = textField(block, 'tool_use_id') || textField(record, 'sourceToolUseID')
  const call = take(state.pending, callId) ?? take(state.pending, '')
  const tool: ToolUse = { name: call?.name ?? UNKNOWN_TOOL, phase: 'response' }
  if (call?.server) tool.server = call.server
  if (callId !== '') tool.callId = callId
  if (failed(block, structured)) tool.error = true
  const text = resultText(block, structured)
  const exitCode = exitCodeOf(tool, block, structured, text)
  if (exitCode !== undefined) tool.exitCode = exitCode
  const draft = add(entry, 'tool_response', text, { tool })
  const payload = resultFacts(record, structured)
  if (payload) draft.payload = payload
  if (record['toolEndsTurn'] === true) draft.ends = 'answered'
  const agent = startedAgent(tool.name, structured, text)
  if (agent !== '') tellSubagent(entry, agent, callId)
}

function failed(block: Record<string, unknown>, structured: unknown): boolean {
  if (typeof block['is_error'] === 'boolean') return block['is_error']
  if (isErrorContent(block['content'])) return true
  return isRecord(structured) && structured['is_error'] === true
}

function isErrorContent(content: unknown): boolean {
  return isRecord(content) && textField(content, 'type').endsWith('_error')
}

function resultText(block: Record<string, unknown>, structured: unknown): string {
  const { content } = block
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(serverResultText).join('') || textOf(content)
  if (isRecord(content)) return serverContentText(content)
  return structuredText(structured)
}

/** One hit of a web search: title and address. Empty for anything else. */
function serverResultText(item: unknown): string {
  if (!isRecord(item) || item['type'] !== 'web_search_result') return ''
  return `${textField(item, 'title')}\n${textField(item, 'url')}\n`
}

/** The single record a server tool answers with: an error code, console output, or a fetched document. */
function serverContentText(content: Record<string, unknown>): string {
  const code = textField(content, 'error_code')
  if (code !== '') return code
  const output = outputText(content)
  if (output !== '') return output
  const url = textField(content, 'url')
  const inner = textOf([content['content'], ...(Array.isArray(content['content']) ? content['content'] : [])])
  return [url, inner].filter((part) => part !== '').join('\n')
}

function outputText(record: Record<string, unknown>): string {
  return [textField(record, 'stdout'), textField(record, 'stderr')].filter((part) => part !== '').join('\n')
}

/** Records without content hold the result beside it only: as text, console output, blocks or a file. */
function structuredText(structured: unknown): string {
  if (typeof structured === 'string') return structured
  if (!isRecord(structured)) return textOf(structured)
  return outputText(structured) || textOf(structured['content']) || textOf(recordField(structured, 'file')['content'])
}

/**
 * The exit code of a shell command. A failing command is an error whose text begins `Exit code N`; one that is no error
 * ended with 0, unless it was sent to the background, was cut off, or the client explains a code it took for success
 * (grep finding nothing), which it does not write down.
 */
function exitCodeOf(
  tool: ToolUse,
  block: Record<string, unknown>,
  structured: unknown,
  text: string,
): number | undefined {
  const result = isRecord(structured) ? structured : undefined
  const stated = result?.['exitCode'] ?? (result && recordField(result, 'task')['exitCode'])
  if (typeof stated === 'number') return stated
  if (!SHELL_TOOLS.has(tool.name)) return undefined
  if (text.startsWith('Exit code ')) {
    const code = Number.parseInt(text.slice('Exit code '.length, 'Exit code '.length + 12), 10)
    return Number.isNaN(code) ? undefined : code
  }
  if (tool.error || (block['is_error'] !== false && !result)) return undefined
  const inBackground = result?.['backgroundTaskId'] !== undefined || text.startsWith('Command running in background')
  if (inBackground || result?.['interrupted'] === true || result?.['returnCodeInterpretation']) return undefined
  return 0
}

/** Small facts of `toolUseResult`; its texts repeat the result or the call. */
const RESULT_FACTS = [
  'filePath',
  'type',
  'status',
  'agentId',
  'agentType',
  'totalTokens',
  'totalDurationMs',
  'totalToolUseCount',
  'backgroundTaskId',
  'returnCodeInterpretation',
  'persistedOutputPath',
  'numFiles',
  'numLines',
  'truncated',
  'url',
  'code',
  'bytes',
  'durationMs',
  'userModified',
  'interrupted',
] as const

function resultFacts(record: Record<string, unknown>, structured: unknown): Record<string, unknown> | undefined {
  let facts: Record<string, unknown> | undefined
  if (isRecord(structured)) {
    for (const field of RESULT_FACTS) {
      const value = structured[field]
      if (value === undefined || value === null || value === false || typeof value === 'object') continue
      facts ??= {}
      facts[field] = value
    }
    const path = textField(recordField(structured, 'file'), 'filePath')
    if (path !== '') facts = { ...facts, filePath: path }
  }
  const denial = textField(record, 'toolDenialKind')
  return denial === '' ? facts : { ...facts, toolDenialKind: denial }
}

/** Id of the subagent a call started; a subagent's own file tells it in the text alone. */
function startedAgent(name: string, structured: unknown, text: string): string {
  if (!SUBAGENT_TOOLS.has(name)) return ''
  const stated = isRecord(structured) ? textField(structured, 'agentId') : ''
  if (stated !== '') return stated
  const at = text.lastIndexOf('agentId: ')
  return at < 0 ? '' : (/^[\w-]+/.exec(text.slice(at + 'agentId: '.length, at + 100))?.[0] ?? '')
}
