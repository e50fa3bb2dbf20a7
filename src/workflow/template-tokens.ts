/** A template's text cut at its double braces, in one pass. */

export type Token =
  | { kind: 'text'; at: number; text: string }
  /** `{{` */
  | { kind: 'open'; at: number }
  /** `}}` */
  | { kind: 'close'; at: number }
  /** `\{{`: prints `{{`; of several backslashes one is dropped and the others print. */
  | { kind: 'escaped'; at: number; text: string }

/**
 * Cuts a text. Of three or more `{` in a row the last two open, of three or more `}` the first two close, so that
 * `{{{x}}}` is a tag in single braces.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let open = text.indexOf('{{')
  let close = text.indexOf('}}')
  const addText = (end: number) => {
    if (end > at) tokens.push({ kind: 'text', at, text: text.slice(at, end) })
  }
  while (open !== -1 || close !== -1) {
    if (close !== -1 && (open === -1 || close < open)) {
      addText(close)
      tokens.push({ kind: 'close', at: close })
      at = close + 2
    } else {
      let backslash = open
      while (backslash > at && text[backslash - 1] === '\\') backslash--
      if (backslash < open) {
        addText(backslash)
        tokens.push({ kind: 'escaped', at: backslash, text: text.slice(backslash + 1, open + 2) })
        at = open + 2
      } else {
        while (text[open + 2] === '{') open++
        addText(open)
        tokens.push({ kind: 'open', at: open })
        at = open + 2
      }
    }
    if (open !== -1 && open < at) open = text.indexOf('{{', at)
    if (close !== -1 && close < at) close = text.indexOf('}}', at)
  }
  addText(text.length)
  return tokens
}
