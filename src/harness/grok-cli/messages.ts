/** What was asked, thought and said. */

import { type Fields, fields, foreign, number, text } from '../fields.ts'
import { add, type Entry, noteWork } from './entry.ts'

/**
 * A prompt as it was typed. A picture beside it comes in an update of its own, with the prompt's number; reminders of the
 * client's are marked as hidden; commands the client carries out itself (`/compact`) are marked as its own.
 */
export function readUserMessage(entry: Entry): void {
  const { update, state } = entry
  const meta = fields(update['_meta'])
  const said = contentText(update['content'])
  const model = text(meta['modelId'])
  if (model !== '') state.model = model
  if (meta['hideFromScrollback'] === true || /^\s*<system-reminder>/.test(said)) {
    add(entry, 'system', said)
    return
  }
  if (meta['hostTurn'] === true) {
    add(entry, 'runtime', said)
    return
  }
  const prompt = number(meta['promptIndex']) ?? -1
  const draft = add(entry, 'user_input', said)
  if (prompt < 0 || prompt !== state.prompt) draft.opensTurn = true
  state.prompt = prompt
  state.turnIsOpen = true
}

export function readAgentMessage(entry: Entry): void {
  noteWork(entry)
  withModel(entry, add(entry, 'assistant_response', contentText(entry.update['content'])))
}

export function readThought(entry: Entry): void {
  noteWork(entry)
  withModel(entry, add(entry, 'reasoning', contentText(entry.update['content'])))
}

function withModel({ state }: Entry, draft: { model?: string }): void {
  if (state.model !== '') draft.model = state.model
}

/** A content block as text; media leave by reference. */
export function contentText(content: unknown): string {
  const block = fields(content)
  switch (text(block['type'])) {
    case 'image':
    case 'audio':
      return mediaText(block)
    case 'resource_link':
      return `[${text(block['name']) || text(block['uri'])}]`
    case 'resource':
      return resourceText(fields(block['resource']))
    default:
      return text(block['text'])
  }
}

function mediaText(block: Fields): string {
  const size = Math.max(1, Math.round((text(block['data']).length * 3) / 4 / 1000))
  return `[${text(block['mimeType']) || text(block['type'])} ${size} kB]`
}

function resourceText(resource: Fields): string {
  return text(resource['text']) || `[${text(resource['uri']) || text(resource['mimeType'])}]`
}

/** What no rule covers is kept as it is. */
export function readUnknown(entry: Entry): void {
  add(entry, 'unknown', '', { payload: foreign(entry.record) })
}
