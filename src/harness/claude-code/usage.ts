/** Token counts of a model response. */

import type { Usage } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { recordField, textField } from './content.ts'
import type { Entry } from './entry.ts'

/**
 * Usage as Anthropic counts it: `input_tokens` without the caches, `output_tokens` with the reasoning. A response is
 * written as several records with the same counts, so its id is that of the response: message and request; where one
 * is missing the other, and without both the record's own.
 */
export function usageOf(entry: Entry, message: Record<string, unknown>): Usage | undefined {
  const { usage } = message
  if (!isRecord(usage)) return undefined
  const details = recordField(usage, 'output_tokens_details')
  const counts = {
    input: count(usage['input_tokens']),
    output: count(usage['output_tokens']),
    cacheRead: count(usage['cache_read_input_tokens']),
    cacheWrite: count(usage['cache_creation_input_tokens']),
    reasoning: count(details['thinking_tokens'] ?? details['reasoning_tokens']),
  }
  if (counts.input + counts.output + counts.cacheRead + counts.cacheWrite === 0) return undefined
  return { id: responseId(entry, message), ...counts }
}

function responseId(entry: Entry, message: Record<string, unknown>): string {
  const parts = [textField(message, 'id'), textField(entry.record, 'requestId')].filter((part) => part !== '')
  return parts.join(' ') || entry.uuid || `${entry.session} ${entry.index}`
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
