/** Content in the shape of Google's API, which Gemini CLI and its descendants write down: texts, calls and responses. */

import { isRecord } from '../core/json.ts'
import { type Fields, fields, lines, list, text } from './fields.ts'

/** A message's parts, whichever way it is written: a text, one part, or a list of both. */
export function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  if (isRecord(content)) return [content]
  return list(content).map((part) => (typeof part === 'string' ? { text: part } : fields(part)))
}

/** What a person would read of parts that are no thoughts and no tool traffic; media leave by reference. */
export function textOfParts(parts: readonly Fields[]): string {
  return lines(...parts.filter((part) => part['thought'] !== true).map(partText))
}

function partText(part: Fields): string {
  if (typeof part['text'] === 'string') return part['text']
  const inline = fields(part['inlineData'])
  if (part['inlineData'] !== undefined) return mediaText(text(inline['mimeType']), text(inline['data']))
  const file = fields(part['fileData'])
  if (part['fileData'] !== undefined) return `[file ${text(file['fileUri']) || text(file['mimeType'])}]`
  return text(fields(part['executableCode'])['code']) || text(fields(part['codeExecutionResult'])['output'])
}

/** `[image/png 12 kB]`: base64 never becomes text. */
function mediaText(type: string, data: string): string {
  return `[${type || 'data'} ${Math.max(1, Math.round((data.length * 3) / 4 / 1000))} kB]`
}

/** What a tool answered. */
export interface ToolAnswer {
  text: string
  failed: boolean
}

/** The answer in a `functionResponse`: `output` or `error` as text, whatever else a tool returns as JSON. */
export function answerOf(functionResponse: Fields): ToolAnswer {
  const { output, error, ...rest } = fields(functionResponse['response'])
  const media = textOfParts(partsOf(functionResponse['parts']))
  if (error !== undefined && error !== null) return { text: lines(asText(error), media), failed: true }
  if (output !== undefined) return { text: lines(asText(output), media), failed: false }
  const content = lines(...list(rest['content']).map((item) => text(fields(item)['text'])))
  const json = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
  return { text: lines(content || json, media), failed: rest['isError'] === true }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Tells which process group a command ran in: the last line of what these clients say of a finished command. */
const FINISHED = 'Process Group PGID:'

const EXIT_CODE = '\nExit Code: '

/**
 * The exit code in the answer of a shell tool. Older clients always write the line; newer ones leave it out for 0.
 * Undefined for a command that went to the background, was ended by a signal, or did not start.
 */
export function exitCodeIn(answer: string): number | undefined {
  // The command's own output comes before the client's lines.
  const at = answer.lastIndexOf(EXIT_CODE)
  if (at >= 0) {
    const stated = /^-?\d+/.exec(answer.slice(at + EXIT_CODE.length, at + EXIT_CODE.length + 12))
    return stated ? Number(stated[0]) : undefined
  }
  if (!answer.includes(FINISHED) || /Exit Code:|\n(?:Error|Signal): (?!\(none\))/.test(answer)) return undefined
  return 0
}
