/** Bytes of a JSONL file to lines. Records are separated by LF and nothing else; what a line means is not known here. */

/** Longest line that is read; a longer one is passed over without being held. */
const LINE_LIMIT = 32 * 1024 * 1024

/** Bytes read at a time. */
export const CHUNK = 1024 * 1024

const LINE_FEED = 10
const BYTE_ORDER_MARK = 0xfeff

/** A place between two lines. */
export interface Position {
  /** Bytes before it. */
  offset: number
  /** Lines before it, blank ones included. */
  line: number
}

export interface Line {
  /** 0-based. */
  index: number
  /** Byte at which it begins. */
  start: number
  /** Byte behind its line feed, or behind its last byte when it has none. */
  end: number
  /** Undefined for a line over the limit. Without its line break; bytes that are no UTF-8 became U+FFFD. */
  text: string | undefined
}

export interface LineCutter {
  /** The lines that end in these bytes. The bytes may be overwritten afterwards. */
  push(bytes: Uint8Array): Line[]
  /** The bytes behind the last line feed as a line; undefined when there are none. */
  rest(): Line | undefined
}

/** Cuts bytes that begin at `from` into lines, however they are split into chunks. Holds one unfinished line at most. */
export function createLineCutter(from: Position, limit = LINE_LIMIT): LineCutter {
  let { offset: start, line: index } = from
  let held = Buffer.alloc(0)
  let length = 0
  let tooLong = false

  const hold = (bytes: Buffer): void => {
    if (tooLong || length + bytes.length > limit) {
      tooLong = true
      held = Buffer.alloc(0)
    } else {
      if (length + bytes.length > held.length) {
        const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(2 * held.length, length + bytes.length)))
        held.copy(larger, 0, 0, length)
        held = larger
      }
      bytes.copy(held, length)
    }
    length += bytes.length
  }

  const line = (bytes: Buffer, terminated: boolean): Line => {
    if (length > 0 || tooLong) hold(bytes)
    const size = length === 0 ? bytes.length : length
    const end = start + size + (terminated ? 1 : 0)
    const text = tooLong || size > limit ? undefined : decode(length === 0 ? bytes : held.subarray(0, length))
    const found = { index, start, end, text }
    if (terminated) {
      start = end
      index++
      length = 0
      tooLong = false
      if (held.length > CHUNK) held = Buffer.alloc(0)
    }
    return found
  }

  return {
    push(bytes) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const lines: Line[] = []
      let from = 0
      for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
        lines.push(line(chunk.subarray(from, feed), true))
        from = feed + 1
      }
      if (from < chunk.length) hold(chunk.subarray(from))
      return lines
    },
    rest: () => (length === 0 ? undefined : line(Buffer.alloc(0), false)),
  }
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  // Windows programs write a mark at the start, and files get concatenated; it is never part of a record.
  const from = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  const to = text.endsWith('\r') ? text.length - 1 : text.length
  return from === 0 && to === text.length ? text : text.slice(from, to)
}
