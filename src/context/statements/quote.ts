/** Makes a statement of a sentence. Pure. */

import { clauseOf } from './clause.ts'
import type { Sentence } from './sentences.ts'
import type { SaidBy, Statement, StatementKind } from './statement.ts'
import { subjectOf } from './subject.ts'

/** A sentence as a statement, cut to the length of one. */
export function quote(kind: StatementKind, sentence: Sentence, saidBy: SaidBy, date?: string): Statement {
  const text = clauseOf(sentence.text)
  const { start, line } = sentence
  return { kind, text, start, line, saidBy, subject: subjectOf(text), ...(date !== undefined && { date }) }
}
