/** Filing a save: durable before the answer, worked off right after it. */

import type { Caller } from '../../core/caller.ts'
import type { NewId } from '../../core/uuid.ts'
import { findSaveJobByKey, insertSaveJob } from '../../store/index.ts'
import { checkSave, keyOfSave, qualityOf } from './check-save.ts'
import type { SaveQuality, SaveReceipt, SaveRequest } from './types.ts'
import { type SaveWork, type StoredSave, workOffSaves } from './work-off.ts'

export interface SavesOptions extends Omit<SaveWork, 'owner'> {
  newId: NewId
  /** Takes secrets and control characters out of a text before it is stored (statement 109). */
  scrub(text: string): string
  projects: { projectOf(directory: string): { root: string; projectId: string } | undefined }
}

export interface Saves {
  /** @throws UserError `invalid_request` with the field's name */
  save(caller: Caller, request: SaveRequest): Promise<SaveReceipt>
  /** When the work under way here has ended. */
  settled(): Promise<void>
}

/** Saves of one process, which works them off by itself. */
export function createSaves(options: SavesOptions): Saves {
  let working: Promise<unknown> = Promise.resolve()
  return {
    async save(caller, request) {
      const receipt = await queueSave(options, caller, request)
      if (!receipt.duplicate) {
        const work = { ...options, owner: caller.owner }
        working = working
          .then(() => workOffSaves(work))
          .catch((error: unknown) => options.log(`saves wait: ${nameOf(error)}`))
      }
      return receipt
    },
    settled: async () => {
      await working
    },
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'error'
}

async function queueSave(options: SavesOptions, caller: Caller, request: SaveRequest): Promise<SaveReceipt> {
  const { engine, newId, clock, projects } = options
  checkSave(request)
  const clean = scrubbed(request, options.scrub)
  const key = keyOfSave(request)
  const idempotencyKey = key === null ? null : options.scrub(key)
  const replaces = clean.replace_idempotency_key ?? null
  const quality = qualityOf(request)
  if (replaces !== null && !(await findSaveJobByKey(engine, caller.owner, replaces))) {
    quality.warnings.push('replace_idempotency_key names no earlier save: saved as a new one')
  }
  const project = projects.projectOf(caller.launchDirectory)
  const stored: StoredSave = { ...clean, projectId: project?.projectId ?? null, root: project?.root ?? null }
  const job = await insertSaveJob(engine, caller.owner, {
    id: newId(),
    idempotency_key: idempotencyKey,
    replaces,
    request: JSON.stringify(stored),
    quality: JSON.stringify(quality),
    created_at: clock(),
  })
  const receipt = { job_id: job.id, quality: JSON.parse(job.quality) as SaveQuality }
  return job.isNew ? receipt : { ...receipt, duplicate: true }
}

function scrubbed(request: SaveRequest, scrub: (text: string) => string): SaveRequest {
  const { source, summary, content, decisions, key_outputs, topics, domain } = request
  const { idempotency_key, replace_idempotency_key } = request
  const all = (entries: readonly string[]): string[] => entries.map(scrub).filter((entry) => entry.trim() !== '')
  return {
    source: scrub(source),
    summary: scrub(summary),
    ...(content !== undefined && { content: scrub(content) }),
    ...(decisions && { decisions: all(decisions) }),
    ...(key_outputs && { key_outputs: all(key_outputs) }),
    ...(topics && { topics: all(topics) }),
    ...(domain !== undefined && { domain: scrub(domain) }),
    ...(idempotency_key !== undefined && { idempotency_key: scrub(idempotency_key) }),
    ...(replace_idempotency_key !== undefined && { replace_idempotency_key: scrub(replace_idempotency_key) }),
  }
}
