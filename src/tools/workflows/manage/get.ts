import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { pageOf } from './node-page.ts'
import { showIdentity, showStructure, showValidation } from './show.ts'

export const get = defineAction({
  name: 'get',
  summary: 'read a workflow: metadata, variables, policy, progress, facts, nodes, validation',
  input: {
    workflowId: fields.workflowId,
    includeNodes: fields.includeNodes.default(true),
    includeValidation: fields.includeValidation.default(true),
    offset: fields.offset.optional(),
    limit: fields.limit.optional(),
  },
  example: { workflowId: 'varve/quick-task', includeNodes: false, includeValidation: false },
  async run({ services, caller }, { workflowId, includeNodes, includeValidation, offset, limit }) {
    const { workflows } = services
    const record = await workflows.getWorkflow(caller, workflowId)
    const { definition } = record
    const { nodes, page } = pageOf(definition.nodes, offset, limit)
    const issues = includeValidation ? await workflows.validate(caller, definition, record.id) : undefined
    return json({
      ...showIdentity(record),
      ownerHandle: record.ownerHandle,
      metadata: definition.metadata,
      variableRegistry: definition.variableRegistry ?? {},
      runtimePolicy: definition.runtimePolicy ?? null,
      progress: definition.progress ?? null,
      systemReminder: definition.systemReminder ?? null,
      structure: showStructure(definition),
      totalNodes: definition.nodes.length,
      ...(includeNodes ? { ...page, nodes } : {}),
      ...(issues === undefined ? {} : { validation: showValidation(issues) }),
    })
  },
})
