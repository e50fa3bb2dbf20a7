/** Commands that ask a tool: their options are the tool's own arguments, so that there is one list of them. */

import { z } from 'zod'
import { systemClock } from '../core/clock.ts'
import { callTool, findTool } from '../tools/call.ts'
import type { Tool, ToolAnswer } from '../tools/index.ts'
import type { Command, Input, Option } from './command.ts'
import { defineCommand } from './command.ts'
import { progressLine } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { withApp } from './with-app.ts'

export interface ToolCommand {
  name: string
  summary: string
  description?: string
  /** Its name. */
  tool: string
  /** The tool's argument that is given without a name, and how help calls it. */
  argument?: { property: string; name: string; description: string; required: boolean; repeated?: boolean }
  /** Arguments for what the person leaves out and the tool requires. */
  defaults?: Record<string, unknown>
  examples: readonly string[]
}

/** Makes a command of a tool. */
export function toolCommand(definition: ToolCommand): Command {
  const { name, summary, description, argument, defaults, examples } = definition
  const tool = findTool(definition.tool)
  const properties = inputProperties(tool)
  const options: Record<string, Option> = {}
  for (const [property, schema] of Object.entries(properties)) {
    if (property !== argument?.property) options[optionName(property)] = toOption(schema)
  }
  return defineCommand({
    name,
    summary,
    ...(description !== undefined && { description }),
    arguments: argument ? [argument] : [],
    options: { ...options, json: { type: 'boolean', description: 'print the structured answer' } },
    examples,
    run: (input, terminal) =>
      runTool(
        tool,
        { ...defaults, ...toArguments(input, argument, properties) },
        input.options['json'] === true,
        terminal,
      ),
  })
}

/** Calls a tool and prints its answer. @returns the exit code. */
async function runTool(tool: Tool, args: Record<string, unknown>, json: boolean, terminal: Terminal): Promise<number> {
  return printAnswer(await askTool(terminal, tool.name, args), json, terminal)
}

/** Asks a tool, after reading what is new, so that the answer is of now. */
export function askTool(
  terminal: Terminal,
  name: string,
  args: unknown,
  options: { projectOnly?: boolean } = {},
): Promise<ToolAnswer> {
  return withApp(terminal, async (app) => {
    const progress = progressLine(terminal)
    await app.refresh(progress.show)
    progress.done()
    const acceptedAt = systemClock()
    return callTool(await app.services(), await app.caller(options), name, args, acceptedAt)
  })
}

/** Data to stdout, refusals to stderr. @returns the exit code. */
export function printAnswer(answer: ToolAnswer, json: boolean, terminal: Terminal): number {
  if (json) terminal.print(JSON.stringify(answer.structured, null, 2))
  else if (answer.isError) terminal.say(answer.text)
  else terminal.print(answer.text)
  return answer.isError ? 1 : 0
}

/** The part of JSON Schema that published tool inputs use. */
interface PropertySchema {
  type?: string
  description?: string
  enum?: string[]
  items?: PropertySchema
}

function inputProperties(tool: Tool): Record<string, PropertySchema> {
  return (z.toJSONSchema(tool.input, { io: 'input' }).properties ?? {}) as Record<string, PropertySchema>
}

/** `n_hits` is spelled `--n-hits`. */
function optionName(property: string): string {
  return property.replaceAll('_', '-')
}

function toOption({ type, description = '', enum: values, items }: PropertySchema): Option {
  const choices = values ?? items?.enum
  return {
    type: type === 'boolean' ? 'boolean' : type === 'integer' || type === 'number' ? 'number' : 'text',
    description,
    ...(choices && { choices }),
    ...(type === 'array' && { repeated: true }),
  }
}

function toArguments(
  input: Input,
  argument: ToolCommand['argument'],
  properties: Record<string, PropertySchema>,
): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (const [property, schema] of Object.entries(properties)) {
    const value = input.options[optionName(property)]
    const given = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
    if (given) args[property] = schema.type === 'array' || !Array.isArray(value) ? value : value[0]
  }
  if (argument && input.arguments.length > 0) args[argument.property] = input.arguments.join(' ')
  return args
}
