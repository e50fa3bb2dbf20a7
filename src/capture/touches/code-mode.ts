/** Scripts that call tools (`await tools.exec_command({ cmd: "..." })`), which some agents write instead of calling them. */

import { resolvePath } from './lexical-path.ts'
import { patchedPaths } from './patch.ts'
import type { TouchSink } from './path-touch.ts'
import { shellTouches } from './shell.ts'

const CALL = /\btools\.(\w+)\s*\(/g

/** A string literal in single, double or back quotes. */
const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/
const LITERALS = new RegExp(LITERAL, 'g')

/** Literals of one call that are looked at. */
const MAX_LITERALS = 40

/**
 * Reports what the tools called by a script touch, where their arguments are literals.
 * Returns false when the text calls no tool.
 */
export function codeModeTouches(source: string, directory: string | undefined, touch: TouchSink): boolean {
  const calls = [...source.matchAll(CALL)]
  calls.forEach((call, index) => {
    const text = source.slice(call.index, calls[index + 1]?.index)
    const workdir = literalAfter(text, 'workdir')
    const base = workdir === undefined ? directory : resolvePath(directory, workdir)
    if (/patch/.test(call[1] ?? '')) {
      const patch = firstLiterals(text, 1)[0] ?? ''
      for (const path of patchedPaths(patch)) touch({ path: resolvePath(base, path), access: 'write', via: 'patch' })
      return
    }
    const command = literalAfter(text, 'cmd') ?? literalAfter(text, 'command')
    const list = /\b(?:cmd|command)\s*:\s*\[([^\]]*)\]/.exec(text)?.[1]
    const script = command ?? (list === undefined ? undefined : quoteWords(firstLiterals(list, MAX_LITERALS)))
    if (script !== undefined) shellTouches(script, base, 'posix', touch)
  })
  return calls.length > 0
}

/** Words as one POSIX command. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

function literalAfter(text: string, key: string): string | undefined {
  const at = new RegExp(`\\b${key}["']?\\s*:\\s*(?=["'\`])`).exec(text)
  if (at === null) return undefined
  const literal = LITERAL.exec(text.slice(at.index + at[0].length))
  return literal === null ? undefined : unquote(literal[0])
}

function firstLiterals(text: string, count: number): string[] {
  const literals: string[] = []
  for (const [literal] of text.matchAll(LITERALS)) {
    literals.push(unquote(literal))
    if (literals.length === count) break
  }
  return literals
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? char)
}
