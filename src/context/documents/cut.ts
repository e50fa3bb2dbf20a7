/** Cuts a text where headings stand. Pure. */

import type { Section } from './document.ts'
import { uniqueSlugs } from './slug.ts'

/** A place where a section begins. */
export interface Mark {
  heading: string
  level: number
  /** Offset of the heading's line, in UTF-16 units. */
  start: number
  /** Line of `start`, from 1. */
  line: number
}

/** Sections of one document at most; the last one holds the rest. */
const MAX_SECTIONS = 2_000

/** Sections that begin at the marks, which are in order; what comes before the first has no heading. */
export function cutAt(content: string, marks: readonly Mark[]): Section[] {
  const slugFor = uniqueSlugs()
  const [first] = marks
  const lead: Mark[] = first?.start === 0 || content === '' ? [] : [{ heading: '', level: 0, start: 0, line: 1 }]
  const all = [...lead, ...marks.slice(0, MAX_SECTIONS - lead.length)]
  return all.map(({ heading, level, start, line }, place) => {
    const end = all[place + 1]?.start ?? content.length
    const slug = heading === '' ? '' : slugFor(heading)
    return { heading, slug, level, start, end, line, text: content.slice(start, end) }
  })
}
