import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showIdentity } from './show.ts'

/** Most results of one search. */
const MAX_RESULTS = 100

export const searchNodes = defineAction({
  name: 'search-nodes',
  summary: 'find nodes by words or a regular expression, in ids and texts',
  input: {
    workflowId: fields.workflowId,
    query: fields.query,
    includeVariables: fields.includeVariables.default(false),
    snippetMode: fields.snippetMode.default(false),
  },
  example: { workflowId: 'varve/quick-task', query: 'review' },
  async run({ services, caller }, { workflowId, query, includeVariables, snippetMode }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const { searchNodes: search, searchVariables } = await import('../../../workflow/node-search.ts')
    const found = search(record.definition, query)
    const results = found.slice(0, MAX_RESULTS).map(({ node, match }) => ({
      nodeId: node.id,
      type: node.type,
      ...match,
      ...(snippetMode ? {} : { node }),
    }))
    const variables = searchVariables(record.definition, query).map(({ match, ...variable }) => ({
      ...variable,
      ...match,
    }))
    return json({
      ...showIdentity(record),
      query,
      resultCount: found.length,
      truncated: found.length > results.length,
      results,
      ...(includeVariables ? { variables } : {}),
    })
  },
})
