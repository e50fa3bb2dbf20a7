/** What is aimed at, in percent, by set and measure; through `search_sessions` and `rift_search`, and in a pack. */

import type { Result } from './run.ts'

const AIMS: Readonly<Record<string, Partial<Record<'recall1' | 'recall5' | 'recall10' | 'talk1' | 'ndcg10', number>>>> =
  {
    LoCoMo: { recall10: 76, talk1: 73 },
    'sde-bench': { recall1: 80, recall5: 100 },
    CoSQA: { ndcg10: 38 },
    own: { recall10: 90 },
  }

const EVIDENCE: Readonly<Record<string, number>> = { LoCoMo: 70, 'sde-bench': 90 }

/** Doors that are shown for comparison, and held to nothing. */
const COMPARED = new Set(['plain FTS5', 'rift_search, outcomes'])

/** Aims a result misses, for people; empty when it meets all, and for what is only shown for comparison. */
export function missedAims({ set, door, measures, evidence }: Result): string[] {
  if (COMPARED.has(door.name)) return []
  const missed = Object.entries(AIMS[set] ?? {}).flatMap(([name, aim]) => {
    const value = measures?.[name as keyof typeof measures]
    return value !== undefined && 100 * value < aim ? [`${name} ${(100 * value).toFixed(1)} < ${aim}`] : []
  })
  const aim = EVIDENCE[set]
  if (evidence !== undefined && aim !== undefined && 100 * evidence < aim) {
    missed.push(`evidence ${(100 * evidence).toFixed(1)} < ${aim}`)
  }
  return missed
}
