/**
 * Files a shell script reads and writes, as far as its text tells: operands by what each command does with them,
 * redirections, patches in here-documents. `cd` is followed, and so are variables with plain values.
 */

import { isOnePath, looksLikeFile, MAX_PATH } from './file-name.ts'
import { normalizePath, resolvePath } from './lexical-path.ts'
import { isPatch, patchedPaths } from './patch.ts'
import type { PathTouch, TouchSink } from './path-touch.ts'
import { commandFiles } from './shell-operands.ts'
import { type Command, type Dialect, readShell, type Word } from './shell-words.ts'

/** Scripts inside scripts are read this deep. */
const MAX_DEPTH = 5

/** Words of one script that are looked at as paths. */
const MAX_WORDS = 10_000

/** A loop's variable stands for at most so many values. */
const MAX_VALUES = 50

interface Shell {
  directory: string | undefined
  previous: string | undefined
  stack: (string | undefined)[]
  /** Values a variable may have; a loop's has several. */
  variables: Map<string, readonly string[]>
  dialect: Dialect
  depth: number
  /** Words that may still be looked at as paths, in this script and all inside it. */
  budget: { left: number }
  touch: TouchSink
}

/**
 * Reports every file a script touches.
 * @param directory where it starts; undefined when unknown, and paths then stay as written
 */
export function shellTouches(script: string, directory: string | undefined, dialect: Dialect, touch: TouchSink): void {
  const variables = new Map([['HOME', ['~']]])
  runScript(script, {
    directory,
    previous: undefined,
    stack: [],
    variables,
    dialect,
    depth: 0,
    budget: { left: MAX_WORDS },
    touch,
  })
}

function runScript(script: string, shell: Shell): void {
  if (shell.depth > MAX_DEPTH) return
  const outer: Pick<Shell, 'directory' | 'previous'>[] = []
  for (const step of readShell(script, shell.dialect)) {
    if (step.kind === 'open') outer.push({ directory: shell.directory, previous: shell.previous })
    else if (step.kind === 'close') Object.assign(shell, outer.pop())
    else runCommand(step.command, shell)
  }
}

/** Runs a script in a shell of its own: what it changes does not come back. */
function runInside(script: string, shell: Shell, dialect = shell.dialect): void {
  const variables = new Map(shell.variables)
  runScript(script, { ...shell, variables, stack: [], dialect, depth: shell.depth + 1 })
}

/** Words before a command that are part of the shell's grammar. */
const GRAMMAR = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{', 'time', 'coproc'])

/** Commands that run the command after them, with their options that take a value. */
const WRAPPERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sudo', ['-u', '-g', '-C', '-h', '-p']],
  ['doas', ['-u']],
  ['nohup', []],
  ['command', []],
  ['builtin', []],
  ['exec', ['-a']],
  ['time', ['-f', '-o']],
  ['nice', ['-n']],
  ['ionice', ['-c', '-n']],
  ['timeout', ['-k', '-s']],
  ['gtimeout', ['-k', '-s']],
  ['stdbuf', ['-i', '-o', '-e']],
  ['env', ['-u', '-C', '-S']],
  ['xargs', ['-n', '-P', '-I', '-L', '-d', '-s', '-a']],
  ['npx', ['-p', '--package']],
  ['bunx', []],
])

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/

function runCommand(command: Command, shell: Shell): void {
  for (const script of command.nested) runInside(script, shell)
  const [first, ...rest] = unwrap(command.words, shell)
  if (first !== undefined) runSimple(command, first, rest, shell)
  for (const { access, target } of command.redirections) touchWord(shell, target, access)
}

function runSimple(command: Command, first: Word, rest: readonly Word[], shell: Shell): void {
  // A script run by its path is read.
  if (first.text.includes('/') && looksLikeFile(first.text)) touchWord(shell, first, 'read')
  const name = commandName(first.text)
  if (changesShell(name, rest, shell) || runsScripts(name, rest, command, shell)) return
  if (appliesPatch(name, rest, command, shell)) return
  const { uses, directory } = commandFiles(name, rest)
  const base =
    directory === undefined ? shell.directory : resolvePath(shell.directory, expand(directory, shell)[0] ?? '.')
  for (const { word, access, open } of uses) touchWord({ ...shell, directory: base }, word, access, open)
}

function commandName(text: string): string {
  const name = text.replaceAll('\\', '/')
  return name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase()
}

/** The words of the command that is run in the end: without assignments, grammar and wrappers. */
function unwrap(words: readonly Word[], shell: Shell): readonly Word[] {
  const assigned: Word[] = []
  let at = 0
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const valued = WRAPPERS.get(commandName(word.text))
    if (valued !== undefined) at = afterWrapper(words, at, valued)
    else if (ASSIGNMENT.test(word.text)) assigned.push(word)
    else if (!GRAMMAR.has(word.text)) break
    if (valued === undefined) at++
  }
  // Assignments before a command are its own.
  if (at === words.length) assign(assigned, shell)
  return words.slice(at)
}

/** Where the command after a wrapper, its options and its duration begins. */
function afterWrapper(words: readonly Word[], wrapper: number, valued: readonly string[]): number {
  const isTimeout = commandName(words[wrapper]?.text ?? '').endsWith('timeout')
  let at = wrapper + 1
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (valued.includes(text)) at++
    else if (!text.startsWith('-') && !(isTimeout && /^\d/.test(text))) break
  }
  return Math.min(at, words.length)
}

function assign(words: readonly Word[], shell: Shell): void {
  for (const word of words) {
    const name = ASSIGNMENT.exec(word.text)
    if (name?.[1] === undefined) continue
    const value = { ...word, text: word.text.slice(name[0].length) }
    shell.variables.set(name[1], word.glob ? [] : expand(value, shell))
  }
}

function loop(words: readonly Word[], shell: Shell): void {
  const [variable, , ...values] = words
  if (variable === undefined) return
  const known = values.filter((word) => !word.glob).flatMap((word) => expand(word, shell))
  shell.variables.set(variable.text, known.slice(0, MAX_VALUES))
}

/** The texts a word may stand for; none where a part of it is only known when it runs. */
function expand(word: Word, shell: Shell): readonly string[] {
  if (!word.dynamic) return [word.text]
  let texts: string[] = ['']
  let from = 0
  for (const match of word.text.matchAll(/\$<([^>]*)>/g)) {
    const name = match[1] ?? ''
    const values =
      name === 'PWD' && shell.directory !== undefined ? [shell.directory] : (shell.variables.get(name) ?? [])
    const before = word.text.slice(from, match.index)
    texts = texts.flatMap((text) => values.map((value) => text + before + value)).slice(0, MAX_VALUES)
    from = match.index + match[0].length
  }
  return texts.map((text) => text + word.text.slice(from)).filter((text) => text.length <= MAX_PATH)
}

/** Commands that change where the shell is and what its variables hold. */
function changesShell(name: string, rest: readonly Word[], shell: Shell): boolean {
  if (MOVING.has(name)) move(name, rest, shell)
  else if (name === 'for') loop(rest, shell)
  else if (DECLARING.has(name)) assign(rest, shell)
  else return false
  return true
}

const MOVING = new Set(['cd', 'chdir', 'pushd', 'popd', 'set-location'])
const DECLARING = new Set(['export', 'local', 'readonly', 'declare', 'typeset'])

function move(name: string, rest: readonly Word[], shell: Shell): void {
  const here = shell.directory
  const operand = rest.find((word) => !/^-[A-Za-z]|^\/d$/i.test(word.text))
  if (name === 'popd') shell.directory = shell.stack.pop()
  else if (operand?.text === '-') shell.directory = shell.previous
  else {
    const target = operand === undefined ? '~' : expand(operand, shell)[0]
    const next = target === undefined || operand?.glob ? undefined : resolvePath(here, target)
    shell.directory = next !== undefined && next.length <= MAX_PATH ? next : undefined
    if (name === 'pushd') shell.stack.push(here)
  }
  shell.previous = here
}

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])
const POWERSHELLS = new Set(['powershell', 'pwsh'])

/** The option after which a command takes a script. */
function scriptOption(name: string): RegExp | undefined {
  if (SHELLS.has(name)) return /^-[a-z]*c$/
  if (POWERSHELLS.has(name)) return /^-c(?:ommand)?$/i
  return name === 'cmd' ? /^\/[cks]$/i : undefined
}

/** Commands that are given a script: `bash -c`, `eval`, `cmd /c`, or a here-document. */
function runsScripts(name: string, rest: readonly Word[], command: Command, shell: Shell): boolean {
  const option = scriptOption(name)
  if (option === undefined && name !== 'eval') return false
  const at = name === 'eval' ? -1 : rest.findIndex((word) => option?.test(word.text))
  if (at >= 0 || name === 'eval') {
    const words = rest.slice(at + 1).map((word) => word.text)
    const isPosix = SHELLS.has(name)
    runInside(
      isPosix ? (words[0] ?? '') : words.join(' '),
      shell,
      isPosix || name === 'eval' ? shell.dialect : 'windows',
    )
    return true
  }
  const file = rest.find((word) => !word.text.startsWith('-'))
  if (file !== undefined) touchWord(shell, file, 'read')
  else for (const document of command.documents) runInside(document, shell)
  return true
}

/** Commands that apply a patch, from an operand or a here-document. */
function appliesPatch(name: string, rest: readonly Word[], command: Command, shell: Shell): boolean {
  const isApply = name === 'apply_patch' || name === 'applypatch'
  if (!isApply && name !== 'patch' && !(name === 'git' && rest.some((word) => word.text === 'apply'))) return false
  const texts = [...command.documents, ...rest.map((word) => word.text)].filter((text) => isPatch(text))
  for (const text of texts) {
    for (const path of patchedPaths(text)) addTouch(shell, path, 'write', 'patch')
  }
  return isApply || texts.length > 0
}

/** `a.ts:10:5` and `test_a.py::test_b` name a place in a file. */
function withoutPosition(text: string): string {
  return text.replace(/(?:::.*|(?::\d+){1,2}:?)$/, '')
}

function touchWord(shell: Shell, word: Word, access: PathTouch['access'], open = false): void {
  if (word.glob || shell.budget.left <= 0) return
  for (const text of expand(word, shell)) {
    shell.budget.left--
    const path = withoutPosition(text)
    if (!open || looksLikeFile(path)) addTouch(shell, path, access, 'shell')
  }
}

function addTouch(shell: Shell, text: string, access: PathTouch['access'], via: PathTouch['via']): void {
  if (!isOnePath(text) || /^[-&]|^\/dev\/|^\.{1,2}\/?$|^NUL$|^\$null$/i.test(text)) return
  if (access === 'read' && /[/\\]$/.test(text)) return
  if (normalizePath(text) === '/' || normalizePath(text) === '~') return
  shell.touch({ path: resolvePath(shell.directory, text), access, via })
}
