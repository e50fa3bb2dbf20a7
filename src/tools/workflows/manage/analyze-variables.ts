import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showIdentity } from './show.ts'

export const analyzeVariables = defineAction({
  name: 'analyze-variables',
  summary: 'see for every variable where it gets its value and where it is read',
  input: { workflowId: fields.workflowId, variableNames: fields.variableNames.optional() },
  example: { workflowId: 'varve/quick-task' },
  async run({ services, caller }, { workflowId, variableNames }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    // What reads definitions is loaded when it is asked for: a server starts quicker without it.
    const { analyzeVariables: analyze } = await import('../../../workflow/variable-usage.ts')
    const analysis = [...analyze(record.definition)].filter(([name]) => variableNames?.includes(name) ?? true)
    return json({
      ...showIdentity(record),
      variableCount: analysis.length,
      analysis: Object.fromEntries(analysis),
    })
  },
})
