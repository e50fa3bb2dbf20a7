import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields } from './fields.ts'
import { showExecution } from './show.ts'

export const executions = defineAction({
  name: 'executions',
  summary: 'list your runs, those under way first of all',
  input: {
    status: fields.status.optional(),
    workflowId: fields.workflowId.optional(),
    search: fields.search.optional(),
    sort: fields.sort.optional(),
    sortOrder: fields.sortOrder.optional(),
    limit: fields.limit.optional(),
    offset: fields.offset.optional(),
  },
  example: { limit: 20, offset: 0 },
  async run({ services, caller }, input) {
    const { executions: found, ...page } = await services.workflows.listExecutions(caller, given(input))
    return json({ executions: found.map(showExecution), ...page })
  },
})
