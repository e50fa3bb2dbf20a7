/** What a person would read of message content, and how much of a record is too bulky to keep. */

import { isRecord } from '../../core/json.ts'

/** Content as text: a string as it is, blocks joined by newlines; pictures and documents leave by reference. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts: string[] = []
  for (const block of content) {
    const text = blockText(block)
    if (text !== '') parts.push(text)
  }
  return parts.join('\n')
}

/** The text of one block that is no tool traffic. */
export function blockText(block: unknown): string {
  if (typeof block === 'string') return block
  if (!isRecord(block)) return ''
  switch (block['type']) {
    case 'image':
    case 'document':
    case 'container_upload':
      return mediaText(block)
    case 'tool_reference':
      return textField(block, 'tool_name')
    default:
      return textField(block, 'text')
  }
}

/** `[image image/png 12 kB]`: base64 never becomes text. */
function mediaText(block: Record<string, unknown>): string {
  const kind = textField(block, 'type')
  const source = block['source']
  if (!isRecord(source)) return `[${kind}]`
  if (source['type'] === 'text') return textField(source, 'data')
  if (source['type'] === 'content') return textOf(source['content'])
  const media = textField(source, 'media_type')
  const data = textField(source, 'data')
  const size = data === '' ? textField(source, 'url') : `${Math.max(1, Math.round((data.length * 3) / 4 / 1000))} kB`
  return `[${[kind, media, size].filter((part) => part !== '').join(' ')}]`
}

/** A field that should hold text, else the empty string. */
export function textField(record: Record<string, unknown>, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

/** A field that should hold a record, else an empty one. */
export function recordField(record: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = record[name]
  return isRecord(value) ? value : NOTHING
}

const NOTHING: Record<string, unknown> = Object.freeze({})

/** Characters a value takes, roughly: its texts, its keys and a little for each number. No text is made to find out. */
export function weight(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 4
  let sum = 2
  if (Array.isArray(value)) {
    for (const item of value) sum += weight(item) + 1
  } else {
    const record = value as Record<string, unknown>
    for (const key in record) sum += key.length + 2 + weight(record[key])
  }
  return sum
}

/** A nested value or text above this weight is left out of what is kept of a record. */
const KEPT_WEIGHT = 500

/**
 * The small fields of a record but for those to `skip`. Bulky ones, and those named so, are left out and told with
 * their size in characters, so that whoever opens the event knows what the file held.
 */
export function smallFields(
  record: Record<string, unknown>,
  skip?: ReadonlySet<string>,
  bulky?: ReadonlySet<string>,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  let leftOut: Record<string, number> | undefined
  for (const key in record) {
    if (skip?.has(key)) continue
    const value = record[key]
    if (value === null || value === undefined) continue
    const size = weight(value)
    if (size <= KEPT_WEIGHT && !bulky?.has(key)) kept[key] = value
    else {
      leftOut ??= {}
      leftOut[key] = size
    }
  }
  if (leftOut) kept['leftOut'] = leftOut
  return kept
}

/** Weight of a foreign value that is kept whole. */
const FOREIGN_WEIGHT = 20_000

/** A value we do not understand, kept whole unless it is huge. */
export function foreignPayload(value: unknown): unknown {
  if (weight(value) <= FOREIGN_WEIGHT) return value
  if (isRecord(value)) return smallFields(value)
  return { leftOut: { value: weight(value) } }
}
