/**
 * Stored texts that are read in pieces: a conversation of 100 MB is opened at its middle without reading the rest.
 *
 * Places and lengths are counted in characters, by which Unicode code points are meant: both databases count those, and so
 * does Python; JavaScript counts UTF-16 units, which are the same as long as no emoji comes before.
 */

export interface StoredText {
  /** Length in characters and in bytes of UTF-8. */
  characters: number
  bytes: number
  /** The characters from `from` to before `to`, as far as there are any. */
  read(from: number, to: number): Promise<string>
  /** Bytes before a character. */
  bytesBefore(place: number): Promise<number>
}

/** A text that is at hand. */
export function storedText(text: string): StoredText {
  const bytes = Buffer.byteLength(text)
  // Only when they are as many is a character a unit for sure.
  const characters = bytes === text.length ? text : [...text]
  const read = (from: number, to: number): string => {
    const part = characters.slice(from, to)
    return typeof part === 'string' ? part : part.join('')
  }
  return {
    characters: characters.length,
    bytes,
    read: async (from, to) => read(from, to),
    bytesBefore: async (place) => Buffer.byteLength(read(0, place)),
  }
}

/** Number of characters before a place given in UTF-16 units. */
export function charactersBefore(text: string, units: number): number {
  let count = 0
  for (let index = 0; index < units && index < text.length; count++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  }
  return count
}

/** Bytes kept of each end of a long text, and of a text that is not long at all. */
export const END_BYTES = 6_000
export const WHOLE_BYTES = 2 * END_BYTES

/** Bytes kept before a place that is looked for; what follows it tells more. */
const BEFORE_BYTES = 4_000

/** Bytes of a text that is given whole; a longer one would be more than any client takes. */
export const FULL_BYTES = 8_000_000

export interface Excerpt {
  text: string
  truncated: boolean
  /** Where in the stored text what follows the first elision begins; 0 when the excerpt starts at its start. */
  offset: number
}

/**
 * The start and end of a text, cut at line ends, with one line between that says how much is left out; around a place when
 * one is asked for. A text of at most 12,000 bytes is whole.
 */
export async function middleOf(text: StoredText, place?: number): Promise<Excerpt> {
  if (text.bytes <= WHOLE_BYTES) return { text: await text.read(0, text.characters), truncated: false, offset: 0 }
  return place === undefined ? endsOf(text, END_BYTES) : around(text, Math.min(Math.max(0, place), text.characters))
}

/** A text as a whole; one of more than 8 MB loses what is in between, and says so. */
export async function fullOf(text: StoredText): Promise<Excerpt> {
  if (text.bytes <= FULL_BYTES) return { text: await text.read(0, text.characters), truncated: false, offset: 0 }
  return endsOf(text, FULL_BYTES / 2)
}

async function endsOf(text: StoredText, limit: number): Promise<Excerpt> {
  // A character takes at least one byte, so that these are enough.
  const head = headOf(await text.read(0, limit), limit)
  const tail = tailOf(await text.read(text.characters - limit, text.characters), limit)
  const left = text.bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return { text: [head, elision(left), tail].join('\n'), truncated: true, offset: 0 }
}

async function around(text: StoredText, place: number): Promise<Excerpt> {
  const from = Math.max(0, place - BEFORE_BYTES)
  const read = await text.read(from, place)
  const before = from === 0 && Buffer.byteLength(read) <= BEFORE_BYTES ? read : tailOf(read, BEFORE_BYTES)
  const room = WHOLE_BYTES - Buffer.byteLength(before)
  const rest = await text.read(place, place + room)
  const isEnd = place + room >= text.characters && Buffer.byteLength(rest) <= room
  const after = isEnd ? rest : headOf(rest, room)
  const offset = place - [...before].length
  const skipped = offset === 0 ? 0 : await text.bytesBefore(offset)
  const left = text.bytes - skipped - Buffer.byteLength(before) - Buffer.byteLength(after)
  const parts = [...(skipped > 0 ? [elision(skipped)] : []), before + after, ...(left > 0 ? [elision(left)] : [])]
  return { text: parts.join('\n'), truncated: true, offset }
}

function elision(bytes: number): string {
  return `[… ${bytes} bytes left out …]`
}

/** At most `limit` bytes from the start of a text that goes on, to a line end if one is near, else to a blank. */
function headOf(text: string, limit: number): string {
  const kept = wholeCharacters(Buffer.from(text), 0, limit)
  const ends = ['\n', ' '].map((separator) => kept.lastIndexOf(separator))
  const end = ends.find((at) => at * 2 >= kept.length)
  return end === undefined ? kept : kept.slice(0, end)
}

/** At most `limit` bytes from the end of a text, from the start of a line if one is near, else from after a blank. */
function tailOf(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  const kept = wholeCharacters(bytes, Math.max(0, bytes.length - limit), bytes.length)
  const starts = ['\n', ' '].map((separator) => kept.indexOf(separator) + 1)
  const start = starts.find((at) => at > 0 && at * 2 <= kept.length)
  return start === undefined ? kept : kept.slice(start)
}

/** The characters that lie wholly between two places in bytes of UTF-8. */
function wholeCharacters(bytes: Buffer, from: number, to: number): string {
  const continues = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80
  let [start, end] = [from, Math.min(to, bytes.length)]
  while (start < bytes.length && continues(start)) start++
  while (end > start && end < bytes.length && continues(end)) end--
  return bytes.toString('utf8', start, end)
}
