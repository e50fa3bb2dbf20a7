/** manage: write, read, check and change workflows. One file per action. */

import { z } from 'zod'
import { defineActionTool } from '../../action.ts'
import { analyzeVariables } from './analyze-variables.ts'
import { cloneNode } from './clone-node.ts'
import { copy } from './copy.ts'
import { create } from './create.ts'
import { createInvite } from './create-invite.ts'
import { deleteVariable } from './delete-variable.ts'
import { diff } from './diff.ts'
import { edit } from './edit.ts'
import { get } from './get.ts'
import { getNode } from './get-node.ts'
import { getNodes } from './get-nodes.ts'
import { getStructure } from './get-structure.ts'
import { getVariable } from './get-variable.ts'
import { listAccess } from './list-access.ts'
import { listInvites } from './list-invites.ts'
import { listNodes } from './list-nodes.ts'
import { listVariables } from './list-variables.ts'
import { moveNode } from './move-node.ts'
import { revokeAccess } from './revoke-access.ts'
import { revokeInvite } from './revoke-invite.ts'
import { searchNodes } from './search-nodes.ts'
import { setVariable } from './set-variable.ts'
import { setVisibility } from './set-visibility.ts'
import { validate } from './validate.ts'

export const manage = defineActionTool({
  name: 'manage',
  toolset: 'workflows',
  title: 'Write and inspect workflows',
  description: [
    'Create, read, check and change workflow definitions, by action. Call it when the user asks for a new workflow, wants one',
    'changed or explained, or when a run is stuck on a mistake in its definition. Before writing one, read help topics',
    '"concepts", "nodes" and "templates". create and edit validate first and store all or nothing; validate lists every',
    'finding with a remedy. To read a large workflow use get with includeNodes false, list-nodes, then get-nodes. To run a',
    'workflow use start; variables of a run under way belong to session.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  actionDescription: 'What to do with the workflow.',
  actions: [
    create,
    edit,
    get,
    getStructure,
    getNode,
    searchNodes,
    validate,
    getVariable,
    setVariable,
    listVariables,
    deleteVariable,
    diff,
    copy,
    cloneNode,
    moveNode,
    listNodes,
    getNodes,
    analyzeVariables,
    setVisibility,
    createInvite,
    listAccess,
    listInvites,
    revokeAccess,
    revokeInvite,
  ],
  output: {
    success: z.boolean(),
    workflowId: z.string().describe('The permanent id of the workflow.'),
    reference: z.string().describe('The id that list shows.'),
    revision: z.number().describe('Pass it to edit as expectedRevision.'),
  },
})
