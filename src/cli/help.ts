/** Help texts, made from the commands themselves. */

import type { Argument, Command, Option } from './command.ts'

/** `varve search [OPTIONS] QUERY...` */
export function usageLine(command: Command): string {
  const options = Object.keys(command.options).length > 0 ? [' [OPTIONS]'] : []
  return `varve ${command.name}${options.join('')}${command.arguments.map((argument) => ` ${shown(argument)}`).join('')}`
}

function shown({ name, required, repeated }: Argument): string {
  const word = repeated ? `${name}...` : name
  return required ? word : `[${word}]`
}

/** `--port N` */
export function optionLabel(name: string, { type, value, choices }: Option): string {
  if (type === 'boolean') return `--${name}`
  return `--${name} ${value ?? (choices ? choices.join('|') : type === 'number' ? 'N' : 'TEXT')}`
}

/** What an option does, and whether it may be repeated. */
export function optionDescription({ description, repeated }: Option): string {
  return repeated ? `${description} (may be repeated)` : description
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { summary, description, examples = [] } = command
  const options = Object.entries(command.options)
  return [
    `${summary}.`,
    ...(description === undefined ? [] : ['', description]),
    '',
    'Usage:',
    `  ${usageLine(command)}`,
    ...section(
      'Arguments',
      command.arguments.map((argument) => [argument.name, argument.description]),
    ),
    ...section('Options', [
      ...options.map(([name, option]): Row => [optionLabel(name, option), optionDescription(option)]),
      ['-h, --help', 'show this help'],
    ]),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples.map((line) => `  ${line}`)] : []),
  ].join('\n')
}

/** The help of the program. */
export function programHelp(commands: readonly Command[]): string {
  return [
    'Varve keeps what coding agents did on this machine and finds it again.',
    '',
    'Usage:',
    '  varve COMMAND [OPTIONS]',
    ...section(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    '',
    '`varve help COMMAND` tells more about one of them. Documentation: docs/ in the folder of the program.',
  ].join('\n')
}

type Row = readonly [string, string]

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([label]) => label.length))
  return ['', `${title}:`, ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`)]
}
