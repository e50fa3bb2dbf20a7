import { describe, expect, it } from 'vitest'
import { mean, measure } from './metrics.ts'

const hits = (...golds: (string | undefined)[]) => golds.map((gold) => ({ gold, inGoldTalk: gold !== undefined }))

describe('the measures of a ranking', () => {
  it('are all 1 when the gold comes first', () => {
    const { recall1, recall10, ndcg10, mrr, hit1, talk1 } = measure(hits('a', undefined), 1)
    expect([recall1, recall10, ndcg10, mrr, hit1, talk1]).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('tell how much of the gold is found, how early', () => {
    const found = measure(hits(undefined, 'a', undefined, 'b'), 4)
    expect(found).toMatchObject({ recall1: 0, recall5: 0.5, recall10: 0.5, hit1: 0, talk1: 0, mrr: 0.5 })
    const ideal = 1 + 1 / Math.log2(3) + 1 / Math.log2(4) + 1 / Math.log2(5)
    expect(found.ndcg10).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / ideal)
  })

  it('count the same gold once', () => {
    expect(measure(hits('a', 'a'), 2)).toMatchObject({ recall10: 0.5 })
  })

  it('are 0 without hits, and their mean over nothing too', () => {
    expect(measure([], 1)).toMatchObject({ recall10: 0, ndcg10: 0, mrr: 0, talk1: 0 })
    expect(mean([]).mrr).toBe(0)
    expect(mean([measure(hits('a'), 1), measure([], 1)]).mrr).toBe(0.5)
  })
})
