import { defineCommand } from '../command.ts'
import { usageError } from '../parse.ts'
import { type WorkflowAction, workflowOptions } from '../workflow/action.ts'
import { diff } from '../workflow/diff.ts'
import { list } from '../workflow/list.ts'
import { show } from '../workflow/show.ts'
import { simulate } from '../workflow/simulate.ts'
import { validate } from '../workflow/validate.ts'

const actions: readonly WorkflowAction[] = [list, validate, show, simulate, diff]

export const workflow = defineCommand({
  name: 'workflow',
  summary: 'Look at workflows, check them and walk them, without a server',
  description: ['Actions:', ...actions.map((action) => `- ${action.name}: ${action.summary}`)].join('\n'),
  arguments: [
    { name: 'ACTION', description: actions.map((action) => action.name).join(', '), required: true },
    { name: 'WORKFLOW', description: 'a JSON file, or the slug of a bundled workflow', repeated: true },
  ],
  options: workflowOptions,
  examples: [
    'varve workflow show quick-task',
    'varve workflow validate my-workflow.json',
    'varve workflow simulate my-workflow.json --answers answers.json',
    'varve workflow diff quick-task my-workflow.json',
  ],
  async run({ arguments: [name = '', ...references], options }, terminal) {
    const action = actions.find((each) => each.name === name)
    if (action === undefined) {
      const known = actions.map((each) => each.name).join(', ')
      throw usageError(`there is no action '${name}'; there are ${known}`, 'workflow')
    }
    const { least, most } = action.takes
    if (references.length < least)
      throw usageError(`${name} needs ${least === 1 ? 'a workflow' : `${least} workflows`}`, 'workflow')
    const extra = references[most]
    if (extra !== undefined) throw usageError(`unexpected argument '${extra}'`, 'workflow')
    return action.run(references, options, terminal)
  },
})
