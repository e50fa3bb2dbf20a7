/** One item of the Gemini app's activity: mostly a prompt and its answer. */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, lines, list, text } from '../fields.ts'
import { add, type ExportState, fileNames, type Message, openConversation, readingOf } from '../web-conversation.ts'
import { textOfHtml } from './html.ts'

export function isActivity(value: unknown): value is Fields {
  if (!isRecord(value) || typeof value['title'] !== 'string') return false
  const { header, products } = value
  return [header, ...list(products)].some((name) => /\b(gemini|bard)\b/i.test(text(name)))
}

/** The word before the prompt, in English; in other languages it stays in front of it. */
const PROMPTED = /^(?:Prompted|Asked|Said)\s+/

/** `https://gemini.google.com/app/<conversation>`. */
const LINK = /gemini\.google\.com\/(?:u\/\d+\/)?app\/([0-9a-f]{8,})/i

export function readActivity(item: Fields, state: ExportState): Reading {
  const title = text(item['title'])
  const time = text(item['time'])
  const linked = LINK.exec(text(item['titleUrl']))?.[1]
  const conversation = openConversation(state, linked ?? '', 'activity', time, title)
  const message: Message = { id: `activity ${time}`, at: parseTime(time), model: '', branch: 'main' }
  const answer = lines(...list(item['safeHtmlItem']).map((part) => textOfHtml(text(fields(part)['html']))))
  const prompt = title.replace(PROMPTED, '')
  if (answer === '' && prompt === title) {
    add(conversation, message, 'system', title)
    return readingOf(conversation, '')
  }
  const files = [item['imageFile'], ...list(item['attachedFiles']), ...list(item['audioFiles'])].map(text)
  add(conversation, message, 'user_input', lines(prompt, ...fileNames(files)), { opensTurn: true })
  if (answer !== '') add(conversation, message, 'assistant_response', answer, { ends: 'answered' })
  return readingOf(conversation, '')
}
