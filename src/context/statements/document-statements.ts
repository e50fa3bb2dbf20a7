/** Statements of documents: dated and headed lines of trackers, decision records, rules. Pure; linear in the length. */

import { type DocumentRole, type Section, sectionsOf } from '../documents/index.ts'
import { isConstraint, isImperative, plainWords } from './grammar.ts'
import { quote } from './quote.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import type { Statement } from './statement.ts'

const MAX_OF_DOCUMENT = 300

/** Decisions under one heading; the first sentence of a paragraph or list item decides, the others explain. */
const MAX_OF_SECTION = 40

const DECISION_HEADING = /\b(?:decisions?|decided|shipped|resolved|agreed)\b/i
const OPEN_HEADING =
  /\b(?:open|pending|undecided|to decide|proposed|unresolved|questions?|options?|alternatives?|considered|drivers?|makers?|log format|template)\b/i
const RULE_HEADING =
  /\b(?:rules?|constraints?|conventions?|guardrails?|guidelines?|polic(?:y|ies)|requirements?|do(?:n'?t)?s|never|always|must|style|standards?|principles?|important|boundaries|non-negotiables?)\b/i

/** A decision record that no longer holds, or never did. */
const NOT_IN_FORCE =
  /^(?:[-*]\s*)?\**status:?\**:?\s*(?:superseded|rejected|deprecated|draft|proposed)\b|^#+\s*status\s*\n+\s*(?:superseded|rejected|deprecated|draft|proposed)\b/im

const DATED = /^\**\[?(\d{4}-\d{2}-\d{2})\b/

/**
 * Decisions: lines of trackers that begin with a date, what stands under a heading of decisions, the title and the decision
 * of a decision record. Constraints: normative sentences of rules and trackers, and imperatives under a heading of rules.
 */
export function documentStatements(text: string, path: string, role: DocumentRole): Statement[] {
  if (role === 'manifest' || role === 'script') return []
  const sections = sectionsOf(text, path)
  const found: Statement[] = []
  const isRecord = isDecisionRecord(path, sections)
  const above: Section[] = []
  for (const section of sections) {
    while ((above.at(-1)?.level ?? -1) >= section.level) above.pop()
    above.push(section)
    const headings = above.map(({ heading }) => heading)
    found.push(...sectionStatements(section, headings, role, isRecord))
    if (found.length >= MAX_OF_DOCUMENT) break
  }
  const inForce = !isRecord || !NOT_IN_FORCE.test(text.slice(0, 4_000))
  return found.filter(({ kind }) => inForce || kind !== 'decision').slice(0, MAX_OF_DOCUMENT)
}

/** An architecture decision record: it has a section of its own for the decision. */
function isDecisionRecord(path: string, sections: readonly Section[]): boolean {
  const isPlace = /(?:^|\/)(?:adrs?|decisions)\//i.test(path)
  return isPlace && sections.some(({ heading }) => /^(?:\d+\.?\s*)?(?:the )?decision(?: outcome)?$/i.test(heading))
}

function sectionStatements(
  section: Section,
  headings: readonly string[],
  role: DocumentRole,
  isRecord: boolean,
): Statement[] {
  const own = headings.at(-1) ?? ''
  const isOpen = OPEN_HEADING.test(own)
  const decides =
    !isOpen && (isRecord ? DECISION_HEADING.test(own) : headings.some((each) => DECISION_HEADING.test(each)))
  const rules = headings.some((each) => RULE_HEADING.test(each))
  const found: Statement[] = []
  let decided = 0
  for (const sentence of sentencesIn(section)) {
    const date = DATED.exec(sentence.text)?.[1]
    const words = plainWords(sentence.text)
    const isDated = date !== undefined && role === 'tracker' && words.split(' ').length >= 3
    if (isDated) found.push(quote('decision', sentence, 'document', date))
    else if (decides && isSettled(sentence, words) && decided++ < MAX_OF_SECTION) {
      found.push(quote('decision', sentence, 'document', dateOf(headings)))
    } else if (isRule(sentence, words, role, rules)) found.push(quote('constraint', sentence, 'document'))
  }
  return found
}

/** The sentences of a section, placed in the document. */
function sentencesIn(section: Section): Sentence[] {
  return sentencesOf(section.text).map((sentence) => ({
    ...sentence,
    start: section.start + sentence.start,
    line: section.line + sentence.line - 1,
  }))
}

/** Under a heading of decisions what begins a list item or paragraph is one, unless it is a question or a label. */
function isSettled({ text, listed, leads }: Sentence, words: string): boolean {
  if (!leads) return false
  if (/\?$|:$/.test(text) || /^(?:\[ \]|status|date|deciders?|owner|context|consequences|tbd|none)\b/i.test(words))
    return false
  return words.split(' ').length >= (listed ? 3 : 4)
}

function isRule(sentence: Sentence, words: string, role: DocumentRole, underRules: boolean): boolean {
  if (role !== 'rule' && role !== 'tracker') return false
  return isConstraint(words) || (underRules && sentence.listed && isImperative(words))
}

/** The day of an entry that has its date in its heading. */
function dateOf(headings: readonly string[]): string | undefined {
  return /\b(\d{4}-\d{2}-\d{2})\b/.exec(headings.at(-1) ?? '')?.[1]
}
