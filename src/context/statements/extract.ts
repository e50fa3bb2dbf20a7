/** Finds statements in what people typed, agents proposed, documents say and saves name. Pure; linear in the length. */

import { documentStatements } from './document-statements.ts'
import { isBareAnswer, isConstraint, isDecision, isProposal, isRuling, plainWords } from './grammar.ts'
import { quote } from './quote.ts'
import { sentencesOf } from './sentences.ts'
import type { Statement, StatementOrigin } from './statement.ts'
import { isNobodysWord, typedIn } from './typed.ts'

/** A longer prompt is mostly pasted: its beginning and end are what was typed. */
const PROMPT_HEAD = 12_000
const PROMPT_TAIL = 6_000

/** The end of an answer is where it proposes something. */
const ANSWER_TAIL = 4_000

/** One prompt that states more than this is a document. */
const MAX_OF_PROMPT = 20
const MAX_OF_ANSWER = 5

/**
 * The decisions and constraints a text states, in its order, verbatim and with their places. Questions, conditions,
 * quotes, code, commands and what programs printed are none.
 */
export function statementsOf(text: string, origin: StatementOrigin): Statement[] {
  switch (origin.kind) {
    case 'prompt':
      return promptStatements(text)
    case 'answer':
      return acceptsPrevious(origin.nextPrompt) ? answerStatements(text) : []
    case 'document':
      return documentStatements(text, origin.path, origin.role)
    case 'save':
      return savedStatement(text)
  }
}

function promptStatements(text: string): Statement[] {
  const tailFrom = text.length > PROMPT_HEAD + PROMPT_TAIL ? text.length - PROMPT_TAIL : 0
  const found: Statement[] = []
  if (isNobodysWord(text)) return found
  const isTyped = typedIn(text)
  let answers = false
  for (const sentence of sentencesOf(text)) {
    if (sentence.start > PROMPT_HEAD && sentence.start < tailFrom) continue
    if (!isTyped(sentence) || isRest(sentence)) continue
    const words = plainWords(sentence.text)
    const decides = isDecision(words) || (answers && isRuling(words))
    const kind = decides ? 'decision' : isConstraint(words) ? 'constraint' : undefined
    answers = isBareAnswer(words)
    if (kind) found.push(quote(kind, sentence, 'user'))
    if (found.length >= MAX_OF_PROMPT) break
  }
  return found
}

/** How what is left of a sentence begins that was cut at a dot inside it. */
const REST =
  /^(?:to (?!be (?:clear|safe|honest|fair)\b|clarify|confirm|recap|reiterate|sum up|summarize)|of |or |than |which |who |whose |nor )/

function isRest({ text, leads }: { text: string; leads: boolean }): boolean {
  return !leads && REST.test(text)
}

function answerStatements(text: string): Statement[] {
  const tail = sentencesOf(text).filter(({ start }) => start >= text.length - ANSWER_TAIL)
  return tail
    .filter((sentence) => isProposal(plainWords(sentence.text)))
    .slice(-MAX_OF_ANSWER)
    .map((sentence) => quote('decision', sentence, 'assistant'))
}

function savedStatement(text: string): Statement[] {
  const own = text.trim()
  if (own === '') return []
  const start = text.length - text.trimStart().length
  const line = text.slice(0, start).split('\n').length
  return [quote('decision', { text: own, start, line, listed: false, leads: true }, 'save')]
}

/** How people say yes, whatever follows. */
const YES =
  /^(?:y|yes|yep|yeah|yup|sure|ok|okay|k|go (?:ahead|for it)|do (?:it|that|so)|please do|agreed|i agree|approved?|lgtm|sounds (?:good|great|right)|confirmed|that works|works for me|ship it|let's do (?:it|that)|👍|✅|ja|einverstanden|passt|sí|si|vale|de acuerdo|oui|d'accord|parfait)(?=[\s.,!;:—–-]|$)|^(?:好的?|可以|是的|对|同意)(?=[\s。，,.!！]|$)/i

/** Words that say yes when they stand alone, and may begin anything else: "good point", "right now". */
const YES_ALONE =
  /^(?:go|perfect|exactly|right|correct|absolutely|definitely|deal|makes sense|fine(?: by me)?|good(?: call)?|great|excellent|nice|awesome|cool|love it|proceed|continue|looks (?:good|great)|genau)(?=\s?[.,!;—–]|\s-|$)/i

/** What takes a yes back, or turns it into something else. */
const TAKEN_BACK =
  /\b(?:but|except|however|actually|wait|hold on|instead|not|don't|doesn't|isn't|wrong|although|though|rather|no|uh|if|why|what|how|i (?:was|remember|recall|get|can see|hope|guess|thought|saw|noticed|wonder|vaguely)|i'm (?:thinking|wondering|not)|that clarifies|good to know|reminds me|speaking of|let me)\b/i

/** Where a yes is looked for and taken back: later the prompt is about something else. */
const YES_LENGTH = 120
const QUESTION_LENGTH = 300

/** Whether a prompt accepts what the agent said before it: "yes", "go ahead", "agreed". */
export function acceptsPrevious(prompt: string): boolean {
  const text = prompt.trim().slice(0, QUESTION_LENGTH).replaceAll('’', "'")
  if (!YES.test(text) && !YES_ALONE.test(text)) return false
  return !text.includes('?') && !TAKEN_BACK.test(text.slice(0, YES_LENGTH))
}
