/**
 * Working off queued saves. Any process may do it at any time: a job is claimed by a conditional update, its item has one
 * id whoever makes it, and item and job end in one transaction.
 */

import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import {
  claimSaveJob,
  clearSaveRequests,
  type Engine,
  findSaveJobByKey,
  finishSaveJob,
  type NewStatement,
  type Queryable,
  type SaveJob,
  writeItem,
} from '../../store/index.ts'
import { saveKey, statementKey } from '../evidence/stable-key.ts'
import { addStatements } from '../indexing/statements.ts'
import { statementsOf } from '../statements/index.ts'
import { savePassages, saveText, saveTitle } from './save-text.ts'
import type { SaveMeta, SaveRequest } from './types.ts'

/** What a job's row holds of the request: checked, without secrets, and where it came from. */
export interface StoredSave extends SaveRequest {
  projectId: string | null
  root: string | null
}

export interface SaveWork {
  engine: Engine
  owner: number
  clock: Clock
  /** Told what went wrong, in one line without content. */
  log(line: string): void
  /** Milliseconds after which a claimed job is taken from whoever has not ended it. */
  abandonedAfter?: number
  signal?: AbortSignal
}

/** A job takes milliseconds; who has one for so long is dead. That it may live after all does no harm. */
const ABANDONED_AFTER = 5_000

/** Attempts after which a job is given up as failed. */
const ATTEMPTS = 5

/** Works off all that is queued, and what dead processes left. How many were done. */
export async function workOffSaves(work: SaveWork): Promise<number> {
  const { engine, owner, clock, abandonedAfter = ABANDONED_AFTER, signal } = work
  let done = 0
  // Saves that replace one which is not done yet; they have their turn again when another has been done.
  let waiting: string[] = []
  for (;;) {
    if (signal?.aborted) return done
    const now = clock()
    const job = await claimSaveJob(engine, owner, now, now - abandonedAfter, waiting)
    if (!job) return done
    const ended = await workOff(work, job)
    if (ended === 'waits') waiting.push(job.id)
    if (ended === 'done') {
      done++
      waiting = []
    }
  }
}

async function workOff({ engine, owner, clock, log }: SaveWork, job: SaveJob): Promise<'done' | 'failed' | 'waits'> {
  try {
    return await engine.transaction(
      async (tx) => {
        const earlier = job.replaces === null ? undefined : await findSaveJobByKey(tx, owner, job.replaces)
        // Others may be at the save that this one replaces.
        if (earlier && (earlier.state === 'queued' || earlier.state === 'running')) {
          await finishSaveJob(tx, owner, job, { state: 'queued', itemId: null, error: null, now: clock() })
          return 'waits'
        }
        const itemId = earlier?.item_id ?? job.id
        const isOurs = await finishSaveJob(tx, owner, job, { state: 'done', itemId, error: null, now: clock() })
        if (!isOurs) return 'failed'
        await writeSave(engine, tx, owner, job, itemId, clock())
        await clearSaveRequests(tx, owner, itemId, job.id)
        return 'done'
      },
      { durable: true },
    )
  } catch (error) {
    // The name of the error alone: its message may quote what was saved.
    const reason = error instanceof Error ? error.name : 'error'
    const state = job.attempts >= ATTEMPTS ? 'failed' : 'queued'
    log(`save ${job.id} failed (${reason}), ${state === 'failed' ? 'given up' : 'trying again'}`)
    await engine.transaction((tx) =>
      finishSaveJob(tx, owner, job, { state, itemId: null, error: reason, now: clock() }),
    )
    return 'failed'
  }
}

async function writeSave(
  engine: Engine,
  tx: Queryable,
  owner: number,
  job: SaveJob,
  itemId: string,
  now: number,
): Promise<void> {
  const request = JSON.parse(job.request) as StoredSave
  const { source, summary, decisions = [], key_outputs = [], topics = [], domain = 'tech', projectId, root } = request
  const { content, decisionStarts } = saveText(request)
  const meta: SaveMeta = {
    summary,
    decisions,
    key_outputs,
    topics,
    domain,
    job_id: job.id,
    idempotency_key: job.idempotency_key,
  }
  const stableKey = saveKey(source, itemId)
  const pk = await writeItem(
    engine,
    tx,
    owner,
    {
      id: itemId,
      kind: 'save',
      stable_key: stableKey,
      source,
      project_id: projectId,
      root,
      path: null,
      title: saveTitle(summary),
      role: request.content?.trim() ? 'conversation' : 'note',
      state: 'none',
      content,
      hash: createHash('sha256').update(content).digest(),
      meta: JSON.stringify(meta),
      at: job.created_at,
    },
    savePassages(content),
    now,
  )
  const statements = decisions.flatMap((text, place): NewStatement[] =>
    statementsOf(text, { kind: 'save' }).map((found) => ({
      key: statementKey(found.kind, stableKey, found.text),
      kind: found.kind,
      text: found.text,
      origin: 'save',
      session_pk: null,
      event_pk: null,
      item_pk: pk,
      start: (decisionStarts[place] ?? 0) + found.start,
      line: null,
      said_by: 'save',
      at: job.created_at,
      project_id: projectId,
      root,
      subject: found.subject,
    })),
  )
  await addStatements(engine, tx, owner, statements)
}
