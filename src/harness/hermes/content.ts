/** The content of messages. */

import { fields, lines, list, text } from '../fields.ts'

/** 40: what the database puts before content that is a list of parts; older clients begin with NUL. */
const PARTS = new RegExp(`^[${String.fromCharCode(0)}${String.fromCharCode(1)}]json:`)

/** What a person would read: a text, or parts of which images leave by reference. */
export function contentOf(content: unknown): string {
  if (typeof content !== 'string') return lines(...list(content).map(partText))
  if (!PARTS.test(content)) return content
  try {
    return contentOf(JSON.parse(content.replace(PARTS, '')))
  } catch {
    return ''
  }
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const { type, ...rest } = fields(part)
  if (typeof rest['text'] === 'string') return rest['text']
  const url = text(fields(rest['image_url'])['url']) || text(rest['image_url'])
  if (url === '' || url.startsWith('data:')) return `[${text(type) || 'part'}]`
  return `[${text(type)} ${url.slice(0, 500)}]`
}
