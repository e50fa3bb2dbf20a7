import { formatTime } from '../../../core/time.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'

export const progress = defineAction({
  name: 'progress',
  summary: 'see how far a run is, block by block, now or as it was after some visit',
  input: { executionId: fields.executionId, at: fields.at.optional() },
  example: { executionId: SOME_RUN },
  async run({ services, caller }, { executionId, at }) {
    const { projectProgress } = await import('../../../workflow/progress.ts')
    const run = await services.workflows.history(caller, executionId)
    const { execution, definition, state, visits, writes } = run
    const { route, ...projection } = projectProgress({
      definition,
      state,
      visits,
      writes,
      workflowId: execution.workflowId,
      executionId: execution.executionId,
      userId: String(caller.owner),
      ...(at === undefined ? {} : { at }),
    })
    return json({
      executionId: execution.executionId,
      status: execution.status,
      outcome: execution.outcome,
      revision: execution.revision,
      ...projection,
      route: route.map((visit) => ({ ...visit, at: formatTime(visit.at) })),
    })
  },
})
