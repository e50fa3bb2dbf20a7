import { describe, expect, it } from 'vitest'
import { event, readRecords, record, usageOf } from './testing.ts'

describe('tokens', () => {
  const tokens = (input: number, cached: number, output: number, reasoning = 0) => ({
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_output_tokens: reasoning,
  })
  const count = (total: object | undefined, last: object) =>
    event('token_count', { info: { ...(total && { total_token_usage: total }), last_token_usage: last } })

  it('counts cached tokens apart from input, and reasoning within output (fault 7)', () => {
    expect(usageOf(readRecords([count(undefined, tokens(10, 4, 3, 2))]).drafts)).toEqual({
      input: 6,
      cacheRead: 4,
      cacheWrite: 0,
      output: 3,
      reasoning: 2,
    })
  })

  it('counts a repeated count once, and a response the client left out', () => {
    const values = [
      count(tokens(10, 4, 3), tokens(10, 4, 3)),
      count(tokens(10, 4, 3), tokens(10, 4, 3)),
      count(tokens(50, 24, 9), tokens(20, 10, 3)),
    ]
    expect(usageOf(readRecords(values).drafts)).toMatchObject({ input: 26, cacheRead: 24, output: 9 })
  })

  it('prefers the exact record of each response, and never counts both', () => {
    const exact = record(1, 'token_usage_record', { response_id: 'resp_1', usage: tokens(10, 4, 3) })
    const { drafts } = readRecords([exact, count(tokens(10, 4, 3), tokens(10, 4, 3))])
    expect(drafts.map(({ usage }) => usage?.id)).toEqual(['resp_1', undefined])
  })

  it('goes on when totals start over', () => {
    const values = [count(tokens(50, 0, 5), tokens(50, 0, 5)), count(tokens(10, 0, 1), tokens(10, 0, 1))]
    expect(usageOf(readRecords(values).drafts)).toMatchObject({ input: 60, output: 6 })
  })

  it('leaves out counts that say nothing', () => {
    const empty = count(tokens(10, 4, 3), { ...tokens(0, 0, 0), total_tokens: 9000 })
    expect(readRecords([event('token_count', { info: null }), empty]).drafts.map(({ usage }) => usage)).toEqual([
      undefined,
      undefined,
    ])
  })
})
