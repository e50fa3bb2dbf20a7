import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_REVISION, SOME_RUN } from './fields.ts'

export const setParent = defineAction({
  name: 'set-parent',
  summary: 'make a run part of another one, or independent',
  input: {
    executionId: fields.executionId,
    parentExecutionId: fields.parentExecutionId,
    expectedRevision: fields.expectedRevision,
    expectedParentRevision: fields.expectedParentRevision,
  },
  example: {
    executionId: SOME_RUN,
    parentExecutionId: 'none',
    expectedRevision: 3,
    expectedParentRevision: SOME_REVISION,
  },
  async run({ services, caller }, input) {
    const changed = await services.workflows.setParent(caller, input)
    return json({ success: true, executionId: input.executionId, ...changed })
  },
})
