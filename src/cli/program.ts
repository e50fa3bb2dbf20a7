/** The program: finds the command, runs it, and turns failures into words and an exit code. */

import { UserError } from '../core/errors.ts'
import { version } from '../installation.ts'
import type { Command } from './command.ts'
import { commandLoaders } from './commands/index.ts'
import { parseInput, usageError } from './parse.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command line. @returns the exit code: 0, 1 (failed) or 2 (wrong usage). */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(words, terminal)
  } catch (error) {
    return report(error, terminal)
  }
}

async function dispatch([word, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (word === '--version' || word === '-v') {
    terminal.print(version)
    return 0
  }
  const name = word === undefined || word === '--help' || word === '-h' ? 'help' : word
  const command = await loadCommand(name)
  const input = parseInput(command, rest)
  if (input.help) {
    const { commandHelp } = await import('./help.ts')
    terminal.print(commandHelp(command))
    return 0
  }
  const code = await command.run(input, terminal)
  // Bare `varve` shows the help, and says by its exit code that a command is missing.
  return word === undefined ? 2 : (code ?? 0)
}

/** A command's definition; only its own module is read. @throws UserError `usage` when there is none of that name. */
export async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commandLoaders, name) ? commandLoaders[name] : undefined
  if (!load) throw usageError(`there is no command '${name}'`)
  return load()
}

/** The one place failures end: what the user can act on in two lines, our own bugs with their trace. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof UserError) {
    terminal.say(`varve: ${error.message}`)
    if (error.details.remedy !== undefined) terminal.say(`  ${error.details.remedy}`)
    return error.code === 'usage' ? 2 : 1
  }
  if (isSystemError(error)) {
    terminal.say(`varve: ${error.message}`)
    return 1
  }
  terminal.say(`varve: this is a defect of Varve: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  return 1
}

/** A failure of the operating system or the database: its message says what happened, a trace adds nothing. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(E|SQLITE_)[A-Z]/.test(error.code)
  )
}
