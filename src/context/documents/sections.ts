/** Cuts a document into the stretches under its headings. Pure; linear in the length. */

import { cutAt, type Mark } from './cut.ts'
import type { Section } from './document.ts'
import { fenceReader, type Line, linesOf } from './lines.ts'
import { isChangelog } from './names.ts'
import { packageSections } from './package-sections.ts'

/** What a heading is written like, and in which files. */
type MarkReader = (content: string) => Mark[]

const MAX_HEADING = 200

/** Entries of a changelog that say what is true now. */
const NEWEST_ENTRIES = 2

/**
 * The sections of a document, in its order: Markdown, reStructuredText, AsciiDoc and org by headings, TOML by tables,
 * `package.json` by the keys that matter, any other text by its blocks. They are the whole document in a row, but for
 * `package.json` and for a changelog, of which only the newest two entries are given.
 */
export function sectionsOf(content: string, path: string): Section[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name === 'package.json') return packageSections(content)
  const sections = cutAt(content, markReaderOf(name)(content))
  return isChangelog(path) ? newestEntries(sections) : sections
}

function markReaderOf(name: string): MarkReader {
  if (/\.(?:md|markdown|mdx|mdc)$/.test(name)) return markdownMarks
  if (/\.rst$/.test(name)) return underlinedMarks
  if (/\.(?:org|adoc)$/.test(name)) return prefixedMarks
  if (/\.toml$/.test(name)) return tableMarks
  // README, SECURITY and the like are mostly Markdown without saying so.
  return /\.\w+$/.test(name) || /^(?:makefile|gnumakefile|justfile|dockerfile|gemfile|pipfile)$/.test(name)
    ? blockMarks
    : markdownMarks
}

function markdownMarks(content: string): Mark[] {
  const marks: Mark[] = []
  const isFenced = fenceReader()
  const bodyStart = endOfFrontMatter(content)
  let before: Line | undefined
  for (const line of linesOf(content)) {
    if (line.start < bodyStart) continue
    if (isFenced(line.text)) {
      before = undefined
      continue
    }
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line.text)
    const setext = before && /^ {0,3}(=+|-+)[ \t]*$/.exec(line.text)
    if (atx) {
      const heading = plainHeading((atx[2] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, ''))
      if (heading !== '') marks.push({ heading, level: atx[1]?.length ?? 1, start: line.start, line: line.number })
    } else if (before && setext) {
      const level = setext[1]?.startsWith('=') ? 1 : 2
      marks.push({ heading: plainHeading(before.text), level, start: before.start, line: before.number })
    }
    before = isParagraph(line.text) && !atx ? singleLine(line, before) : undefined
  }
  return marks
}

/**
 * Only a paragraph of one line is taken for an underlined heading: `---` below a longer one is far more often a rule that
 * lacks its blank line.
 */
function singleLine(line: Line, before: Line | undefined): Line | undefined {
  return before === undefined ? line : undefined
}

/** Not blank, no list item, quote, table row or code: what an underline may make a heading of. */
function isParagraph(text: string): boolean {
  return (
    text.length <= MAX_HEADING && /^ {0,3}[^\s>|]/.test(text) && !/^ {0,3}(?:[-*+=]|\d+[.)])(?:\s|$|[-=])/.test(text)
  )
}

/** Where the front matter ends, which looks like an underlined heading; 0 without one. */
function endOfFrontMatter(content: string): number {
  if (!/^---[ \t]*\r?\n/.test(content)) return 0
  for (const line of linesOf(content)) {
    if (line.number > 1 && /^(?:---|\.\.\.)[ \t]*$/.test(line.text)) return line.end
    if (line.number > 200) break
  }
  return 0
}

/** Without emphasis, code marks, links and anchors. */
function plainHeading(text: string): string {
  return text
    .slice(0, 4 * MAX_HEADING)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^<>]*>|\{#[^{}]*\}/g, '')
    .replace(/[*_]{2,}|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_HEADING)
}

/** A line below a title, as long as it or longer, of one kind of mark; levels in the order the marks appear. */
function underlinedMarks(content: string): Mark[] {
  const marks: Mark[] = []
  const kinds: string[] = []
  let before: Line | undefined
  for (const line of linesOf(content)) {
    const mark = /^([=\-~^"'`#*+.:_])\1{2,}[ \t]*$/.exec(line.text)?.[1]
    const title = before?.text.trim() ?? ''
    if (mark !== undefined && before && title !== '' && line.text.trimEnd().length >= title.length) {
      if (!kinds.includes(mark)) kinds.push(mark)
      marks.push({
        heading: plainHeading(title),
        level: kinds.indexOf(mark) + 1,
        start: before.start,
        line: before.number,
      })
      before = undefined
    } else {
      before = mark === undefined && /^\S/.test(line.text) ? line : undefined
    }
  }
  return marks
}

/** `* Heading` of org, `== Heading` of AsciiDoc. */
function prefixedMarks(content: string): Mark[] {
  const marks: Mark[] = []
  for (const line of linesOf(content)) {
    const match = /^(\*{1,8}|={1,6})[ \t]+(?:(?:TODO|DONE|NEXT|WAITING)[ \t]+)?(\S.*)$/.exec(line.text)
    if (!match) continue
    const heading = plainHeading((match[2] ?? '').replace(/[ \t]+:[\w:@]+:[ \t]*$/, ''))
    marks.push({ heading, level: match[1]?.length ?? 1, start: line.start, line: line.number })
  }
  return marks
}

/** `[table]` of TOML. */
function tableMarks(content: string): Mark[] {
  const marks: Mark[] = []
  for (const line of linesOf(content)) {
    const name = /^\[\[?([^[\]]+)\]\]?[ \t]*(?:#.*)?$/.exec(line.text)?.[1]?.trim()
    if (name) marks.push({ heading: name, level: name.split('.').length, start: line.start, line: line.number })
  }
  return marks
}

/** A text without headings is cut at blank lines, into stretches of at least this many characters. */
const MIN_BLOCK = 400

function blockMarks(content: string): Mark[] {
  const marks: Mark[] = []
  let start = 0
  let blank = false
  for (const line of linesOf(content)) {
    const isBlank = line.text.trim() === ''
    if (!isBlank && blank && line.start - start >= MIN_BLOCK) {
      marks.push({ heading: plainHeading(line.text), level: 1, start: line.start, line: line.number })
      start = line.start
    }
    blank = isBlank
  }
  return marks
}

/** The title and the newest entries of a changelog: those with the latest dates, or else the first. */
function newestEntries(sections: readonly Section[]): Section[] {
  const level = entryLevel(sections)
  const entries: Section[][] = []
  const lead: Section[] = []
  for (const section of sections) {
    const current = entries.at(-1)
    if (section.level === level) entries.push([section])
    else if (current) current.push(section)
    else lead.push(section)
  }
  const dates = entries.map(([first]) => /\b\d{4}-\d{2}-\d{2}\b/.exec(first?.heading ?? '')?.[0] ?? '')
  const isAscending = dates.length > 1 && dates.every((date, place) => date !== '' && date >= (dates[place - 1] ?? ''))
  const newest = isAscending ? entries.slice(-NEWEST_ENTRIES) : entries.slice(0, NEWEST_ENTRIES)
  return [...lead, ...newest.flat()]
}

/** The outermost level that has several headings: one for each version. */
function entryLevel(sections: readonly Section[]): number {
  const counts = new Map<number, number>()
  for (const { level } of sections) if (level > 0) counts.set(level, (counts.get(level) ?? 0) + 1)
  const levels = [...counts.keys()].sort((a, b) => a - b)
  return levels.find((level) => (counts.get(level) ?? 0) > 1) ?? levels.at(-1) ?? 1
}
