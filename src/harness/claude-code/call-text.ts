/** What a person would read of a tool call: the command, the path and a glimpse of the change, the question. */

import { isRecord } from '../../core/json.ts'
import { textField } from './content.ts'

/** Characters shown of each side of an edit; the whole change is in the call's arguments. */
const GLIMPSE = 1000

/** Characters of arguments shown for a tool without a text of its own. */
const ARGUMENTS = 4000

type CallText = (input: Record<string, unknown>) => string

const TEXTS = new Map<string, CallText>([
  ['Bash', (input) => textField(input, 'command')],
  ['bash', (input) => textField(input, 'command')],
  ['PowerShell', (input) => textField(input, 'command')],
  ['Read', (input) => path(input)],
  ['Edit', (input) => lines(path(input), change(input))],
  ['MultiEdit', (input) => lines(path(input), ...list(input['edits']).map(change))],
  ['Write', (input) => lines(path(input), textField(input, 'content').slice(0, GLIMPSE))],
  ['NotebookEdit', (input) => lines(path(input), textField(input, 'new_source').slice(0, GLIMPSE))],
  ['Glob', (input) => lines(textField(input, 'pattern'), path(input))],
  ['Grep', (input) => lines(textField(input, 'pattern'), path(input), textField(input, 'glob'))],
  ['Task', subagent],
  ['Agent', subagent],
  ['WebFetch', (input) => lines(textField(input, 'url'), textField(input, 'prompt'))],
  ['WebSearch', (input) => textField(input, 'query')],
  ['ToolSearch', (input) => textField(input, 'query')],
  [
    'Skill',
    (input) => [textField(input, 'skill') || textField(input, 'command'), textField(input, 'args')].join(' ').trim(),
  ],
  ['ExitPlanMode', (input) => textField(input, 'plan')],
  ['TaskCreate', (input) => lines(textField(input, 'subject'), textField(input, 'description'))],
  ['TodoWrite', (input) => list(input['todos']).map(todo).join('\n')],
])

/** The readable text of a call; compact JSON for a tool that is not known, or whose arguments are not as expected. */
export function callText(name: string, input: unknown): string {
  if (isRecord(input)) {
    const text = TEXTS.get(name)?.(input)
    if (text) return text
  }
  if (typeof input === 'string') return input
  return input === undefined ? '' : JSON.stringify(input).slice(0, ARGUMENTS)
}

function path(input: Record<string, unknown>): string {
  return textField(input, 'file_path') || textField(input, 'notebook_path') || textField(input, 'path')
}

function change(edit: Record<string, unknown>): string {
  const before = textField(edit, 'old_string').slice(0, GLIMPSE)
  const after = textField(edit, 'new_string').slice(0, GLIMPSE)
  return lines(before && `- ${before}`, after && `+ ${after}`)
}

function subagent(input: Record<string, unknown>): string {
  return lines(textField(input, 'description'), textField(input, 'prompt'))
}

function todo(item: Record<string, unknown>): string {
  return [textField(item, 'status') && `[${textField(item, 'status')}]`, textField(item, 'content')].join(' ').trim()
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function lines(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}
