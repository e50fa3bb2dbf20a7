/** What responses cost: told call by call, or, by older clients, in sum at the end. */

import type { Usage } from '../../core/event.ts'
import { count, type Fields, fields, pick, text } from '../fields.ts'
import { add, type Entry } from './entry.ts'

export function readUsageRecord(entry: Entry): void {
  const { data, state, record, session } = entry
  const usage = fields(data['usage'])
  state.tellsUsage = true
  const draft = add(entry, 'runtime', '', { payload: { type: entry.type, ...pick(usage, FACTS) } })
  const model = text(usage['model'])
  if (model !== '') draft.model = model
  const tokens = tokensOf(usage)
  const id = text(usage['apiCallId']) || text(record['id'])
  if (tokens) draft.usage = { id: id || `${session} ${tokens.input} ${tokens.output}`, ...tokens }
}

const FACTS = ['model', 'apiCallId', 'initiator', 'interactionType', 'finishReason', 'duration']

/**
 * The sums of each model, which grow over resumes: counted where calls are not told one by one. Of several readings of
 * one sum the largest holds.
 */
export function addTotals(entry: Entry): void {
  const { data, state } = entry
  if (state.tellsUsage) return
  const totals = fields(data['modelMetrics'] ?? fields(data['accountingSnapshot'])['modelMetrics'])
  for (const [model, metrics] of Object.entries(totals)) {
    const tokens = tokensOf(fields(fields(metrics)['usage']))
    if (!tokens) continue
    const usage = { id: `${state.session} ${model}`, ...tokens }
    add(entry, 'runtime', '', { model, usage, payload: { type: entry.type, model } })
  }
}

/** The prompt holds what was cached. */
function tokensOf(usage: Fields): Omit<Usage, 'id'> | undefined {
  const cacheRead = count(usage['cacheReadTokens'])
  const cacheWrite = count(usage['cacheWriteTokens'])
  const input = Math.max(0, count(usage['inputTokens']) - cacheRead - cacheWrite)
  const output = count(usage['outputTokens'])
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  return { input, output, cacheRead, cacheWrite, reasoning: count(usage['reasoningTokens']) }
}
