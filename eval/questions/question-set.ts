/** Our own labelled questions: what a file of them holds, and how they are read. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'

/** How a question is asked. `reworded`: an earlier question of the set again, with hardly a word of its answer left. */
export const QUESTION_KINDS = ['question', 'keywords', 'vague', 'error', 'identifier', 'reworded'] as const

const goldSchema = z.strictObject({
  /** The session's native id, as its harness knows it. */
  session: z.string().min(1),
  /** A verbatim piece of the prompt or answer that answers the question. */
  quote: z.string().min(40).max(300),
})

const questionSchema = z.strictObject({
  id: z.string().regex(/^[a-z-]+-\d{2}$/),
  kind: z.enum(QUESTION_KINDS),
  question: z.string().min(10),
  /** Each answers the question by itself. */
  gold: z.array(goldSchema).min(1),
})

const questionSetSchema = z.strictObject({
  /** Files and folders below the corpus, with forward slashes, that make the archive the questions are put to. */
  corpus: z.array(z.string().regex(/^[^/\\.][^\\]*$/)).min(1),
  questions: z.array(questionSchema).min(1),
})

/** The questions on one harness, and the archive they are put to. */
export interface QuestionSet extends z.infer<typeof questionSetSchema> {
  /** Public id of the harness whose sessions answer: the file's name. */
  harness: string
}

/**
 * Every set in a folder, in the order of their names.
 * @throws ZodError for a file that is no question set
 */
export function readQuestionSets(folder: string): QuestionSet[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      harness: basename(name, '.json'),
      ...questionSetSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }))
}

/** Text in the form quotes are looked for in: every run of white space is one space. */
export function normalizeSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
