/** How a task is read: about what is true now, about why things came to be, or both. A fixed rule, so that it never varies. */

import type { Intent } from '../evidence/types.ts'

/** What asks for the present, and how much each says: an order to do something says half, since any task is one. */
const CURRENT: readonly (readonly [RegExp, number])[] = [
  [/\b(?:now|current|currently|latest|today|status|still)\b/gu, 1],
  [/\bis\b[^.?!\n]{1,80}\bdone\b/gu, 1],
  [/\b(?:which version|what is|what's|where is|where's)\b/gu, 1],
  [/\b(?:check|run|install|fix|implement|add|release)\b/gu, 0.5],
]

/** What asks for the past. */
const ARCHIVE: readonly (readonly [RegExp, number])[] = [
  [/\b(?:why|reasons?|rationale|decided|rejected|considered|history|originally|tried|alternatives?|discussed)\b/gu, 1],
  [/\b(?:last time|what did (?:we|i))\b/gu, 1],
]

/** By how much one side must outweigh the other. */
const MARGIN = 2

/** Reads a task's intent. */
export function readIntent(task: string): Intent {
  const text = task.toLowerCase()
  const balance = weigh(text, CURRENT) - weigh(text, ARCHIVE)
  if (balance <= -MARGIN) return 'reasoning_archive'
  return balance >= MARGIN ? 'current_truth' : 'blended'
}

function weigh(text: string, signs: typeof CURRENT): number {
  return signs.reduce((sum, [sign, weight]) => sum + weight * [...text.matchAll(sign)].length, 0)
}
