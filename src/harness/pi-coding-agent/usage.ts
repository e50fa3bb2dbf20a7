/** Tokens of one response. */

import type { Usage } from '../../core/event.ts'
import { count, fields, number, text } from '../fields.ts'
import type { Entry } from './entry.ts'

/**
 * Tokens by the id of the response and its time. Both survive a fork; the id alone would not do, since small servers give
 * every response the same one. Undefined when nothing was used.
 */
export function usageOf({ message, record, id }: Entry, value: unknown): Usage | undefined {
  const usage = fields(value)
  const read = {
    input: count(usage['input']),
    output: count(usage['output']),
    cacheRead: count(usage['cacheRead']),
    cacheWrite: count(usage['cacheWrite']),
    reasoning: count(usage['reasoning'] ?? usage['reasoningTokens']),
  }
  const total = read.input + read.output + read.cacheRead + read.cacheWrite
  if (total === 0) return undefined
  const time = number(message['timestamp']) ?? (text(message['timestamp']) || text(record['timestamp']))
  return { id: `${text(message['responseId']) || id || total}@${time}`, ...read }
}
