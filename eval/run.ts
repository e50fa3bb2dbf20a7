/** Putting every question of a set to every door, and measuring what comes back. */

import type { Answer, Door } from './doors.ts'
import type { LabelledArchive, LabelledSet, Question } from './labelled.ts'
import { type Measures, mean, measure } from './metrics.ts'

export interface Result {
  set: string
  door: Door
  questions: number
  /** Undefined for a door that answers no list. */
  measures?: Measures
  /** Share of the questions whose evidence is in what was sent; undefined for other doors. */
  evidence?: number
  /** Milliseconds of a question: the median, and what 95 in 100 stay below. */
  p50: number
  p95: number
}

/** Results of one set, in the order of the doors, and gold the archives lack. */
export async function runSet(
  set: LabelledSet,
  doors: readonly Door[],
): Promise<{ results: Result[]; missing: string[] }> {
  const rows = doors.map((door) => ({ door, measures: [] as Measures[], sent: [] as number[], times: [] as number[] }))
  const missing: string[] = []
  for await (const archive of set.archives()) {
    missing.push(...(archive.missing ?? []))
    for (const { door, measures, sent, times } of rows) {
      const ask = await door.open(archive)
      for (const question of archive.questions) {
        const started = performance.now()
        const answer = await ask(question.text)
        times.push(performance.now() - started)
        if (answer.events) measures.push(measureOf(set, archive, question, answer.events))
        else if (question.evidence.length > 0) sent.push(holdsEvidence(question, answer) ? 1 : 0)
      }
    }
  }
  const results = rows
    .filter(({ measures, sent }) => measures.length + sent.length > 0)
    .map(({ door, measures, sent, times }): Result => {
      times.sort((a, b) => a - b)
      return {
        set: set.name,
        door,
        questions: times.length,
        ...(measures.length > 0 ? { measures: mean(measures) } : {}),
        ...(sent.length > 0 ? { evidence: sent.reduce((sum, one) => sum + one, 0) / sent.length } : {}),
        p50: times[Math.floor(times.length / 2)] ?? 0,
        p95: times[Math.floor(times.length * 0.95)] ?? 0,
      }
    })
  return { results, missing }
}

/** Whether one of the texts that answer stands in what was sent, letter for letter as JSON writes it. */
function holdsEvidence({ evidence }: Question, { sent = '' }: Answer): boolean {
  return evidence.some((text) => sent.includes(JSON.stringify(text).slice(1, -1)))
}

function measureOf(
  { unit }: LabelledSet,
  { events }: LabelledArchive,
  { gold }: Question,
  pks: readonly number[],
): Measures {
  const golds = new Set(gold)
  const talks = new Set([...events.values()].filter(({ key }) => golds.has(key)).map(({ talk }) => talk))
  const hits = pks.flatMap((pk) => events.get(pk) ?? [])
  switch (unit) {
    case 'conversation': {
      const found = [...new Set(hits.map(({ talk }) => talk))]
      const isGold = (talk: string): boolean => talks.has(talk)
      return measure(
        found.map((talk) => ({ gold: isGold(talk) ? talk : undefined, inGoldTalk: isGold(talk) })),
        talks.size,
      )
    }
    case 'any-event':
      return measure(
        hits.map(({ key, talk }) => ({ gold: golds.has(key) ? 'any' : undefined, inGoldTalk: talks.has(talk) })),
        1,
      )
    case 'event':
      return measure(
        hits.map(({ key, talk }) => ({ gold: golds.has(key) ? key : undefined, inGoldTalk: talks.has(talk) })),
        golds.size,
      )
  }
}
