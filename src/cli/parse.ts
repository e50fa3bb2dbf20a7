/** Reads a command line against a command's definition. */

import { parseArgs } from 'node:util'
import { UserError } from '../core/errors.ts'
import type { Command, Input, Option } from './command.ts'

/** Usage errors name the command to ask for help. */
export function usageError(message: string, command?: string): UserError {
  return new UserError('usage', message, { remedy: `see \`varve help${command === undefined ? '' : ` ${command}`}\`` })
}

/**
 * Parses the words after the command's name.
 * @throws UserError `usage` for unknown or ill-formed options and for a wrong number of arguments.
 */
export function parseInput(command: Command, words: readonly string[]): Input & { help: boolean } {
  const { values, positionals } = split(command, words)
  const help = values['help'] === true
  if (!help) checkArguments(command, positionals)
  const options: Record<string, string | number | boolean | string[] | number[] | undefined> = {}
  for (const [name, option] of Object.entries(command.options)) {
    options[name] = parsedValue(command, name, option, values[name])
  }
  return { arguments: positionals, options: options as Input['options'], help }
}

type Given = string | boolean | (string | boolean)[] | undefined

function split(command: Command, words: readonly string[]): { values: Record<string, Given>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, repeated }]) => [
      name,
      { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), multiple: repeated === true },
    ]),
  )
  try {
    return parseArgs({
      args: [...words],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error)
    throw usageError(message, command.name)
  }
}

function checkArguments(command: Command, given: readonly string[]): void {
  const missing = command.arguments.find(({ required }, place) => required && given[place] === undefined)
  if (missing) throw usageError(`${missing.name} is missing`, command.name)
  const extra = command.arguments.at(-1)?.repeated ? undefined : given[command.arguments.length]
  if (extra !== undefined) throw usageError(`unexpected argument '${extra}'`, command.name)
}

function parsedValue(command: Command, name: string, option: Option, given: Given) {
  if (option.type === 'boolean') return given === true
  if (given === undefined) return option.repeated ? [] : undefined
  const texts = (Array.isArray(given) ? given : [given]).map(String)
  for (const text of texts) checkChoice(command, name, option, text)
  if (option.type === 'number') {
    const numbers = texts.map((text) => toNumber(command, name, text))
    return option.repeated ? numbers : numbers[0]
  }
  return option.repeated ? texts : texts[0]
}

function checkChoice(command: Command, name: string, { choices }: Option, text: string): void {
  if (choices && !choices.includes(text)) {
    throw usageError(`--${name} must be one of ${choices.join(', ')}, not '${text}'`, command.name)
  }
}

function toNumber(command: Command, name: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) {
    throw usageError(`--${name} must be a number, not '${text}'`, command.name)
  }
  return number
}
