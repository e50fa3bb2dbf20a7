/** What a command is: one value with its name, arguments, options and behaviour. Help and docs derive from it. */

import type { Terminal } from './terminal.ts'

export interface Argument {
  /** In capitals, as shown: `QUERY`. */
  name: string
  description: string
  required?: boolean
  /** Takes all that follow. */
  repeated?: boolean
}

export interface Option {
  type: 'boolean' | 'text' | 'number'
  description: string
  /** What the value is called in help: `N`, `NAME`. */
  value?: string
  choices?: readonly string[]
  /** May be given more than once. */
  repeated?: boolean
}

export type Options = Readonly<Record<string, Option>>

type One<O extends Option> = O['type'] extends 'number' ? number : string

/** What an option holds once parsed; of an option that is not known, anything an option can hold. */
export type OptionValue<O extends Option> = Option extends O
  ? boolean | string | number | string[] | number[] | undefined
  : O['type'] extends 'boolean'
    ? boolean
    : O extends { repeated: true }
      ? One<O>[]
      : One<O> | undefined

/** A parsed command line. */
export interface Input<O extends Options = Options> {
  arguments: string[]
  options: { [K in keyof O]: OptionValue<O[K]> }
}

export interface Command<O extends Options = Options> {
  name: string
  /** One line, without a full stop. */
  summary: string
  /** Paragraphs shown below the summary. */
  description?: string
  arguments: readonly Argument[]
  /** By name, without the dashes. `--help` is everyone's. */
  options: O
  examples?: readonly string[]
  /** Does the work; the exit code, 0 when nothing is returned. */
  run(input: Input<O>, terminal: Terminal): Promise<number | undefined>
}

/** Returns its argument; exists for the types. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command
}
