/** The items of a list that lies somewhere in a JSON text, one at a time, however large the text is. */

import { JSONParser } from '@streamparser/json'
import { ReadFailure } from './file-system.ts'

/** Most bytes of one item, or of what lies between two. */
const ITEM_BYTES = 512 * 1024 * 1024

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Items as they come. `list`: keys from the top of the text to the list; with none, a text that is an object and no list
 * is one item itself. `most`: bytes of one item. The text is read to its end.
 * @throws ReadFailure `not-json`, with the place, when it is no JSON to its end; `too-large` for an item beyond measure
 */
export async function* readJsonList(
  chunks: AsyncIterable<Uint8Array>,
  list: readonly string[],
  most = ITEM_BYTES,
): AsyncGenerator<unknown> {
  let reader: Reader | undefined
  let since = 0
  for await (const chunk of chunks) {
    const bytes = reader ? chunk : withoutMark(chunk)
    reader ??= openReader(list.length === 0 && startsObject(bytes) ? '$' : ['$', ...list, '*'].join('.'))
    write(reader, bytes)
    const items = reader.take()
    since = items.length > 0 ? 0 : since + chunk.length
    if (since > most) throw new ReadFailure('too-large', `more than ${most} bytes in one item`)
    yield* items
  }
  if (!reader) throw new ReadFailure('not-json', 'the text is empty')
  try {
    if (!reader.parser.isEnded) reader.parser.end()
  } catch (error) {
    throw new ReadFailure('not-json', error)
  }
}

interface Reader {
  parser: JSONParser
  isAtEnd(): boolean
  /** The items that came since the last time. */
  take(): unknown[]
}

function openReader(path: string): Reader {
  const parser = new JSONParser({ paths: [path], keepStack: false })
  let items: unknown[] = []
  parser.onValue = ({ value }) => {
    items.push(value)
  }
  // Without a listener the end of the text, and what follows it, would go unnoticed.
  let ended = false
  parser.onEnd = () => {
    ended = true
  }
  const take = (): unknown[] => {
    const taken = items
    items = []
    return taken
  }
  return { parser, isAtEnd: () => ended, take }
}

function write(reader: Reader, chunk: Uint8Array): void {
  try {
    if (!reader.isAtEnd()) reader.parser.write(chunk)
    else if (Buffer.from(chunk).toString('latin1').trim() !== '') throw new SyntaxError('text behind the JSON')
  } catch (error) {
    throw new ReadFailure('not-json', error)
  }
}

function startsObject(chunk: Uint8Array): boolean {
  return Buffer.from(chunk.subarray(0, 1024)).toString('latin1').trimStart().startsWith('{')
}

function withoutMark(chunk: Uint8Array): Uint8Array {
  return Buffer.from(chunk.subarray(0, 3)).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk
}
