/** Our own questions about the corpus: real transcripts, read through capture as on any machine. */

import { LOCAL_OWNER } from '../../src/core/caller.ts'
import type { Engine } from '../../src/store/index.ts'
import { captureCorpus } from '../corpus.ts'
import type { LabelledArchive, LabelledSet, Question } from '../labelled.ts'
import { normalizeSpace, type QuestionSet, readQuestionSets } from '../questions/question-set.ts'

interface StoredEvent {
  pk: number
  native_id: string
  text: string
}

/** Questions whose gold is any of several events; those with next to no word of the answer apart from the others. */
export function ownSet(questionsFolder: string, corpusFolder: string, reworded: boolean): LabelledSet {
  return {
    name: reworded ? 'own, reworded' : 'own',
    unit: 'any-event',
    async *archives() {
      for (const sets of byArchive(readQuestionSets(questionsFolder))) {
        const questions = sets.flatMap((set) => set.questions.filter(({ kind }) => (kind === 'reworded') === reworded))
        if (questions.length === 0) continue
        const [first] = sets
        if (!first) continue
        const { app, close } = await captureCorpus(corpusFolder, first.corpus)
        try {
          yield await labelled((await app.services()).engine, questions)
        } finally {
          await close()
        }
      }
    },
  }
}

/** Sets that are put to the same archive. */
function byArchive(sets: readonly QuestionSet[]): QuestionSet[][] {
  const groups = new Map<string, QuestionSet[]>()
  for (const set of sets) {
    const key = JSON.stringify(set.corpus)
    groups.set(key, [...(groups.get(key) ?? []), set])
  }
  return [...groups.values()]
}

/** A gold quote that stands in no event of its session is `missing`: the labels or capture are wrong. */
async function labelled(engine: Engine, questions: QuestionSet['questions']): Promise<LabelledArchive> {
  const rows = await engine.all<StoredEvent>(
    `SELECT event.pk, session.native_id, event.text FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.type IN (0, 1) AND event.copied = 0`,
    [LOCAL_OWNER],
  )
  const bySession = new Map<string, { pk: number; text: string }[]>()
  for (const { pk, native_id, text } of rows) {
    const events = bySession.get(native_id) ?? []
    bySession.set(native_id, events)
    events.push({ pk, text: normalizeSpace(text) })
  }
  const missing: string[] = []
  const resolved = questions.map(({ id, question, gold }): Question => {
    const keys = gold.flatMap(({ session, quote }) => {
      const wanted = normalizeSpace(quote)
      const found = (bySession.get(session) ?? []).filter(({ text }) => text.includes(wanted))
      if (found.length === 0) missing.push(`${id}: ${session}: ${quote}`)
      return found.map(({ pk }) => `${pk}`)
    })
    return { id, text: question, gold: [...new Set(keys)], evidence: gold.map(({ quote }) => quote) }
  })
  const events = new Map(rows.map(({ pk, native_id, text }) => [pk, { key: `${pk}`, talk: native_id, text }]))
  return { engine, events, questions: resolved.filter(({ gold }) => gold.length > 0), missing }
}
