/**
 * Cuts a shell script into commands: words with what of them was quoted, redirections, here-documents, and the scripts
 * inside substitutions. Reads POSIX shells, or PowerShell and cmd, where a backslash is only a character. It never
 * fails: what is not closed ends with the text. One pass, so the time is linear in the length.
 */

export interface Word {
  /** Without quotes; a variable in it is written `$<name>`. */
  text: string
  /** Some of it is only known when it runs: a variable, a substitution. */
  dynamic: boolean
  /** It is a pattern: an unquoted `*`, `?` or `{a,b}`. */
  glob: boolean
}

export interface Redirection {
  access: 'read' | 'write'
  target: Word
}

export interface Command {
  words: Word[]
  redirections: Redirection[]
  /** Bodies of its here-documents, and its here-strings. */
  documents: string[]
  /** Scripts inside `$(...)`, backquotes and `<(...)`. */
  nested: string[]
}

/** A command, or the begin or end of a subshell, whose `cd` does not outlive it. */
export type ShellStep = { kind: 'command'; command: Command } | { kind: 'open' } | { kind: 'close' }

export type Dialect = 'posix' | 'windows'

const REDIRECTION = /(?:\d{0,2}|&)(?:>>|>\||>&|>|<<<|<<-|<<|<&|<>|<)/y
const NAME = /\$(?:\{([^}\s]{0,200})\}|(\w+|[@*#?$!-]))/y
const BRACES = /\{[^{}\s]{0,200}(?:,|\.\.)[^{}\s]{0,200}\}/y
const BLANK = /[ \t\r]/

/** Where reading stands, and what has been read. */
interface Reader {
  script: string
  /** The character that takes its meaning from the next. */
  escape: '\\' | '`'
  at: number
  steps: ShellStep[]
  command: Command
  /** Here-documents announced on this line, whose bodies begin on the next. */
  awaited: { end: string; stripTabs: boolean; command: Command }[]
}

/** The steps of a script, in order. */
export function readShell(script: string, dialect: Dialect): ShellStep[] {
  const reader: Reader = {
    script,
    escape: dialect === 'posix' ? '\\' : '`',
    at: 0,
    steps: [],
    command: emptyCommand(),
    awaited: [],
  }
  while (reader.at < script.length) readStep(reader)
  endCommand(reader)
  return reader.steps
}

function emptyCommand(): Command {
  return { words: [], redirections: [], documents: [], nested: [] }
}

function readStep(reader: Reader): void {
  const char = here(reader)
  if (char === '\n') endLine(reader)
  else if (BLANK.test(char)) reader.at++
  else if (char === reader.escape && here(reader, 1) === '\n') reader.at += 2
  else if (char === '#') skipLine(reader)
  else if (readRedirection(reader)) return
  else if (/[;|&()]/.test(char)) separate(reader, char)
  else reader.command.words.push(readWord(reader))
}

function here(reader: Reader, ahead = 0): string {
  return reader.script.charAt(reader.at + ahead)
}

function separate(reader: Reader, char: string): void {
  reader.at++
  endCommand(reader)
  if (char === '(') reader.steps.push({ kind: 'open' })
  if (char === ')') reader.steps.push({ kind: 'close' })
}

function endCommand(reader: Reader): void {
  const { words, redirections, documents, nested } = reader.command
  if (words.length + redirections.length + documents.length + nested.length > 0) {
    reader.steps.push({ kind: 'command', command: reader.command })
  }
  reader.command = emptyCommand()
}

function skipLine(reader: Reader): void {
  const end = reader.script.indexOf('\n', reader.at)
  reader.at = end < 0 ? reader.script.length : end
}

function endLine(reader: Reader): void {
  reader.at++
  // A document belongs to its command even when that one ended on the line that announced it.
  for (const { end, stripTabs, command } of reader.awaited.splice(0)) {
    command.documents.push(readBody(reader, end, stripTabs))
  }
  endCommand(reader)
}

/** The lines up to the one that is `end`. */
function readBody(reader: Reader, end: string, stripTabs: boolean): string {
  const { script } = reader
  const start = reader.at
  while (reader.at < script.length) {
    const lineStart = reader.at
    skipLine(reader)
    const line = script.slice(lineStart, reader.at).replace(/\r$/, '')
    reader.at = Math.min(reader.at + 1, script.length)
    if ((stripTabs ? line.replace(/^\t+/, '') : line) === end) return script.slice(start, lineStart)
  }
  return script.slice(start)
}

function readRedirection(reader: Reader): boolean {
  REDIRECTION.lastIndex = reader.at
  const operator = REDIRECTION.exec(reader.script)?.[0]
  if (operator === undefined) return false
  reader.at += operator.length
  if (/^[<>]$/.test(operator) && here(reader) === '(') {
    reader.at++
    reader.command.nested.push(readParentheses(reader))
    return true
  }
  while (BLANK.test(here(reader))) reader.at++
  if (/^[\n;|&()]?$/.test(here(reader))) return true
  addRedirection(reader, operator.replace(/^(?:\d+|&)/, ''), readWord(reader))
  return true
}

function addRedirection({ command, awaited }: Reader, sign: string, target: Word): void {
  if (sign === '<<' || sign === '<<-') awaited.push({ end: target.text, stripTabs: sign === '<<-', command })
  else if (sign === '<<<') command.documents.push(target.text)
  else if (sign === '<&' || (sign === '>&' && /^(?:\d+|-)$/.test(target.text))) return
  else command.redirections.push({ access: sign === '<' ? 'read' : 'write', target })
}

function readWord(reader: Reader): Word {
  const word: Word = { text: '', dynamic: false, glob: false }
  const start = reader.at
  while (reader.at < reader.script.length) {
    const char = here(reader)
    if (/[\s;|&()<>]/.test(char)) break
    if (char === "'") readSingleQuoted(reader, word)
    else if (char === '"') readDoubleQuoted(reader, word)
    else if (char === reader.escape) readEscaped(reader, word)
    else if (char === '$' || char === '`') readExpansion(reader, word)
    else readPlain(reader, word, char)
  }
  // A lone operator character in the place of a word.
  if (reader.at === start) reader.at++
  return word
}

function readPlain(reader: Reader, word: Word, char: string): void {
  if (char === '*' || char === '?') word.glob = true
  if (char === '{') {
    BRACES.lastIndex = reader.at
    if (BRACES.test(reader.script)) word.glob = true
  }
  word.text += char
  reader.at++
}

function readEscaped(reader: Reader, word: Word): void {
  const next = here(reader, 1)
  if (next !== '\n') word.text += next
  reader.at += 2
}

function readSingleQuoted(reader: Reader, word: Word): void {
  const end = reader.script.indexOf("'", reader.at + 1)
  word.text += reader.script.slice(reader.at + 1, end < 0 ? undefined : end)
  reader.at = end < 0 ? reader.script.length : end + 1
}

function readDoubleQuoted(reader: Reader, word: Word): void {
  reader.at++
  while (reader.at < reader.script.length) {
    const char = here(reader)
    if (char === '"') break
    if (char === reader.escape && /["\\$`\n]/.test(here(reader, 1))) readEscaped(reader, word)
    else if (char === '$' || (char === '`' && reader.escape !== '`')) readExpansion(reader, word)
    else {
      word.text += char
      reader.at++
    }
  }
  reader.at++
}

/**
 * `$name` and `${name}` stay in the text as `$<name>`; the scripts of `$(...)` and of backquotes are put aside, and `$<>`
 * stays in their place, the name of nothing.
 */
function readExpansion(reader: Reader, word: Word): void {
  if (here(reader) === '`') {
    const end = reader.script.indexOf('`', reader.at + 1)
    reader.command.nested.push(reader.script.slice(reader.at + 1, end < 0 ? undefined : end))
    reader.at = end < 0 ? reader.script.length : end + 1
  } else if (here(reader, 1) === '(') {
    reader.at += 2
    reader.command.nested.push(readParentheses(reader))
  } else {
    NAME.lastIndex = reader.at
    const match = NAME.exec(reader.script)
    word.text += match === null ? '$' : `$<${match[1] ?? match[2] ?? ''}>`
    word.dynamic ||= match !== null
    reader.at += match?.[0].length ?? 1
    return
  }
  word.text += '$<>'
  word.dynamic = true
}

/** The text up to the parenthesis that closes one already read; quotes inside hide theirs. */
function readParentheses(reader: Reader): string {
  const start = reader.at
  let depth = 1
  let quoted = false
  while (reader.at < reader.script.length) {
    const char = here(reader)
    if (char === reader.escape) reader.at++
    else if (char === '"') quoted = !quoted
    else if (char === "'" && !quoted) {
      const end = reader.script.indexOf("'", reader.at + 1)
      reader.at = end < 0 ? reader.script.length : end
    } else if (char === '(' && !quoted) depth++
    else if (char === ')' && !quoted && --depth === 0) break
    reader.at++
  }
  const inside = reader.script.slice(start, reader.at)
  reader.at++
  return inside
}
