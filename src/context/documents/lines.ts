/** Lines of a text and where they are. Pure. */

export interface Line {
  /** Without its end. */
  text: string
  /** Offset of its first character, in UTF-16 units. */
  start: number
  /** Offset after its end of line. */
  end: number
  /** From 1. */
  number: number
}

/** All lines of a text, ended by `\n` or `\r\n`, numbered as editors do; none of an empty text. */
export function* linesOf(text: string): Generator<Line> {
  let start = 0
  for (let number = 1; start < text.length; number++) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed + 1
    const stop = feed < 0 ? end : text[feed - 1] === '\r' && feed > start ? feed - 1 : feed
    yield { text: text.slice(start, stop), start, end, number }
    start = end
  }
}

/** Follows fenced code in Markdown: give it each line in turn, and it says whether that line belongs to a fence. */
export function fenceReader(): (line: string) => boolean {
  let fence: { char: string; length: number } | undefined
  return (line) => {
    const mark = /^ {0,3}(?:[-*+>] {1,3})?(`{3,}|~{3,})(.*)$/.exec(line.length > 400 ? line.slice(0, 400) : line)
    const run = mark?.[1] ?? ''
    if (fence) {
      const closes = run.startsWith(fence.char) && run.length >= fence.length && (mark?.[2] ?? '').trim() === ''
      if (closes) fence = undefined
      return true
    }
    // A line such as ```` ```code``` ```` is no fence.
    if (!mark || (run.startsWith('`') && mark[2]?.includes('`'))) return false
    fence = { char: run.charAt(0), length: run.length }
    return true
  }
}
