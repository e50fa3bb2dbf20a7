/** The workflows that come with Varve: files, brought into the catalog of owner 0 without touching what was edited there. */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hashedUuid } from '../../core/uuid.ts'
import {
  insertWorkflow,
  keepGraph,
  listBundled,
  replaceWorkflow,
  SYSTEM_OWNER,
  type WorkflowRow,
} from '../../store/index.ts'
import type { WorkflowDefinition } from '../definition.ts'
import { errorText, validateDefinition, validationResult } from '../validate.ts'
import type { EngineContext } from './context.ts'
import { definitionHash, executablePart } from './definition-cache.ts'

export interface BundledWorkflow {
  slug: string
  definition: WorkflowDefinition
}

/**
 * The definitions in a folder, by file name; none when it is missing.
 * @throws for a file that is no valid definition: what comes with Varve is ours.
 */
export async function readBundled(folder: string): Promise<BundledWorkflow[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.json')).sort()
  return Promise.all(
    files.map(async (name) => {
      const definition: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'))
      const result = validationResult(validateDefinition(definition))
      if (!result.valid) throw new Error(`bundled workflow ${name}: ${errorText(result.issues)}`)
      const valid = definition as WorkflowDefinition
      return { slug: valid.slug ?? basename(name, '.json'), definition: valid }
    }),
  )
}

/** Brings the catalog up to what comes with this Varve; once per process, from the first call that needs it. */
export async function bundleInstalled(ctx: EngineContext): Promise<void> {
  ctx.bundleReady.done ??= install(ctx)
  try {
    await ctx.bundleReady.done
  } catch (error) {
    // The next call tries again: the database may only have been busy.
    ctx.bundleReady.done = undefined
    throw error
  }
}

async function install(ctx: EngineContext): Promise<void> {
  const bundled = await ctx.readBundled()
  const present = new Map((await listBundled(ctx.store)).map((row) => [row.slug, row]))
  const rows = bundled.map((workflow) => ({ ...workflow, row: bundledRow(workflow, ctx.clock()) }))
  const changed = rows.filter(({ slug, row }) => !present.get(slug)?.bundle_hash?.equals(row.hash))
  if (changed.length === 0) return
  await ctx.store.transaction(async (tx) => {
    // Read again, since another process may have come first.
    const stored = new Map((await listBundled(tx)).map((row) => [row.slug, row]))
    for (const { slug, row, definition } of changed) {
      const old = stored.get(slug)
      if (old?.bundle_hash?.equals(row.hash)) continue
      const edited = old !== undefined && !(old.bundle_hash?.equals(old.hash) ?? false)
      if (edited) continue
      await keepGraph(tx, SYSTEM_OWNER, row.hash, JSON.stringify(executablePart(definition)))
      if (old === undefined) await insertWorkflow(tx, row)
      else await replaceWorkflow(tx, { ...row, id: old.id, revision: old.revision + 1 }, old.revision)
    }
  })
}

/** The id follows from the slug, so that it is the same in every installation. */
function bundledRow({ slug, definition }: BundledWorkflow, now: number): WorkflowRow {
  const { name, description, version } = definition.metadata
  const hash = definitionHash(executablePart(definition))
  return {
    owner: SYSTEM_OWNER,
    id: hashedUuid(createHash('sha256').update(`varve/${slug}`).digest()),
    slug,
    name,
    description,
    version,
    visibility: 'public',
    revision: 1,
    hash,
    bundle_hash: hash,
    created_at: now,
    updated_at: now,
  }
}
