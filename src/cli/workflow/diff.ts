import { diffDefinitions, type FieldChange, type NamedChanges } from '../../workflow/graph-diff.ts'
import { printJson, type WorkflowAction } from './action.ts'
import { readParsed } from './read-definition.ts'

/** Characters of a value that are shown. */
const VALUE_WIDTH = 100

export const diff: WorkflowAction = {
  name: 'diff',
  summary: 'what differs between two, down to the field',
  takes: { least: 2, most: 2 },
  async run([before = '', after = ''], options, terminal) {
    const changes = diffDefinitions(readParsed(before, terminal.cwd), readParsed(after, terminal.cwd))
    if (options.json) {
      printJson(terminal, changes)
      return 0
    }
    const lines = [
      ...changes.metadata.map((change) => changed('metadata.', change)),
      ...named('variable', changes.registry),
      ...changes.runtimePolicy.map((change) => changed('runtimePolicy.', change)),
      ...changes.progress.map((change) => changed('progress.', change)),
      ...changes.systemReminder.map((change) => changed('', change)),
      ...named('node', changes.nodes),
      ...(changes.reordered ? ['the nodes stand in another order'] : []),
    ]
    for (const line of changes.identical ? ['no difference'] : lines) terminal.print(line)
    return 0
  },
}

function named(kind: string, { added, removed, changed: both }: NamedChanges): string[] {
  return [
    ...added.map((name) => `+ ${kind} ${name}`),
    ...removed.map((name) => `- ${kind} ${name}`),
    ...both.flatMap(({ name, fields }) => fields.map((change) => changed(`${kind} ${name}: `, change))),
  ]
}

function changed(prefix: string, { field, before, after }: FieldChange): string {
  return `~ ${prefix}${field}: ${valueText(before)} -> ${valueText(after)}`
}

function valueText(value: unknown): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > VALUE_WIDTH ? `${text.slice(0, VALUE_WIDTH - 3)}...` : text
}
