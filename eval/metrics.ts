/** The measures of a ranking. Pure; every one is a share from 0 to 1. */

export interface Measures {
  /** Share of the gold among the first 1, 5, 10. */
  recall1: number
  recall5: number
  recall10: number
  /** The first hit is gold. */
  hit1: number
  /** The first hit stands in a conversation with gold. */
  talk1: number
  ndcg10: number
  /** One over the place of the first gold. */
  mrr: number
}

/**
 * Measures one ranking, best first. `isGold` and `inGoldTalk` say what each hit is; `golds` is how many there are to
 * find.
 */
export function measure(hits: readonly { gold: string | undefined; inGoldTalk: boolean }[], golds: number): Measures {
  const found = (limit: number): number => new Set(hits.slice(0, limit).flatMap(({ gold }) => gold ?? [])).size / golds
  const first = hits.findIndex(({ gold }) => gold !== undefined)
  return {
    recall1: found(1),
    recall5: found(5),
    recall10: found(10),
    hit1: first === 0 ? 1 : 0,
    talk1: hits[0]?.inGoldTalk ? 1 : 0,
    ndcg10: ndcg(hits.slice(0, 10), golds),
    mrr: first < 0 ? 0 : 1 / (first + 1),
  }
}

/** Normalized discounted cumulative gain with gold of one grade (Järvelin & Kekäläinen 2002). */
function ndcg(hits: readonly { gold: string | undefined }[], golds: number): number {
  const gain = (place: number): number => 1 / Math.log2(place + 2)
  const seen = new Set<string>()
  let sum = 0
  hits.forEach(({ gold }, place) => {
    if (gold === undefined || seen.has(gold)) return
    seen.add(gold)
    sum += gain(place)
  })
  let ideal = 0
  for (let place = 0; place < Math.min(golds, 10); place++) ideal += gain(place)
  return sum / ideal
}

/** The mean of each measure. */
export function mean(all: readonly Measures[]): Measures {
  const sum = (of: (one: Measures) => number): number =>
    all.length === 0 ? 0 : all.reduce((total, one) => total + of(one), 0) / all.length
  return {
    recall1: sum(({ recall1 }) => recall1),
    recall5: sum(({ recall5 }) => recall5),
    recall10: sum(({ recall10 }) => recall10),
    hit1: sum(({ hit1 }) => hit1),
    talk1: sum(({ talk1 }) => talk1),
    ndcg10: sum(({ ndcg10 }) => ndcg10),
    mrr: sum(({ mrr }) => mrr),
  }
}
