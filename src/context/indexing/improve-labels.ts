/** Labels improved by a model, where one is configured: after those of the rules, one session at a time, the newest first. */

import type { Clock } from '../../core/clock.ts'
import {
  type Engine,
  improvableSessions,
  isStillImprovable,
  labelMaterial,
  noteImproved,
  noteLabelAttempt,
  type StaleSession,
  writeLabels,
} from '../../store/index.ts'
import { improveLabels, type LabelProvider, type Labels, labelsOf } from '../labels/index.ts'
import { CHARACTERS, evidenceOf, loadFrequencies, rowOf } from './labels.ts'

/** Milliseconds after which no further session is begun in one run. */
const BUDGET = 20_000

/** Sessions of one run at most. */
const AT_ONCE = 50

export interface ImproveWork {
  engine: Engine
  owner: number
  clock: Clock
  provider: LabelProvider
  signal: AbortSignal
}

/**
 * Asks the model about sessions whose labels are of the rules. An answer that is of no use is remembered, and the session
 * is asked about again when it has grown. How many labels were improved.
 * @throws Error when the model could not be asked; the labels stay as they are, and the next run asks again
 */
export async function improveStoredLabels({ engine, owner, clock, provider, signal }: ImproveWork): Promise<number> {
  const until = clock() + BUDGET
  const sessions = await improvableSessions(engine, owner, AT_ONCE)
  if (sessions.length === 0) return 0
  const frequencies = await loadFrequencies(engine, owner)
  let reason = ''
  const asked: LabelProvider = async (request) => {
    try {
      return await provider(request)
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
  let count = 0
  for (const session of sessions) {
    if (signal.aborted || clock() >= until) return count
    const evidence = evidenceOf(session, await labelMaterial(engine, owner, session.pk, CHARACTERS))
    const { labels, failure } = await improveLabels(asked, evidence, labelsOf(evidence, frequencies), signal)
    if (failure === 'provider_failed') throw new Error(reason)
    if (await store(engine, owner, session, failure === undefined ? labels : undefined)) count++
  }
  return count
}

/** Writes what the model said, or that it said nothing of use; not when the session has grown meanwhile. */
async function store(
  engine: Engine,
  owner: number,
  session: StaleSession,
  labels: Labels | undefined,
): Promise<boolean> {
  return engine.transaction(async (tx) => {
    if (!(await isStillImprovable(tx, owner, session))) return false
    if (!labels) {
      await noteLabelAttempt(tx, owner, session)
      return false
    }
    await writeLabels(tx, owner, rowOf(session, labels))
    await noteImproved(tx, owner, session)
    return true
  })
}
