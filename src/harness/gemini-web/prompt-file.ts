/** A prompt of AI Studio: one conversation, in chunks. */

import type { Ending, Reading, Usage } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { count, type Fields, fields, lines, list, text } from '../fields.ts'
import { partsOf, textOfParts } from '../google-parts.ts'
import type { SourceFile } from '../harness.ts'
import {
  add,
  addHead,
  type Conversation,
  type ExportState,
  fileNames,
  type Message,
  openConversation,
  readingOf,
} from '../web-conversation.ts'

export function isPromptFile(value: unknown): value is Fields {
  return isRecord(value) && isRecord(value['chunkedPrompt'])
}

interface Entry {
  readonly conversation: Conversation
  /** Calls of the code tool without a result so far. */
  readonly calls: string[]
  /** The chunk before was the user's, too: what is attached stands in chunks of its own. */
  isPrompted: boolean
}

export function readPromptFile(file: Fields, state: ExportState, { relative }: SourceFile): Reading {
  const chunks = list(fields(file['chunkedPrompt'])['chunks']).map(fields)
  const begun = parseTime(file['createTime']) ?? parseTime(chunks[0]?.['createTime'])
  const model = text(fields(file['runSettings'])['model']).replace(/^models\//, '')
  const first = chunks.find((chunk) => chunk['role'] === 'user') ?? {}
  const conversation = openConversation(state, text(file['id']), 'prompt', String(begun ?? ''), chunkText(first))
  addHead(conversation, begun)
  const instruction = instructionOf(file['systemInstruction'])
  const setUp: Message = { id: 'instruction', at: begun, model: '', branch: 'main' }
  if (instruction !== '') add(conversation, setUp, 'system', instruction)
  const entry: Entry = { conversation, calls: [], isPrompted: false }
  for (const [place, chunk] of chunks.entries()) {
    const at = parseTime(chunk['createTime'])
    readChunk(entry, { id: text(chunk['id']) || `#${place}`, at, model, branch: 'main' }, chunk)
  }
  // A file has no title inside: its name is one.
  const name = /\.zip$/i.test(relative) ? '' : (relative.split('/').at(-1) ?? '').replace(/\.json$/i, '')
  return readingOf(conversation, text(file['displayName']) || text(file['title']) || name)
}

function instructionOf(instruction: unknown): string {
  if (!isRecord(instruction)) return text(instruction)
  return text(instruction['text']) || textOfParts(partsOf(instruction['parts']))
}

function readChunk(entry: Entry, message: Message, chunk: Fields): void {
  const { conversation } = entry
  switch (chunk['role']) {
    case 'user':
      add(conversation, message, 'user_input', chunkText(chunk), entry.isPrompted ? {} : { opensTurn: true })
      entry.isPrompted = true
      return
    case 'model':
      entry.isPrompted = false
      readAnswer(entry, message, chunk)
      return
    default:
      add(conversation, message, 'unknown', '', { payload: chunk })
  }
}

/** The text, then the names of what came with it. */
function chunkText(chunk: Fields): string {
  const inline = ['inlineFile', 'inlineImage', 'inlineData', 'inlineAudio', 'inlineVideo'].flatMap((key) =>
    isRecord(chunk[key]) ? [text(chunk[key]['name']) || text(chunk[key]['mimeType'])] : [],
  )
  const drive = ['driveDocument', 'driveImage', 'driveAudio', 'driveVideo', 'youtubeVideo'].flatMap((key) =>
    isRecord(chunk[key]) ? [text(chunk[key]['name']) || `${key} ${text(chunk[key]['id'])}`] : [],
  )
  return lines(saidIn(chunk), ...fileNames([...inline, ...drive]))
}

/** A chunk's parts repeat its text where it has both. */
function saidIn(chunk: Fields): string {
  return text(chunk['text']) || textOfParts(partsOf(chunk['parts']))
}

function readAnswer(entry: Entry, message: Message, chunk: Fields): void {
  const { conversation } = entry
  const before = conversation.drafts.length
  const said = chunkText(chunk)
  const isThought = chunk['isThought'] === true
  const code = fields(chunk['executableCode'])
  const result = fields(chunk['codeExecutionResult'])
  const ending = endingOf(chunk)
  if (isThought) add(conversation, message, 'reasoning', said)
  else if (said !== '') {
    const goesOn = chunk['executableCode'] !== undefined || chunk['codeExecutionResult'] !== undefined
    add(conversation, message, 'assistant_response', said, goesOn ? { commentary: true } : {})
  }
  if (chunk['executableCode'] !== undefined) {
    entry.calls.push(message.id)
    const tool = { name: 'code_execution', callId: message.id, phase: 'call' as const, input: code }
    add(conversation, message, 'tool_call', text(code['code']), { tool })
  }
  if (chunk['codeExecutionResult'] !== undefined) {
    const callId = entry.calls.shift() ?? message.id
    const failed = text(result['outcome']) !== 'OUTCOME_OK'
    const tool = { name: 'code_execution', callId, phase: 'response' as const, ...(failed ? { error: true } : {}) }
    add(conversation, message, 'tool_response', text(result['output']), { tool })
  }
  const error = text(chunk['errorMessage'])
  if (error !== '' || conversation.drafts.length === before) add(conversation, message, 'runtime', error)
  const usage = usageOf(chunk, `${conversation.session} ${message.id}`, isThought)
  const [own] = conversation.drafts.slice(before)
  if (own && usage) own.usage = usage
  const last = conversation.drafts.at(-1)
  if (last && ending && (ending !== 'answered' || last.type === 'assistant_response')) last.ends = ending
}

function endingOf(chunk: Fields): Ending | undefined {
  if (text(chunk['errorMessage']) !== '') return 'failed'
  switch (text(chunk['finishReason'])) {
    case '':
    case 'FINISH_REASON_UNSPECIFIED':
      return undefined
    case 'STOP':
      return chunk['isThought'] === true ? undefined : 'answered'
    default:
      return 'failed'
  }
}

function usageOf(chunk: Fields, id: string, isThought: boolean): Usage | undefined {
  const output = count(chunk['tokenCount'])
  if (output === 0) return undefined
  return { id, input: 0, output, cacheRead: 0, cacheWrite: 0, reasoning: isThought ? output : 0 }
}
