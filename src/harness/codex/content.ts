/** The content of messages and outputs: text, and pictures by reference. */

import { fields, list, string } from './fields.ts'

/** Marks around a picture in the text, which the event of the same prompt does not have. */
const IMAGE_MARK = /^<\/?image\b[^>]*>$/

/** The text of a message's content: a string, one part, or a list of parts. Pictures have none. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return partText(content)
  let text: string | undefined
  for (const part of content) {
    const more = partText(part)
    if (more !== '' && !IMAGE_MARK.test(more)) text = text === undefined ? more : `${text}\n${more}`
  }
  return text ?? ''
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const { text, content } = fields(part)
  return string(text) ?? string(content) ?? ''
}

/** What a message shows besides text: by reference, never the picture itself. */
export function imagesIn(content: unknown): string[] {
  return list(content).flatMap((part) => {
    const image = imageReference(part)
    return image === undefined ? [] : [image]
  })
}

/** A picture as its address, or as a note of what stood there: pictures are not kept in the archive. */
export function imageReference(part: unknown): string | undefined {
  const { image_url, path, data, mimeType, type } = fields(part)
  const source = string(image_url) ?? string(path)
  if (source?.startsWith('data:')) return `${source.slice(0, source.indexOf(','))} (${source.length} characters)`
  if (source !== undefined) return source
  if (type !== 'image' && type !== 'audio') return undefined
  return `${string(mimeType) ?? type} (${string(data)?.length ?? 0} characters)`
}
