/** Finds long runs of base64 in text: pictures, ciphertext, signatures. They mean nothing to a reader or an index. */

/** Characters from which on a run is taken for data. Words, hashes, tokens and paths stay below. */
const RUN = 512

/** Shortest line of base64 that was wrapped: MIME wraps at 76, PEM at 64. */
const WRAPPED_LINE = 60

/** Characters looked at to tell base64 from a long word or number. */
const SAMPLE = 256

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'
const IS_BASE64 = new Uint8Array(128)
for (const letter of LETTERS) IS_BASE64[letter.charCodeAt(0)] = 1

const LINE_FEED = 10
const RETURN = 13
const BACKSLASH = 92
const EQUALS = 61

/**
 * The text with each run replaced by `[base64, N characters]`. Works on plain text and on JSON text, where line breaks
 * are written `\n`; an escape is never cut.
 */
export function withoutBase64(text: string): string {
  if (text.length < RUN) return text
  let kept = ''
  let from = 0
  let seen = 0
  // Every run covers two probes at least, so that most of the text is never looked at.
  for (let probe = RUN / 2 - 1; probe < text.length; probe += RUN / 2) {
    if (probe < seen || !isBase64(text, probe)) continue
    const start = Math.max(runStart(text, probe), from)
    const end = runEnd(text, probe)
    seen = end
    if (end - start < RUN || !looksEncoded(text, start)) continue
    kept += `${text.slice(from, start)}[base64, ${end - start} characters]`
    from = end
  }
  return from === 0 ? text : kept + text.slice(from)
}

function isBase64(text: string, at: number): boolean {
  return IS_BASE64[text.charCodeAt(at)] === 1
}

function runEnd(text: string, at: number): number {
  let end = at
  for (;;) {
    while (isBase64(text, end)) end++
    const next = end + breakLength(text, end)
    if (next === end || !isWholeLine(text, next)) break
    end = next
  }
  while (text.charCodeAt(end) === EQUALS) end++
  return end
}

function runStart(text: string, at: number): number {
  let start = at
  for (;;) {
    while (isBase64(text, start - 1)) start--
    const before = beforeBreak(text, start)
    if (before < WRAPPED_LINE || !isWholeLine(text, before - WRAPPED_LINE)) break
    start = before
  }
  // Behind a backslash the first letter belongs to an escape.
  if (text.charCodeAt(start - 1) === BACKSLASH) start += text[start] === 'u' ? 5 : 1
  return start
}

/** Length of the line break at a place, as it is or as JSON writes it; 0 when there is none. */
function breakLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === LINE_FEED) return 1
  if (code === RETURN) return text.charCodeAt(at + 1) === LINE_FEED ? 2 : 0
  if (code !== BACKSLASH) return 0
  if (text.startsWith('\\n', at)) return 2
  return text.startsWith('\\r\\n', at) ? 4 : 0
}

/** Where the line before a run ends, when a line break stands before it; -1 otherwise. */
function beforeBreak(text: string, start: number): number {
  if (text.charCodeAt(start - 1) === LINE_FEED) return text.charCodeAt(start - 2) === RETURN ? start - 2 : start - 1
  // The n of a written line break is a letter of base64 too, so that the run seems to begin with it.
  if (text.charCodeAt(start - 1) !== BACKSLASH || text[start] !== 'n') return -1
  return text.startsWith('\\r', start - 3) ? start - 3 : start - 1
}

function isWholeLine(text: string, from: number): boolean {
  for (let at = from; at < from + WRAPPED_LINE; at++) {
    if (!isBase64(text, at)) return false
  }
  return true
}

/** Encoded bytes soon show capitals, small letters and digits; long words, hexadecimal numbers and rulers do not. */
function looksEncoded(text: string, start: number): boolean {
  const sample = text.slice(start, start + SAMPLE)
  return /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /[0-9]/.test(sample)
}
