/** Taking secrets out of a document without moving its lines, since places in it are told by line. Pure. */

const PLACEHOLDER = /\[REDACTED:[a-z0-9-]{1,64}\]/g

/**
 * `scrub(text)`, with the line ends that a secret of several lines took with it put back after its placeholder. Where what
 * stands between two placeholders cannot be found again, the text is left as `scrub` made it.
 */
export function keepingLines(text: string, scrub: (text: string) => string): string {
  const scrubbed = scrub(text)
  if (linesOf(scrubbed) === linesOf(text)) return scrubbed
  const [first = '', ...kept] = scrubbed.split(PLACEHOLDER)
  const placeholders = scrubbed.match(PLACEHOLDER) ?? []
  if (!text.startsWith(first)) return scrubbed
  let result = first
  let place = first.length
  for (const [index, next] of kept.entries()) {
    const isLast = index === kept.length - 1
    const found = isLast ? text.length - next.length : text.indexOf(next, place)
    if (found < place || !text.startsWith(next, found)) return scrubbed
    result += placeholders[index] + '\n'.repeat(linesOf(text.slice(place, found))) + next
    place = found + next.length
  }
  return result
}

function linesOf(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
