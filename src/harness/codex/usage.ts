/** Tokens. OpenAI counts cached tokens as input too, and reasoning as output. */

import type { Draft, Usage } from '../../core/event.ts'
import { type Fields, fields, number, string } from './fields.ts'
import { addAside, type RecordReading, setModel } from './reading.ts'

/** Running totals of a thread, as `token_count` repeats them. */
export interface TokenTotals {
  input: number
  cached: number
  written: number
  output: number
  reasoning: number
  total: number
}

function totalsOf(usage: Fields): TokenTotals | undefined {
  const input = number(usage.input_tokens)
  const output = number(usage.output_tokens)
  if (input === undefined && output === undefined) return undefined
  const inputDetails = fields(usage.input_tokens_details)
  const outputDetails = fields(usage.output_tokens_details)
  return {
    input: input ?? 0,
    cached: number(usage.cached_input_tokens) ?? number(inputDetails.cached_tokens) ?? 0,
    written: number(usage.cache_write_input_tokens) ?? number(inputDetails.cache_creation_tokens) ?? 0,
    output: output ?? 0,
    reasoning: number(usage.reasoning_output_tokens) ?? number(outputDetails.reasoning_tokens) ?? 0,
    total: number(usage.total_tokens) ?? (input ?? 0) + (output ?? 0),
  }
}

function toUsage(id: string, tokens: TokenTotals): Usage | undefined {
  if (tokens.input === 0 && tokens.output === 0) return undefined
  return {
    id,
    input: Math.max(tokens.input - tokens.cached - tokens.written, 0),
    output: tokens.output,
    cacheRead: tokens.cached,
    cacheWrite: tokens.written,
    reasoning: tokens.reasoning,
  }
}

/** `token_usage_record`: one for each response of a model, with the response's id. */
export function readUsageRecord(reading: RecordReading): void {
  const { payload, state } = reading
  state.exactUsage = true
  const id = string(payload.response_id)
  const tokens = totalsOf(fields(payload.usage))
  const draft = addAside(reading, 'runtime', undefined, id && `usage:${id}`)
  draft.payload = { type: 'token_usage_record' }
  if (tokens) setUsage(reading, draft, toUsage(id ?? `${state.session}:${++state.counts}`, tokens))
}

/**
 * `token_count`: the thread's totals and the last response's share. A client repeats it at will and sometimes leaves a
 * response out, so that the growth of the totals is what counts; the share stands in where totals start or start over.
 */
export function readTokenCount(reading: RecordReading): void {
  const { payload, state } = reading
  const draft = addAside(reading, 'runtime', undefined)
  state.counts++
  const info = fields(payload.info)
  const totals = totalsOf(fields(info.total_token_usage))
  const last = totalsOf(fields(info.last_token_usage)) ?? (totals ? undefined : totalsOf(payload))
  const growth = totals && state.totals ? growthOf(totals, state.totals, last) : last
  if (totals) state.totals = totals
  if (state.exactUsage || !growth) return
  const id = totals ? [totals.input, totals.cached, totals.output, totals.reasoning].join('-') : state.counts
  setUsage(reading, draft, toUsage(`${state.session}:${id}`, growth))
}

function growthOf(now: TokenTotals, before: TokenTotals, last: TokenTotals | undefined): TokenTotals | undefined {
  if (now.input < before.input || now.output < before.output) return last
  return {
    input: now.input - before.input,
    cached: Math.max(now.cached - before.cached, 0),
    written: Math.max(now.written - before.written, 0),
    output: now.output - before.output,
    reasoning: Math.max(now.reasoning - before.reasoning, 0),
    total: now.total - before.total,
  }
}

function setUsage(reading: RecordReading, draft: Draft, usage: Usage | undefined): void {
  if (!usage) return
  draft.usage = usage
  setModel(reading, draft)
}
