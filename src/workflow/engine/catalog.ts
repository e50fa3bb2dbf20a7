/** Workflows as users see and change them. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import { describePage, pageRequest } from '../../core/page.ts'
import { isUuid } from '../../core/uuid.ts'
import {
  dropUnusedGraph,
  findWorkflow,
  findWorkflowBySlug,
  insertWorkflow,
  keepGraph,
  listWorkflowRows,
  markWorkflowDeleted,
  type Queryable,
  replaceWorkflow,
  type WorkflowRow,
  workflowIdTaken,
} from '../../store/index.ts'
import type { Issue, WorkflowDefinition } from '../definition.ts'
import { errorText, resolverFor, validateDefinition, validationResult } from '../validate.ts'
import { bundleInstalled } from './bundled.ts'
import { audit, type EngineContext } from './context.ts'
import { definitionHash, executablePart } from './definition-cache.ts'
import { chooseSlug, isSlug } from './slug.ts'
import type {
  CreateWorkflow,
  Page,
  SavedWorkflow,
  UpdateWorkflow,
  Visibility,
  WorkflowQuery,
  WorkflowRecord,
  WorkflowSummary,
} from './types.ts'

const USUAL_PAGE = 20

export async function listWorkflows(
  ctx: EngineContext,
  caller: Caller,
  query: WorkflowQuery,
): Promise<Page & { workflows: WorkflowSummary[] }> {
  const { limit, offset } = pageRequest(query, USUAL_PAGE)
  await bundleInstalled(ctx)
  const { rows, total } = await listWorkflowRows(ctx.store, {
    owner: caller.owner,
    ...(query.search === undefined ? {} : { search: query.search }),
    ...(query.visibility === undefined || query.visibility === 'all' ? {} : { visibility: query.visibility }),
    sort: query.sort ?? 'createdAt',
    descending: query.sortOrder !== 'asc',
    limit,
    offset,
  })
  return {
    workflows: rows.map((row) => summaryOf(ctx, caller, row)),
    ...describePage(total, limit, offset, rows.length),
  }
}

export async function getWorkflow(ctx: EngineContext, caller: Caller, reference: string): Promise<WorkflowRecord> {
  const row = await resolveOrRefuse(ctx, ctx.store, caller.owner, reference)
  return recordOf(ctx, caller, row)
}

/**
 * The workflow a reference leads an owner to: an id, `handle/slug`, or the slug of an own one. What the owner may not see
 * is not there.
 */
export async function resolveWorkflow(
  ctx: EngineContext,
  db: Queryable,
  owner: number,
  reference: string,
): Promise<WorkflowRow | undefined> {
  const lower = reference.trim().toLowerCase()
  if (isUuid(lower)) return findWorkflow(db, owner, lower)
  const [handle, slug, more] = lower.split('/')
  if (handle === undefined || more !== undefined) return undefined
  if (slug === undefined) return findWorkflowBySlug(db, owner, owner, handle)
  const slugOwner = ctx.accounts.ownerOf(handle)
  return slugOwner === undefined ? undefined : findWorkflowBySlug(db, owner, slugOwner, slug)
}

/** The same, for those who cannot go on without it. @throws UserError `not_found` */
export async function resolveOrRefuse(
  ctx: EngineContext,
  db: Queryable,
  owner: number,
  reference: string,
): Promise<WorkflowRow> {
  await bundleInstalled(ctx)
  const row = await resolveWorkflow(ctx, db, owner, reference)
  if (row) return row
  throw new UserError('not_found', `Workflow not found: "${reference.slice(0, 200)}"`, {
    field: 'workflowId',
    remedy: 'use an id from list; a workflow of another owner is named handle/slug',
    next: { tool: 'list', args: {} },
  })
}

/** Every finding about a definition, its subgraphs looked up for the caller. */
export async function validate(
  ctx: EngineContext,
  caller: Caller,
  definition: unknown,
  selfId?: string,
): Promise<Issue[]> {
  const alone = validateDefinition(definition)
  if (!validationResult(alone).valid) return alone
  const whole = definition as WorkflowDefinition
  if (!whole.nodes.some((node) => node.type === 'subgraph')) return alone
  await bundleInstalled(ctx)
  const lookup = async (reference: string) => {
    const row = await resolveWorkflow(ctx, ctx.store, caller.owner, reference)
    return row ? { id: row.id, definition: await ctx.definitions.load(ctx.store, row.owner, row.hash) } : null
  }
  return validateDefinition(definition, await resolverFor(whole, lookup, selfId))
}

export async function createWorkflow(
  ctx: EngineContext,
  caller: Caller,
  request: CreateWorkflow,
): Promise<SavedWorkflow> {
  const { definition, warnings } = await accepted(ctx, caller, request.definition)
  const { owner } = caller
  const chosenId =
    definition.id !== undefined && isUuid(definition.id.toLowerCase()) ? definition.id.toLowerCase() : null
  const chosenSlug = definition.slug ?? (chosenId === null && isSlug(definition.id) ? definition.id : undefined)
  const existing = await findOwn(ctx, owner, chosenId, chosenSlug)
  if (existing && request.overwrite !== true) {
    throw new UserError('ALREADY_EXISTS', `You already have the workflow "${existing.slug}" (${existing.id})`, {
      field: 'overwrite',
      remedy: 'pass overwrite: true to replace it, choose another id or slug, or change it with manage edit',
    })
  }
  if (existing) return replace(ctx, caller, existing, definition, request.visibility, warnings)
  const now = ctx.clock()
  return ctx.store.transaction(
    async (tx) => {
      const taken = chosenId !== null && (await workflowIdTaken(tx, owner, chosenId))
      const slug = await chooseSlug(chosenSlug, definition.metadata.name, ctx.newId, async (wanted) =>
        Boolean(await findWorkflowBySlug(tx, owner, owner, wanted)),
      )
      const row: WorkflowRow = {
        ...describe(definition),
        owner,
        id: chosenId === null || taken ? ctx.newId() : chosenId,
        slug,
        visibility: request.visibility ?? definition.visibility ?? 'private',
        revision: 1,
        bundle_hash: null,
        created_at: now,
        updated_at: now,
      }
      await keepGraph(tx, owner, row.hash, JSON.stringify(executablePart(definition)))
      await insertWorkflow(tx, row)
      await audit(ctx, tx, caller, 'workflow:create', row.id, { revision: 1 })
      return { ...(await recordOf(ctx, caller, row, tx)), created: true, warnings }
    },
    { durable: true },
  )
}

export async function updateWorkflow(
  ctx: EngineContext,
  caller: Caller,
  reference: string,
  request: UpdateWorkflow,
): Promise<SavedWorkflow> {
  const row = await ownWorkflow(ctx, caller, reference)
  const { expectedRevision } = request
  if (expectedRevision !== undefined && expectedRevision !== row.revision) throw staleRevision(row, expectedRevision)
  const { definition, warnings } = await accepted(ctx, caller, request.definition, row.id)
  return replace(ctx, caller, row, definition, request.visibility, warnings)
}

export async function setVisibility(
  ctx: EngineContext,
  caller: Caller,
  reference: string,
  visibility: Visibility,
): Promise<WorkflowSummary & { previousVisibility: Visibility }> {
  const row = await ownWorkflow(ctx, caller, reference)
  const changed = { ...row, visibility, revision: row.revision + 1, updated_at: ctx.clock() }
  await ctx.store.transaction(
    async (tx) => {
      if (!(await replaceWorkflow(tx, changed, row.revision))) throw staleRevision(row, row.revision)
      await audit(ctx, tx, caller, 'workflow:edit', row.id, { revision: changed.revision, visibility })
    },
    { durable: true },
  )
  return { ...summaryOf(ctx, caller, changed), previousVisibility: row.visibility }
}

export async function deleteWorkflow(ctx: EngineContext, caller: Caller, reference: string): Promise<void> {
  const row = await ownWorkflow(ctx, caller, reference)
  await ctx.store.transaction(
    async (tx) => {
      await markWorkflowDeleted(tx, row.owner, row.id, ctx.clock())
      await audit(ctx, tx, caller, 'workflow:delete', row.id)
    },
    { durable: true },
  )
}

async function replace(
  ctx: EngineContext,
  caller: Caller,
  old: WorkflowRow,
  definition: WorkflowDefinition,
  visibility: Visibility | undefined,
  warnings: Issue[],
): Promise<SavedWorkflow> {
  const row: WorkflowRow = {
    ...old,
    ...describe(definition),
    visibility: visibility ?? old.visibility,
    revision: old.revision + 1,
    updated_at: ctx.clock(),
  }
  return ctx.store.transaction(
    async (tx) => {
      await keepGraph(tx, row.owner, row.hash, JSON.stringify(executablePart(definition)))
      if (!(await replaceWorkflow(tx, row, old.revision))) throw staleRevision(old, old.revision)
      if (!old.hash.equals(row.hash)) await dropUnusedGraph(tx, row.owner, old.hash)
      await audit(ctx, tx, caller, 'workflow:edit', row.id, { revision: row.revision })
      return { ...(await recordOf(ctx, caller, row, tx)), created: false, warnings }
    },
    { durable: true },
  )
}

/** A definition that may be stored. @throws UserError `WORKFLOW_INVALID` with the issues */
async function accepted(
  ctx: EngineContext,
  caller: Caller,
  definition: unknown,
  selfId?: string,
): Promise<{ definition: WorkflowDefinition; warnings: Issue[] }> {
  const { valid, issues } = validationResult(await validate(ctx, caller, definition, selfId))
  if (valid) return { definition: definition as WorkflowDefinition, warnings: issues }
  throw new UserError('WORKFLOW_INVALID', errorText(issues), {
    issues,
    remedy: 'nothing was stored; mend the definition as each issue says and send it again',
  })
}

/** A workflow the caller may change. @throws UserError `not_found`, `WRITE_NOT_ALLOWED` */
async function ownWorkflow(ctx: EngineContext, caller: Caller, reference: string): Promise<WorkflowRow> {
  const row = await resolveOrRefuse(ctx, ctx.store, caller.owner, reference)
  if (row.owner === caller.owner) return row
  const name = `${ctx.accounts.handleOf(row.owner)}/${row.slug}`
  throw new UserError(
    'WRITE_NOT_ALLOWED',
    `The workflow ${name} belongs to another owner; you can read it and run it`,
    {
      field: 'workflowId',
      remedy: 'copy it, and change the copy',
      next: { tool: 'manage', args: { action: 'copy', workflowId: name } },
    },
  )
}

async function findOwn(
  ctx: EngineContext,
  owner: number,
  id: string | null,
  slug: string | undefined,
): Promise<WorkflowRow | undefined> {
  const byId = id === null ? undefined : await findWorkflow(ctx.store, owner, id)
  if (byId?.owner === owner) return byId
  return slug === undefined ? undefined : findWorkflowBySlug(ctx.store, owner, owner, slug)
}

function describe(definition: WorkflowDefinition): Pick<WorkflowRow, 'name' | 'description' | 'version' | 'hash'> {
  const { name, description, version } = definition.metadata
  return { name, description, version, hash: definitionHash(executablePart(definition)) }
}

function staleRevision(row: WorkflowRow, expected: number): UserError {
  return new UserError('REVISION_STALE', `The workflow ${row.slug} is not at revision ${expected} any more`, {
    field: 'expectedRevision',
    remedy: 'nothing was changed; read it again with manage get and make the change to what is there now',
    retry: 'refresh',
    next: { tool: 'manage', args: { action: 'get', workflowId: row.id } },
  })
}

export function summaryOf(ctx: EngineContext, caller: Caller, row: WorkflowRow): WorkflowSummary {
  const ownerHandle = ctx.accounts.handleOf(row.owner)
  const { id, slug, name, version, description, visibility, revision } = row
  return {
    id,
    reference: `${ownerHandle}/${slug}`,
    slug,
    ownerHandle,
    own: row.owner === caller.owner,
    name,
    version,
    description,
    visibility,
    revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

async function recordOf(
  ctx: EngineContext,
  caller: Caller,
  row: WorkflowRow,
  db: Queryable = ctx.store,
): Promise<WorkflowRecord> {
  return { ...summaryOf(ctx, caller, row), definition: await ctx.definitions.load(db, row.owner, row.hash) }
}
