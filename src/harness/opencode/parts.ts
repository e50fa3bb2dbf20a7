/** What a part of a message means, but for prompts. */

import type { Draft } from '../../core/event.ts'
import { type Fields, fields, foreign, lines, list, pick, text } from '../fields.ts'
import { fileText } from './file-text.ts'
import { add, type MessageReading, nameOf, timeOf } from './reading.ts'
import { readTool } from './tool-part.ts'

type PartReader = (reading: MessageReading, part: Fields) => Draft | undefined

/** Reads a part; the draft that tells of it, if any does. */
export function readPart(reading: MessageReading, part: Fields): Draft | undefined {
  const read = READERS.get(text(part['type']))
  return read ? read(reading, part) : add(reading, 'unknown', '', nameOf(reading, part), { payload: foreign(part) })
}

const READERS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ['text', readText],
  ['reasoning', readReasoning],
  ['tool', readTool],
  ['compaction', readCompaction],
  ['file', readFile],
  ['patch', readPatch],
  ['retry', readRetry],
  ['agent', (reading, part) => addAside(reading, part, 'system', `@${text(part['name'])}`)],
  ['subtask', (reading, part) => addAside(reading, part, 'system', subtaskText(part), ['agent', 'command'])],
  // What begins and ends a step is told by the message, and a snapshot is the name of a Git tree.
  ['step-start', () => undefined],
  ['step-finish', () => undefined],
  ['snapshot', () => undefined],
])

function readText(reading: MessageReading, part: Fields): Draft | undefined {
  const said = text(part['text'])
  if (said === '') return undefined
  const at = timeOf(reading, part)
  const name = nameOf(reading, part)
  if (part['synthetic'] === true || part['ignored'] === true || reading.message['role'] !== 'assistant') {
    return add(reading, 'system', said, name, { at, payload: pick(part, ['metadata', 'ignored']) })
  }
  if (reading.message['summary'] === true) return add(reading, 'compaction', said, name, { at })
  return add(reading, 'assistant_response', said, name, {
    at,
    ...(isCommentary(reading, part) && { commentary: true }),
  })
}

/** What is said before a call, in the same answer. */
function isCommentary({ message, parts }: MessageReading, part: Fields): boolean {
  if (message['finish'] === 'tool-calls') return true
  return parts.slice(parts.indexOf(part) + 1).some((later) => later['type'] === 'tool')
}

function readReasoning(reading: MessageReading, part: Fields): Draft | undefined {
  const said = text(part['text'])
  return said === '' ? undefined : add(reading, 'reasoning', said, nameOf(reading, part), { at: timeOf(reading, part) })
}

/** Marks where a summary was asked for; `auto` when the client asked by itself. */
function readCompaction(reading: MessageReading, part: Fields): Draft {
  return addAside(reading, part, 'compaction', '', ['auto', 'overflow'])
}

function readFile(reading: MessageReading, part: Fields): Draft {
  return addAside(reading, part, 'system', fileText(part), ['mime', 'filename'])
}

function readPatch(reading: MessageReading, part: Fields): Draft {
  const files = list(part['files']).filter((file) => typeof file === 'string')
  return addAside(reading, part, 'system', files.join('\n'), ['hash'])
}

/** A request that failed and is tried again. */
function readRetry(reading: MessageReading, part: Fields): Draft {
  const error = fields(part['error'])
  const data = fields(error['data'])
  const said = text(data['message']) || text(error['message'])
  const draft = addAside(reading, part, 'runtime', said, ['attempt'])
  draft.payload = { ...fields(draft.payload), error: { ...pick(error, ['name']), ...pick(data, ['statusCode']) } }
  return draft
}

function subtaskText(part: Fields): string {
  return lines(text(part['description']), text(part['prompt']))
}

/** What is neither said nor done: its type and the named fields are kept. */
function addAside(
  reading: MessageReading,
  part: Fields,
  type: Draft['type'],
  said: string,
  kept: readonly string[] = [],
): Draft {
  const payload = { type: part['type'], ...pick(part, kept) }
  return add(reading, type, said, nameOf(reading, part), { at: timeOf(reading, part), payload })
}
