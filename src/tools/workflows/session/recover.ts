import { defineAction } from '../../action.ts'
import { given } from '../shapes.ts'
import { toReply } from '../start.ts'
import { fields, SOME_RUN } from './fields.ts'

export const recover = defineAction({
  name: 'recover',
  summary: 'move a run that diagnose found blocked to a node it can go on from',
  input: {
    executionId: fields.executionId,
    nodeId: fields.nodeId,
    variableValues: fields.variableValues.optional(),
  },
  example: { executionId: SOME_RUN, nodeId: 'review' },
  run: async ({ services, caller }, input) => toReply(await services.workflows.recover(caller, given(input))),
})
