/** Tokens of one step, in the spelling of either client: `input_other` or `inputOther`. */

import type { Usage } from '../../core/event.ts'
import { count, fields } from '../fields.ts'

export function usageOf(given: unknown, id: string): Usage | undefined {
  const tokens = fields(given)
  const usage: Usage = {
    id,
    input: count(tokens['inputOther'] ?? tokens['input_other']),
    output: count(tokens['output']),
    cacheRead: count(tokens['inputCacheRead'] ?? tokens['input_cache_read']),
    cacheWrite: count(tokens['inputCacheCreation'] ?? tokens['input_cache_creation']),
    reasoning: 0,
  }
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0 ? undefined : usage
}
