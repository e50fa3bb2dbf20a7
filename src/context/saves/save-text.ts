/** The stored text of a save: one text, so that every passage and decision of it has a place in it. Pure. */

import { cutPassages } from '../../retrieval/passage-cut.ts'
import type { NewPassage } from '../../store/index.ts'
import type { SaveRequest } from './types.ts'

export interface SaveText {
  content: string
  /** Where each decision begins in it, in UTF-16 units. */
  decisionStarts: number[]
}

/** Summary, decisions, outputs and topics, then the transcript as it was given. */
export function saveText(request: SaveRequest): SaveText {
  const { summary, decisions = [], key_outputs = [], topics = [], content } = request
  let text = summary
  const decisionStarts: number[] = []
  const list = (heading: string, entries: readonly string[], onEntry: (start: number) => void): void => {
    if (entries.length === 0) return
    text += `\n\n${heading}:`
    for (const entry of entries) {
      text += '\n- '
      onEntry(text.length)
      text += entry
    }
  }
  list('Decisions', decisions, (start) => decisionStarts.push(start))
  list('Key outputs', key_outputs, () => {})
  if (topics.length > 0) text += `\n\nTopics: ${topics.join(', ')}`
  if (content !== undefined && content !== '') text += `\n\n${content}`
  return { content: text, decisionStarts }
}

export function savePassages(content: string): NewPassage[] {
  return cutPassages(content).map(({ start, end }) => ({
    heading: '',
    slug: '',
    start,
    line: null,
    text: content.slice(start, end),
  }))
}

const TITLE_CHARACTERS = 160

/** The first sentence of the summary, or as much of it as fits. */
export function saveTitle(summary: string): string {
  const line = summary.trim().split('\n', 1)[0]?.trim() ?? ''
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const characters = [...sentence]
  if (characters.length <= TITLE_CHARACTERS) return sentence
  return `${characters
    .slice(0, TITLE_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`
}
