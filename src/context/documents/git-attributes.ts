/** Files that `.gitattributes` calls generated (`linguist-generated`). */

import ignore, { type Ignore } from 'ignore'
import { isHarmless } from './ignore-rules.ts'

/** Lines of one file that are looked at. */
const MAX_LINES = 2_000

interface Rule {
  pattern: Ignore
  isGenerated: boolean
}

/** @returns whether a path, relative to the directory of the file, is called generated; the last line that fits decides */
export function readGeneratedPatterns(text: string, caseless: boolean): (path: string) => boolean {
  const rules: Rule[] = []
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/)
    const attribute = attributes.findLast((each) => /^[-!]?linguist-generated(?:=|$)/.test(each))
    if (attribute === undefined || pattern.startsWith('#') || pattern.startsWith('!') || !isHarmless(pattern)) continue
    rules.push({
      pattern: ignore({ ignorecase: caseless }).add(pattern),
      isGenerated: /^linguist-generated(?:=(?:true|1|set))?$/.test(attribute),
    })
  }
  return (path) => rules.findLast(({ pattern }) => pattern.ignores(path))?.isGenerated ?? false
}
