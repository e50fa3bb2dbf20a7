/** CoSQA: questions put to a web search, each with the one function among 6,267 that answers it. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { archiveOf } from '../archive.ts'
import type { LabelledSet } from '../labelled.ts'

const questionsSchema = z.array(z.object({ idx: z.string(), doc: z.string(), retrieval_idx: z.number() }))

/** Each function is an event of a session of its own. */
export function cosqa(questionsPath: string, codePath: string): LabelledSet {
  return {
    name: 'CoSQA',
    unit: 'event',
    async *archives() {
      const code = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(codePath, 'utf8')))
      const { engine, events } = await archiveOf(
        Object.entries(code).map(([text, index]) => ({
          id: `${index}`,
          at: index * 1_000,
          said: [{ key: `${index}`, type: 'user_input', text }],
        })),
      )
      const questions = questionsSchema.parse(JSON.parse(readFileSync(questionsPath, 'utf8')))
      yield {
        engine,
        events,
        questions: questions.map(({ idx, doc, retrieval_idx }) => {
          return { id: idx, text: doc, gold: [`${retrieval_idx}`], evidence: [] }
        }),
      }
      await engine.close()
    },
  }
}
