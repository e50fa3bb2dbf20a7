/** What a statement chooses and what it turns down, as far as its wording tells. Pure. */

import { plainWords } from './grammar.ts'
import { subjectOf } from './subject.ts'

export interface Frame {
  /** Stems of what is chosen; empty when the wording does not tell. */
  chosen: readonly string[]
  /** Stems of what is turned down. */
  refused: readonly string[]
  /** Stems of what the choice is for: all others. */
  about: readonly string[]
  /** Numbers with their units: `30 second`. */
  numbers: readonly string[]
  /** It says that something is not to be. */
  negative: boolean
}

const END =
  '(?= for | in | as | to | when | because | since | on | at | with | from | so | and | until | by | instead | rather | over | not |[,.;:!()]|$| -| —| –)'
const WORD = '(?!(?:not|for|in|instead|rather|over|from|to)\\b)[^\\s,.;:!()]+(?:\\.\\w+)?'
const VALUE = `(${WORD}(?: ${WORD}){0,3}?)${END}`

const CHOICES = [
  `\\b(?:uses?|using|go with|going with|went with|stick with|sticking with|stay with|stay on|chose|choose|picked|pick|settled on|opted for|standardi[sz]ed? on|switch(?:ed|ing)? (?:from .{1,40}? )?to|move[sd]? (?:from .{1,40}? )?to|default to|adopt(?:ed)?|prefer|keep|decided on|replaced? .{1,40}? with) (?:the |a |an )?${VALUE}`,
  `^(?:the )?([^\\s,.;:!()]+(?: [^\\s,.;:!()]+){0,2}?) (?:it is|wins|stays|is final|is approved|is the (?:way to go|default|winner|standard))\\b`,
].map((source) => new RegExp(source, 'g'))

const REFUSALS = [
  `\\b(?:instead of|rather than|over|not|replaces?|replaced|switch(?:ed|ing)? from|move[sd]? (?:off|away from|from)) (?:the |a |an |using )?${VALUE}`,
  `\\b(?:dropp?(?:ed|ing)?|reject(?:ed|ing)?|ruled out|abandon(?:ed)?|ditch(?:ed)?|deprecate[ds]?|decided against|no longer use|(?:don't|do not|never|won't|will not|stop|must not|not|not to|can't|cannot) (?:use|using|support|supporting|ship|add|keep|adopt)) (?:the |a |an |using )?${VALUE}`,
  `^(?:the )?([^\\s,.;:!()]+(?: [^\\s,.;:!()]+){0,2}?) (?:is|are|was|were) (?:rejected|dropped|out of scope|off the table|ruled out|deprecated|forbidden|not allowed|not an option|banned)\\b`,
].map((source) => new RegExp(source, 'g'))

const NEGATIVE =
  /\b(?:not|never|no longer|don't|do not|won't|mustn't|shouldn't|can't|cannot|forbidden|rejected|dropped|against|without|disallow|prohibited|banned|off the table|out of scope)\b|^no\b|n't\b/

const NUMBER = /(?<![\w.])(\d+(?:\.\d+)*)\s?(%|[a-z]+)?/g

/** Reads the frame of a statement. */
export function frameOf(text: string): Frame {
  const words = plainWords(text)
  const refused = stemsIn(words, REFUSALS)
  const chosen = stemsIn(words, CHOICES).filter((stem) => !refused.includes(stem))
  const values = new Set([...chosen, ...refused])
  const about = subjectOf(words).filter((stem) => !values.has(stem) && !/^\d/.test(stem))
  const numbers = [...words.matchAll(NUMBER)].map(([, value = '', unit = '']) => `${value} ${subjectOf(unit).join('')}`)
  return { chosen, refused, about, numbers, negative: chosen.length === 0 && NEGATIVE.test(words) }
}

function stemsIn(words: string, patterns: readonly RegExp[]): string[] {
  const values = patterns.flatMap((pattern) => [...words.matchAll(pattern)].map(([, value = '']) => value))
  return [...new Set(values.flatMap(subjectOf))]
}
