/** Tool outputs: their text, exit code, and whether they failed. */

import { imageReference, messageText } from './content.ts'
import { fields, list, number, parsed, string } from './fields.ts'

export interface ToolOutput {
  text: string
  exitCode?: number
  failed?: true
  /** The process goes on in the background. */
  running?: true
  images?: string[]
}

/** Lines that stand before the output proper; beyond these many characters no exit code is looked for. */
const HEAD = 400

const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d+)$/m
const RUNNING = /^Process running with session ID /m

/** Output of the classic shell tool: JSON text of the output and what is known about it. */
const WRAPPED = /^\s*\{\s*"(?:output|metadata)"/

/** A script of the code mode that broke: its own failure, not that of a command it ran. */
const SCRIPT_FAILED = /^Script (?:failed|errored|error)\b/

/**
 * Reads an output in any of its shapes: text that may begin with lines about the process, JSON text with the output
 * and `metadata.exit_code`, a list of parts, or an object with `content` and `success`.
 */
export function readOutput(output: unknown): ToolOutput {
  if (typeof output === 'string') return WRAPPED.test(output) ? fromJsonText(output) : fromText(output)
  if (Array.isArray(output)) {
    const images = output.flatMap((part) => imageReference(part) ?? [])
    return { ...fromText(messageText(output)), ...(images.length > 0 && { images }) }
  }
  const record = fields(output)
  const text = string(record.output) ?? string(record.stdout) ?? messageText(record.content ?? record.body ?? record)
  const result: ToolOutput = fromText(text)
  const exitCode = number(record.exit_code) ?? number(record.exitCode) ?? number(fields(record.metadata).exit_code)
  if (exitCode !== undefined) result.exitCode = exitCode
  if (record.success === false) result.failed = true
  return result
}

function fromText(text: string): ToolOutput {
  const head = text.length > HEAD ? text.slice(0, HEAD) : text
  const end = head.indexOf('\nOutput:')
  const about = end < 0 ? firstLines(head) : head.slice(0, end)
  const result: ToolOutput = { text }
  const code = EXIT_CODE.exec(about)?.[1]
  if (code !== undefined) result.exitCode = Number(code)
  else if (RUNNING.test(about)) result.running = true
  if (SCRIPT_FAILED.test(about)) result.failed = true
  return result
}

/** Without the line `Output:` the text is not known to begin with anything: only its first line is trusted. */
function firstLines(head: string): string {
  const end = head.indexOf('\n')
  return end < 0 ? head : head.slice(0, end)
}

function fromJsonText(text: string): ToolOutput {
  const record = fields(parsed(text))
  const output = string(record.output) ?? (record.output === '' ? '' : undefined)
  const exitCode = number(fields(record.metadata).exit_code)
  if (output === undefined) return exitCode === undefined ? { text } : { text, exitCode }
  return exitCode === undefined ? { text: output } : { text: output, exitCode }
}

/** The text of an MCP result: its content, or its structured content where that is all there is. */
export function mcpResultText(result: unknown): string {
  if (typeof result === 'string') return result
  const { content, structuredContent, message } = fields(result)
  const text = list(content).length > 0 ? messageText(content) : (string(message) ?? '')
  return text !== '' || structuredContent === undefined ? text : JSON.stringify(structuredContent)
}
