/** Shortens a statement without a change of wording. Pure. */

/** Characters of a statement (proposal of statement 14). */
export const MAX_STATEMENT = 280

/** Cut earlier than here, a text says too little. */
const MIN_CUT = 120

/** The text itself, or its beginning up to the last end of a clause, or else of a word, that fits. */
export function clauseOf(text: string): string {
  if (text.length <= MAX_STATEMENT) return text
  const head = text.slice(0, MAX_STATEMENT + 1)
  const clause = lastMatch(head.slice(MIN_CUT), /[.;:!?](?=\s)|,(?=\s)|\s(?=[—–(-]\s?)/g)
  const word = clause ?? lastMatch(head.slice(MIN_CUT), /\s+/g)
  const end = word === undefined ? MAX_STATEMENT : MIN_CUT + word
  return head
    .slice(0, end)
    .trimEnd()
    .replace(/[\ud800-\udbff]$/, '')
}

/** Where the last match begins, its own character kept when it ends a sentence. */
function lastMatch(text: string, pattern: RegExp): number | undefined {
  let found: number | undefined
  for (const match of text.matchAll(pattern)) {
    const at = match.index + (/[.;:!?]/.test(match[0]) ? 1 : 0)
    if (MIN_CUT + at <= MAX_STATEMENT) found = at
  }
  return found
}
