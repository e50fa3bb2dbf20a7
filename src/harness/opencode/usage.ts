/** Tokens of one answer. */

import type { Usage } from '../../core/event.ts'
import { count, type Fields, fields } from '../fields.ts'
import type { MessageReading } from './reading.ts'

/**
 * The message's tokens, or the sum of its steps: clients that put all steps of a turn into one message left only the
 * last step's tokens on it. `input` excludes what came from a cache; `output` excludes reasoning, which is added here.
 */
export function usageOf({ id, message, parts }: MessageReading): Usage | undefined {
  const steps = parts
    .filter((part) => part['type'] === 'step-finish')
    .map((part) => toUsage(id, fields(part['tokens'])))
  const own = toUsage(id, fields(message['tokens']))
  const usage = steps.reduce(sum, toUsage(id, {}))
  const larger = total(usage) > total(own) ? usage : own
  return id === '' || total(larger) === 0 ? undefined : larger
}

function toUsage(id: string, tokens: Fields): Usage {
  const cache = fields(tokens['cache'])
  const reasoning = count(tokens['reasoning'])
  return {
    id,
    input: count(tokens['input']),
    output: count(tokens['output']) + reasoning,
    cacheRead: count(cache['read']),
    cacheWrite: count(cache['write']),
    reasoning,
  }
}

function sum(left: Usage, right: Usage): Usage {
  return {
    id: left.id,
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    reasoning: left.reasoning + right.reasoning,
  }
}

function total(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}
