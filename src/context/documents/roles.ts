/** What a document is, by its path, content and state. Pure. */

import type { DocumentRole, DocumentState, TrustLevel } from './document.ts'
import { isReadme, roleOfName, roleOfWords } from './names.ts'
import { sectionsOf } from './sections.ts'
import { slugOf } from './slug.ts'

/** A tracker by content has at least so many checkboxes, or lines that begin with a date. */
const TRACKER_CHECKBOXES = 5
const TRACKER_DATES = 3

const MAX_TITLE = 160

/** @param title as `titleOf` gives it */
export function roleOf(path: string, content: string, title: string): DocumentRole {
  const byName = roleOfName(path)
  if (byName !== undefined) return byName
  const byWords = roleOfWords(path) ?? (isReadme(path) ? undefined : roleOfWords(title))
  if (byWords !== undefined) return byWords
  return !isReadme(path) && tracksByContent(path, content) ? 'tracker' : 'document'
}

function tracksByContent(path: string, content: string): boolean {
  if (!/\.(?:md|markdown|txt|org)$/i.test(path)) return false
  return (
    countUpTo(content, /^[ \t]*[-*+][ \t]+\[[ xX-]\][ \t]/gm, TRACKER_CHECKBOXES) ||
    countUpTo(content, /^(?:#{1,6}[ \t]+|[-*+][ \t]+)?\**\[?\d{4}-\d{2}-\d{2}\b/gm, TRACKER_DATES)
  )
}

function countUpTo(content: string, pattern: RegExp, wanted: number): boolean {
  let count = 0
  for (const _ of content.matchAll(pattern)) if (++count === wanted) return true
  return false
}

/** How far a document can be trusted to say what is true now; what Git does not vouch for is discounted. */
export function trustOf(role: DocumentRole, state: DocumentState): TrustLevel {
  switch (state) {
    case 'untracked':
    case 'deleted':
    case 'generated':
      return 'discounted'
    case 'tracked':
    case 'none':
      break
  }
  switch (role) {
    case 'manifest':
    case 'script':
      return 'live_state'
    case 'tracker':
      return 'tracker'
    case 'rule':
    case 'report':
    case 'document':
      return 'committed_doc'
  }
}

/** The first heading, or the file's name. */
export function titleOf(path: string, content: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const role = roleOfName(path)
  if (role === 'manifest' || role === 'script') return name
  const heading = sectionsOf(content, path).find((section) => section.heading !== '')?.heading ?? ''
  const title = heading === '' ? name : heading
  return title.length <= MAX_TITLE ? title : title.slice(0, MAX_TITLE).replace(/[\ud800-\udbff]$/, '')
}

/** Directories that only say what kind of file they hold. */
const PLAIN_DIRECTORIES = /^(?:docs?|reports?|rules?|\.cursor|\.github|instructions)$/i

/** `rule:<slug>` of a rule, `report_card:<slug>` of a report; the slug has no date, since the next report has another. */
export function ruleIdOf(role: DocumentRole, path: string): string | undefined {
  if (role !== 'rule' && role !== 'report') return undefined
  const names = path.split('/')
  const name = (names.pop() ?? '').replace(/^(.+?)\.\w+$/, '$1').replace(/^\d{4}-\d{2}-\d{2}[-_ ]*/, '')
  const slug = slugOf([...names.filter((each) => !PLAIN_DIRECTORIES.test(each)), name].join('-'))
  return `${role === 'rule' ? 'rule' : 'report_card'}:${slug}`
}

/** Programs say that they wrote a file at its beginning, in a line that says nothing else. */
const HEAD_LINES = 12
const HEAD_LENGTH = 2_000

/** Instructions about generated files ("never edit generated code") are not meant. */
const GENERATED_LINE =
  /^[ 	>*_#/<!;-]*(?:this (?:file|document|report|page) (?:is|was|has been) (?:auto-?|automatically )?generated\b|(?:code |file |auto-?|automatically )?generated (?:by|from|with|using|file|code|automatically)\b|auto-?generated[.:,! -]*(?:$|do not|--)|@generated\b|do not (?:edit|modify)(?: (?:this file|by hand|manually|directly))*[ .!*_>-]*$)/i

/** Whether a text says in its first lines that a program wrote it. */
export function saysGenerated(content: string): boolean {
  const lines = content.slice(0, HEAD_LENGTH).split(/\r?\n/, HEAD_LINES)
  return lines.some((line) => GENERATED_LINE.test(line))
}
