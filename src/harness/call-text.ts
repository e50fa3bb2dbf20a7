/** What a person would read of a tool call, told from the names its arguments have in most agents. */

import { isRecord } from '../core/json.ts'
import { type Fields, fields, lines, list, text } from './fields.ts'

/** Characters shown of what a call writes; the whole is in its arguments. */
const GLIMPSE = 1000

/** Characters of JSON shown for arguments that say nothing by their names. */
const ARGUMENTS = 4000

const COMMANDS = ['command', 'cmd']
const PLACES = [
  'file_path',
  'filePath',
  'filepath',
  'absolute_path',
  'target_file',
  'notebook_path',
  'path',
  'paths',
  'dir_path',
]
const QUESTIONS = ['pattern', 'glob', 'query', 'url', 'title', 'question']
const BEFORE = ['old_string', 'old_str', 'oldString', 'old_text']
const AFTER = ['new_string', 'new_str', 'newString', 'new_text']
const WRITTEN = ['content', 'contents', 'file_text', 'patch', 'new_source', 'fact']
const TASKS = ['agent_name', 'subagent_type', 'agent_type', 'description', 'prompt', 'plan', 'message', 'result']

/**
 * The command, or the path and a glimpse of the change, or what was asked; compact JSON where no argument has a name
 * that tells.
 */
export function callText(input: unknown): string {
  if (typeof input === 'string') return input.slice(0, ARGUMENTS)
  if (!isRecord(input)) return input === undefined || input === null ? '' : JSON.stringify(input).slice(0, ARGUMENTS)
  const command = first(input, COMMANDS)
  const place = first(input, PLACES)
  // The editors of some agents are told by `command` what to do with a path.
  if (command !== '' && place === '') return command
  const todos = list(input['todos']).map(todo)
  const said = lines(
    command,
    place,
    ...QUESTIONS.map((name) => text(input[name])),
    change(input),
    ...list(input['edits']).map((edit) => change(fields(edit))),
    first(input, WRITTEN).slice(0, GLIMPSE),
    ...TASKS.map((name) => text(input[name])),
    ...todos,
  )
  if (said !== '') return said
  return Object.keys(input).length === 0 ? '' : JSON.stringify(input).slice(0, ARGUMENTS)
}

/** The first of the named arguments that says something; a list's items joined by blanks. */
function first(input: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = input[name]
    const said = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(' ') : text(value)
    if (said !== '') return said
  }
  return ''
}

function change(edit: Fields): string {
  const before = first(edit, BEFORE).slice(0, GLIMPSE)
  const after = first(edit, AFTER).slice(0, GLIMPSE)
  return lines(before && `- ${before}`, after && `+ ${after}`)
}

function todo(item: unknown): string {
  const { status, content, description } = fields(item)
  return [text(status) && `[${text(status)}]`, text(content) || text(description)].join(' ').trim()
}
