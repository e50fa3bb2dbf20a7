/** The sections of a `package.json`: its keys that say what the project is, uses and runs. Pure; linear in the length. */

import { cutAt, type Mark } from './cut.ts'
import type { Section } from './document.ts'

const KEYS = new Set(
  `name version description type private license main module bin exports engines packageManager workspaces scripts
  dependencies devDependencies peerDependencies optionalDependencies overrides`.split(/\s+/),
)

/** Whatever cannot be read as an object of JSON is one section. */
export function packageSections(content: string): Section[] {
  const kept = cutAt(content, keyMarks(content)).filter(({ heading }) => KEYS.has(heading))
  return kept.length > 0 ? kept : cutAt(content, [])
}

/** Where the keys of the outermost object stand, each with what follows it. */
function keyMarks(content: string): Mark[] {
  const marks: Mark[] = []
  let depth = 0
  let line = 1
  let lineStart = 0
  for (let at = 0; at < content.length; at++) {
    const char = content[at]
    if (char === '\n') {
      line++
      lineStart = at + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    else if (char === '"') {
      const end = endOfString(content, at)
      if (depth === 1 && isKey(content, end)) {
        const isFirst = content.slice(lineStart, at).trim() === ''
        marks.push({ heading: content.slice(at + 1, end - 1), level: 1, start: isFirst ? lineStart : at, line })
      }
      at = end - 1
    }
  }
  return marks
}

/** The offset after a string's closing quote; the end of the line or text when it has none. */
function endOfString(content: string, start: number): number {
  for (let at = start + 1; at < content.length; at++) {
    if (content[at] === '\\') at++
    else if (content[at] === '"') return at + 1
    else if (content[at] === '\n') return at
  }
  return content.length
}

function isKey(content: string, end: number): boolean {
  let at = end
  while (at < content.length && /\s/.test(content.charAt(at))) at++
  return content[at] === ':'
}
