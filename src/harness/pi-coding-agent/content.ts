/** The content of messages: a text, or blocks. */

import { type Fields, fields, lines, list, text } from '../fields.ts'

/** A message's blocks, whichever way it is written. */
export function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return list(content).map(fields)
}

/** What a person would read of a message. */
export function textOf(content: unknown): string {
  return lines(...blocksOf(content).map(blockText))
}

/** `[image/png 12 kB]`: base64 never becomes text. Large images stand in files of their own, by reference. */
function blockText(block: Fields): string {
  if (block['type'] !== 'image') return text(block['text'])
  const type = text(block['mimeType']) || 'image'
  const data = text(block['data'])
  if (data === '' || data.startsWith('blob:')) return `[${type}]`
  return `[${type} ${Math.max(1, Math.round((data.length * 3) / 4 / 1000))} kB]`
}
