/**
 * `.gitignore` files as Git reads them: each holds for its own directory and all below, a deeper one outranks a higher one,
 * and nothing is taken back in below a directory that is left out. The patterns themselves are the package `ignore`'s work.
 */

import ignore, { type Ignore } from 'ignore'

/** Rules of one directory, or of the whole checkout. */
export interface IgnoreLevel {
  /** The directory the rules belong to, relative to the top; empty for the top itself. */
  base: string
  rules: Ignore
}

/** Bytes read of one file of patterns. */
export const MAX_IGNORE_BYTES = 256 * 1024

/**
 * Matching takes time with the power of the inner double stars in a pattern, and the file may be hostile. A pattern with
 * more leaves nothing out.
 */
const MAX_INNER_GLOBSTARS = 2

/** @param caseless `core.ignorecase` of the checkout */
export function readIgnoreLevel(base: string, text: string, caseless: boolean): IgnoreLevel {
  const rules = ignore({ ignorecase: caseless })
  rules.add(
    text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .filter(isHarmless),
  )
  return { base, rules }
}

/** Whether matching a pattern takes a bearable time. */
export function isHarmless(pattern: string): boolean {
  return pattern.split('/**/').length - 1 <= MAX_INNER_GLOBSTARS
}

/**
 * Whether a path is left out, given that the directory it is in is not.
 * @param levels the outermost first
 * @param path relative to the top; a directory's ends in `/`
 */
export function isIgnored(levels: readonly IgnoreLevel[], path: string): boolean {
  for (const { base, rules } of levels.toReversed()) {
    if (base !== '' && !path.startsWith(`${base}/`)) continue
    const within = base === '' ? path : path.slice(base.length + 1)
    const { ignored, unignored } = rules.test(within)
    if (unignored) return false
    if (ignored && !isInherited(rules, within)) return true
  }
  return false
}

/** The rule meant a directory around the path, which a deeper level has taken back in. */
function isInherited(rules: Ignore, path: string): boolean {
  const parent = /^(.+\/)[^/]+\/?$/.exec(path)?.[1]
  return parent !== undefined && rules.test(parent).ignored
}
