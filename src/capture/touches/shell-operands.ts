/** Which words of one command are files, by the rule for the command. */

import type { CommandRule } from './shell-commands.ts'
import { ruleOf } from './shell-commands.ts'
import type { Word } from './shell-words.ts'

/** A word of a command that is a file. */
export interface FileUse {
  word: Word
  access: 'read' | 'write'
  /** Only if it looks like a file: the command may take other things in that place. */
  open: boolean
}

export interface CommandFiles {
  uses: FileUse[]
  /** Directory the command works in instead of the shell's: `git -C`. */
  directory?: Word
}

/** The files of a command, in the order of its words. */
export function commandFiles(name: string, words: readonly Word[]): CommandFiles {
  if (name === 'git') return gitFiles(words)
  if (name === 'find') return { uses: words.slice(0, firstOption(words)).map((word) => use(word, 'read', true)) }
  if (name === 'dd') return { uses: words.flatMap(blockCopyFile) }
  return { uses: filesByRule(ruleOf(name, firstOperand(words)), words) }
}

function use(word: Word, access: 'read' | 'write', open = false): FileUse {
  return { word, access, open }
}

function firstOperand(words: readonly Word[]): string {
  return words.find((word) => !word.text.startsWith('-'))?.text ?? ''
}

/** Where the tests of `find` begin. */
function firstOption(words: readonly Word[]): number {
  const at = words.findIndex((word) => /^[-(!]/.test(word.text))
  return at < 0 ? words.length : at
}

function blockCopyFile(word: Word): FileUse[] {
  const match = /^(if|of)=(.+)$/.exec(word.text)
  return match?.[2] === undefined ? [] : [use({ ...word, text: match[2] }, match[1] === 'of' ? 'write' : 'read')]
}

/** Git's own options before its subcommand that take the next word. */
const GIT_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace'])

function gitFiles(words: readonly Word[]): CommandFiles {
  let directory: Word | undefined
  let at = 0
  for (; words[at]?.text.startsWith('-'); at++) {
    const option = words[at]?.text ?? ''
    if (option === '-C') directory = words[at + 1]
    if (GIT_VALUES.has(option)) at++
  }
  const subcommand = words[at]?.text ?? ''
  const rest = words.slice(at + 1)
  const operands = subcommand === 'show' ? rest.map(withoutRevision) : rest
  const uses = filesByRule(ruleOf('git', subcommand), operands)
  return { uses, ...(directory !== undefined && { directory }) }
}

/** `HEAD~2:src/a.ts` names a file of another time. */
function withoutRevision(word: Word): Word {
  return { ...word, text: word.text.replace(/^[\w./~^@{}-]+:(?=[^:])/, '') }
}

function filesByRule(rule: CommandRule, words: readonly Word[]): FileUse[] {
  const uses: FileUse[] = []
  const operands: Word[] = []
  let skip = rule.skip ?? 0
  let writes = rule.writesWith?.test('') ?? false
  let optionsEnded = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || word.text === '') continue
    if (optionsEnded || !/^-./.test(word.text)) {
      operands.push(word)
      continue
    }
    optionsEnded = word.text === '--'
    if (rule.skipNone?.test(word.text)) skip = 0
    if (rule.writesWith?.test(word.text)) writes = true
    const option = readOption(rule, word, words[at + 1])
    uses.push(...option.uses)
    at += option.taken
  }
  return [...uses, ...operandUses(rule, operands.slice(skip), writes)]
}

/** The file an option names, and how many of the next words belong to it. */
function readOption(rule: CommandRule, option: Word, next: Word | undefined): { uses: FileUse[]; taken: number } {
  const equals = option.text.indexOf('=')
  const name = equals < 0 ? option.text : option.text.slice(0, equals)
  const value = equals < 0 ? next : { ...option, text: option.text.slice(equals + 1) }
  const access = rule.files?.[name]
  const uses: FileUse[] = []
  if (value !== undefined && access !== undefined) uses.push(use(value, access))
  else if (value !== undefined && equals > 0 && rule.operands === 'open') uses.push(use(value, 'read', true))
  if (equals > 0) return { uses, taken: 0 }
  if (rule.pairs?.includes(name)) return { uses, taken: 2 }
  const takesValue = rule.values?.includes(name) || (name.length > 3 && rule.values?.includes(name.toLowerCase()))
  return { uses, taken: access !== undefined || takesValue ? 1 : 0 }
}

function operandUses(rule: CommandRule, operands: readonly Word[], writes: boolean): FileUse[] {
  switch (rule.operands) {
    case 'none':
      return []
    case 'open':
    case 'read':
      return operands.map((word) => use(word, writes ? 'write' : 'read', rule.operands === 'open'))
    case 'write':
      return operands.map((word) => use(word, 'write'))
    case 'copy':
      return transfer(operands, 'read')
    case 'move':
      return transfer(operands, 'write')
    default:
      return rule.operands satisfies never
  }
}

/** `cp a b`, `mv a b c dir/`: the last is written, and is a directory where several go there or a slash says so. */
function transfer(operands: readonly Word[], sourceAccess: 'read' | 'write'): FileUse[] {
  const sources = operands.slice(0, -1)
  const target = operands.at(-1)
  if (target === undefined || sources.length === 0) return []
  const uses = sources.map((word) => use(word, sourceAccess))
  if (sources.length === 1 && !/[/\\]$|^\.{1,2}$/.test(target.text)) return [...uses, use(target, 'write')]
  for (const source of sources) {
    const name =
      source.text
        .replace(/[/\\]+$/, '')
        .split(/[/\\]/)
        .at(-1) ?? ''
    const dynamic = target.dynamic || source.dynamic
    uses.push(use({ text: `${target.text}/${name}`, dynamic, glob: target.glob || source.glob }, 'write'))
  }
  return uses
}
