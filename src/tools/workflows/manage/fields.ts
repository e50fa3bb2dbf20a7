/** Every field of manage, declared once: actions pick from here. */

import { z } from 'zod'
import { progressSchema } from '../../../workflow/definition.ts'
import { count, jsonObject, wholeNumber } from '../../fields.ts'

const visibility = z.enum(['public', 'private'])

const runtimePolicy = z.strictObject({
  externalVariableWrites: z
    .record(z.string(), z.strictObject({ allowedNodeIds: z.array(z.string()).optional() }))
    .meta({ propertyNames: undefined })
    .optional(),
})

const metadata = {
  name: z.string().describe('Name for people.'),
  version: z.string().describe('Version, such as 1.0.0.'),
  description: z.string().describe('What it is for, in a sentence or two.'),
  author: z.string().describe('Who wrote it.').optional(),
  tags: z.array(z.string()).describe('Words to find it by.').optional(),
}

const workflow = z
  .strictObject({
    id: z.string().describe('Id to store it under; made from the name when left out.').optional(),
    metadata: z.strictObject(metadata),
    nodes: z.array(jsonObject).describe('The nodes; help topic "nodes" describes each type.'),
    variableRegistry: jsonObject
      .describe('Global variables: name -> JSON Schema with type, description and perhaps default.')
      .optional(),
    runtimePolicy: runtimePolicy.optional(),
    progress: progressSchema.optional(),
    visibility: visibility.describe('Who may run it: private (default) is you alone.').optional(),
    systemReminder: z.string().describe('A reminder shown to the agent with every step.').optional(),
  })
  .describe('create: the whole workflow. validate: a draft to check, instead of workflowId.')

const changes = z
  .strictObject({
    metadata: z
      .strictObject({
        name: z.string().optional(),
        version: z.string().optional(),
        description: z.string().optional(),
        author: z.string().optional(),
        tags: z.array(z.string()).optional(),
      })
      .describe('Metadata fields to set; the others stay.')
      .optional(),
    variableRegistry: jsonObject.describe('The new registry, in place of the whole old one.').optional(),
    runtimePolicy: runtimePolicy.optional(),
    progress: progressSchema.optional(),
    addNodes: z.array(jsonObject).describe('Nodes to add at the end.').optional(),
    removeNodes: z.array(z.string()).describe('Ids of nodes to remove.').optional(),
    updateNodes: z
      .array(
        z.strictObject({
          nodeId: z.string().describe('The node to change.'),
          changes: z
            .unknown()
            .describe('An object of the fields to set; null takes a field away, the others stay.')
            .optional(),
        }),
      )
      .describe('Nodes to change.')
      .optional(),
    removeConnections: z
      .array(
        z.strictObject({
          nodeId: z.string().describe('The node the connection leaves.'),
          connectionKey: z.string().describe('Its name, such as default, success, true or error.'),
        }),
      )
      .describe('Connections to remove.')
      .optional(),
    systemReminder: z.string().describe('The new reminder; an empty one takes it away.').optional(),
  })
  .describe('edit: what to change. Applied as a whole or not at all.')

export const fields = {
  workflowId: z.string().describe('The workflow: an id from list, or the slug of one of yours.'),
  workflow,
  overwrite: z.boolean().describe('create: replace your workflow that has this id already.'),
  changes,
  expectedRevision: count.describe(
    'edit: the revision (from get) the changes were made for; refused when it moved on.',
  ),
  includeNodes: z.boolean().describe('get: with the nodes themselves.'),
  includeValidation: z.boolean().describe('get: with what validation finds.'),
  offset: wholeNumber(0).meta({ minimum: undefined }).describe('get, list-nodes: how many nodes to skip.'),
  limit: wholeNumber(1).meta({ minimum: undefined }).describe('get, list-nodes: how many nodes to return at most.'),
  nodeId: z.string().describe('The node.'),
  query: z
    .string()
    .refine((query) => query.trim() !== '', 'must not be blank')
    .describe('search-nodes: words, or a regular expression, in any letter case.'),
  variableName: z.string().describe('A declared variable.'),
  variableValue: z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .describe('set-variable: the value that runs begin with.'),
  variableNames: z.array(z.string()).describe('list-variables, analyze-variables: only these.'),
  variableTypes: z.array(z.string()).describe('list-variables: only of these types.'),
  hasDefault: z.boolean().describe('list-variables: only with (true) or without (false) a default.'),
  externallyWritable: z
    .boolean()
    .describe('list-variables: only those that session set-variable may write, or may not.'),
  compareWorkflowId: z.string().describe('diff: the workflow to compare with.'),
  newName: z.string().describe('copy: the name of the copy.'),
  newId: z.string().describe('clone-node: the id of the new node.'),
  targetIndex: wholeNumber(0).meta({ minimum: undefined }).describe('move-node: the place to move to, counted from 0.'),
  afterNodeId: z.string().describe('move-node: the node to stand after, instead of targetIndex.'),
  typeFilter: z.string().describe('list-nodes: only nodes of this type.'),
  includePreview: z.boolean().describe('list-nodes: with the beginning of what each node says.'),
  previewLength: wholeNumber(1)
    .meta({ minimum: undefined })
    .describe('list-nodes: length of previews; 100 when left out.'),
  nodeIds: z.array(z.string()).describe('get-nodes: the nodes.'),
  includeVariables: z.boolean().describe('search-nodes: look in the variables too.'),
  snippetMode: z.boolean().describe('search-nodes: only where it matches, without the nodes.'),
  graph: z.boolean().describe('get-structure: with the flow drawn in text.'),
  detailed: z.boolean().describe('get-structure: with the beginning of what each node says.'),
  visibility: visibility.describe('set-visibility: public (everybody here may run it) or private.'),
  inviteId: z.string().describe('revoke-invite: the invite.'),
  targetUserId: z.string().describe('revoke-access: the user.'),
  ttlMs: wholeNumber(1)
    .meta({ minimum: undefined })
    .describe('create-invite: milliseconds until it ends; 7 days when left out.'),
  activeOnly: z.boolean().describe('list-invites: leave out the used and ended ones (default).'),
}
