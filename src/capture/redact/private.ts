/** Text its author marked as private: `<private>…</private>`. It is never stored, so that nothing can find or quote it. */

const TAG = /<(\/?)private>/g
export const PRIVATE_PLACEHOLDER = '[REDACTED:private]'

/**
 * The text with each marked stretch, nested ones included, replaced by a placeholder; a marker without its other half is
 * left as it is. Linear in the length. `onReplaced` is told of each stretch.
 */
export function withoutPrivate(text: string, onReplaced: () => void): string {
  if (!text.includes('<private>')) return text
  const opened: number[] = []
  const stretches: { start: number; end: number }[] = []
  for (const match of text.matchAll(TAG)) {
    if (match[1] === '') {
      opened.push(match.index)
      continue
    }
    const start = opened.pop()
    if (start === undefined) continue
    // What lies inside goes with the outer one.
    while ((stretches.at(-1)?.start ?? -1) > start) stretches.pop()
    stretches.push({ start, end: match.index + match[0].length })
  }
  let result = ''
  let at = 0
  for (const { start, end } of stretches) {
    result += text.slice(at, start) + PRIVATE_PLACEHOLDER
    at = end
    onReplaced()
  }
  return result + text.slice(at)
}
