import { type Fields, text } from '../fields.ts'

/** `[file notes.txt text/plain 12 kB]`: a file's content never becomes text. */
export function fileText(part: Fields): string {
  const url = text(part['url'])
  const isInline = url.startsWith('data:')
  const size = isInline ? `${Math.max(1, Math.round((url.length * 3) / 4 / 1000))} kB` : ''
  const place = text(part['filename']) || (isInline ? '' : url)
  return `[${['file', place, text(part['mime']), size].filter((word) => word !== '').join(' ')}]`
}
