/** What a message means: a prompt and what comes with it, or one answer of the model. */

import type { Draft, Ending, Reading } from '../../core/event.ts'
import { hash128 } from '../../core/hash.ts'
import { type Fields, fields, foreign, number, pick, text } from '../fields.ts'
import { readPart } from './parts.ts'
import { add, type MessageReading, nameOf, openReading } from './reading.ts'
import type { State } from './state.ts'
import { usageOf } from './usage.ts'

export function readMessage(record: Fields, state: State): Reading {
  const reading = openReading(record, state)
  switch (reading.message['role']) {
    case 'user':
      readPrompt(reading)
      break
    case 'assistant':
      readAnswer(reading)
      break
    default:
      add(reading, 'unknown', '', { id: reading.id, index: 0 }, { payload: foreign(record['message']) })
      for (const part of reading.parts) readPart(reading, part)
  }
  // Nothing is said yet: the parts' own events come later, under their own ids.
  if (reading.drafts.length === 0) add(reading, 'runtime', '', { id: reading.id, index: 1 })
  const { drafts, sessions } = reading
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}

/**
 * A message of the user, or one the client wrote in their name. Only a text that is not marked as the client's own is a
 * prompt, or else a command handed to a subagent, or a file alone.
 */
function readPrompt(reading: MessageReading): void {
  const { state, parts } = reading
  const compaction = parts.find((part) => part['type'] === 'compaction')
  const prompt =
    parts.find((part) => part['type'] === 'text' && isOwnText(part)) ??
    parts.find((part) => part['type'] === 'subtask') ??
    (parts.some(isFromClient) ? undefined : parts.find((part) => part['type'] === 'file'))
  const said = prompt === undefined ? '' : promptText(prompt)
  const hash = hash128(said).toString('hex')
  if (prompt && state.expectsReplay && state.prompt === hash) reading.copied = true
  if (prompt) state.expectsReplay = false
  for (const part of parts) {
    if (part === prompt) readPromptPart(reading, part, said)
    else if (part['type'] === 'text' && isOwnText(part)) {
      add(reading, 'user_input', promptText(part), nameOf(reading, part), { at: reading.createdAt })
    } else readPart(reading, part)
  }
  if (prompt && !reading.copied) {
    state.prompt = hash
    state.isOpen = true
  }
  if (compaction?.['overflow'] === true) state.expectsReplay = true
}

function isFromClient(part: Fields): boolean {
  return part['type'] === 'text' && !isOwnText(part)
}

/** `synthetic`: written by the client for the model; `ignored`: shown to the user alone. */
function isOwnText(part: Fields): boolean {
  return part['synthetic'] !== true && part['ignored'] !== true
}

function readPromptPart(reading: MessageReading, part: Fields, said: string): void {
  const told = part['type'] === 'file' ? readPart(reading, part) : undefined
  const draft = told ?? add(reading, 'user_input', said, nameOf(reading, part), { at: reading.createdAt })
  draft.type = 'user_input'
  if (!reading.copied) draft.opensTurn = true
}

/** What was typed. The command line puts quotes around an argument that holds a blank. */
function promptText(part: Fields): string {
  const said = text(part['type'] === 'subtask' ? part['prompt'] : part['text'])
  const quoted = /^"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*)"$/.exec(said)?.[1]
  return quoted === undefined ? said : quoted.replaceAll('\\"', '"')
}

function readAnswer(reading: MessageReading): void {
  const { parts, state, message } = reading
  for (const part of parts) readPart(reading, part)
  if (reading.model !== '') for (const draft of reading.drafts) draft.model = reading.model
  const isSummary = message['summary'] === true
  const hasWorked = reading.drafts.some(({ type }) => type !== 'system' && type !== 'compaction')
  if (!isSummary && hasWorked) state.isOpen = true
  if (isOver(reading)) addEnd(reading, isSummary)
}

function isOver({ message, superseded }: MessageReading): boolean {
  return (
    superseded || finishOf(message) !== '' || isFailed(message) || fields(message['time'])['completed'] !== undefined
  )
}

function isFailed(message: Fields): boolean {
  return message['error'] !== undefined && message['error'] !== null
}

function finishOf(message: Fields): string {
  return text(message['finish'])
}

/** The end of one answer: what it cost, why the model stopped, and whether that is the end of the turn. */
function addEnd(reading: MessageReading, isSummary: boolean): void {
  const { message, state, drafts, id } = reading
  const error = fields(message['error'])
  const details = fields(error['data'])
  const completed = number(fields(message['time'])['completed'])
  const latest = drafts.reduce((last, { at = 0 }) => Math.max(last, at), reading.createdAt ?? 0)
  const draft = add(
    reading,
    'runtime',
    text(details['message']) || text(error['message']),
    { id, index: 0 },
    {
      at: completed ?? latest,
      payload: {
        ...pick(message, ['finish', 'agent', 'mode', 'providerID', 'variant', 'cost']),
        ...(isFailed(message) && {
          error: { ...pick(error, ['name']), ...pick(details, ['statusCode', 'isRetryable']) },
        }),
      },
    },
  )
  if (reading.model !== '') draft.model = reading.model
  const usage = usageOf(reading)
  if (usage) draft.usage = usage
  const ending = endingOf(reading)
  // The end of a summary is none of the turn's, unless the summary failed in the midst of one.
  if (!ending || (isSummary && (ending === 'answered' || !state.isOpen))) return
  draft.ends = ending
  state.isOpen = false
}

const FAILURES: ReadonlySet<string> = new Set(['length', 'content-filter', 'error'])

/** Reasons after which the client asks the model again. */
const GOING_ON: ReadonlySet<string> = new Set(['tool-calls', 'unknown'])

function endingOf(reading: MessageReading): Ending | undefined {
  const { message, superseded } = reading
  if (isFailed(message)) return fields(message['error'])['name'] === 'MessageAbortedError' ? 'interrupted' : 'failed'
  if (isRejected(reading)) return 'interrupted'
  const finish = finishOf(message) || lastReason(reading)
  if (finish !== '') return FAILURES.has(finish) ? 'failed' : GOING_ON.has(finish) ? undefined : 'answered'
  if (fields(message['time'])['completed'] === undefined) return superseded ? 'interrupted' : undefined
  // Clients of 2025 give no reason: an answer whose last word is no call is the last one.
  return lastWork(reading)?.type === 'assistant_response' ? 'answered' : undefined
}

/** The client stops when its user refuses a call without a word or leaves a question open, unless it is set to go on. */
function isRejected({ parts }: MessageReading): boolean {
  return parts.some((part) => {
    const error = text(fields(part['state'])['error'])
    return part['type'] === 'tool' && REJECTIONS.some((rejection) => error.startsWith(rejection))
  })
}

const REJECTIONS = ['The user rejected permission to use this specific tool call.', 'The user dismissed this question']

function lastReason({ parts }: MessageReading): string {
  return text(parts.findLast((part) => part['type'] === 'step-finish')?.['reason'])
}

function lastWork({ drafts }: MessageReading): Draft | undefined {
  return drafts.findLast(
    ({ type }) => type === 'assistant_response' || type === 'tool_call' || type === 'tool_response',
  )
}
