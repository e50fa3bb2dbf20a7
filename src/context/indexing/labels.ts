/** Labels of sessions that are quiet, by rules, from a bounded part of each. */

import { setImmediate } from 'node:timers/promises'
import {
  type Engine,
  labelMaterial,
  markDerived,
  proseFrequencies,
  type Queryable,
  type SessionLabels,
  type StaleSession,
  staleSessions,
  writeLabels,
} from '../../store/index.ts'
import { type Labels, labelsOf, type SessionEvidence, type TermFrequencies } from '../labels/index.ts'

/** Milliseconds without a new event after which a session is labelled; one that ended, at once. */
const QUIET = 60_000

/** Sessions labelled in one run; the next run goes on. */
const AT_ONCE = 200

/** Sessions whose labels are stored in one transaction. */
const TOGETHER = 20

/** Characters read of each prompt and answer: with nine of them at most, some 64 KB of a session. */
export const CHARACTERS = 7_000

export interface LabelWork {
  engine: Engine
  owner: number
  now: number
  signal?: AbortSignal
}

/** Labels what is due. How many sessions were labelled. */
export async function deriveLabels({ engine, owner, now, signal }: LabelWork): Promise<number> {
  const due = await staleSessions(engine, owner, now - QUIET, AT_ONCE)
  if (due.length === 0) return 0
  const frequencies = await loadFrequencies(engine, owner)
  let count = 0
  for (let start = 0; start < due.length; start += TOGETHER) {
    if (signal?.aborted) break
    const labelled: Labelled[] = []
    for (const session of due.slice(start, start + TOGETHER)) {
      const material = await labelMaterial(engine, owner, session.pk, CHARACTERS)
      labelled.push({ session, labels: labelsOf(evidenceOf(session, material), frequencies) })
    }
    await engine.transaction(async (tx) => {
      for (const each of labelled) await store(tx, owner, each)
    })
    count += labelled.length
    // Others have their turn: queries, capture.
    await setImmediate()
  }
  return count
}

interface Labelled {
  session: StaleSession
  labels: Labels
}

async function store(tx: Queryable, owner: number, { session, labels }: Labelled): Promise<void> {
  await writeLabels(tx, owner, rowOf(session, labels))
  await markDerived(tx, owner, session, 1, session.project_id === null ? 0 : 2)
}

/** Labels as they are stored. */
export function rowOf(session: StaleSession, labels: Labels): SessionLabels {
  return {
    session_pk: session.pk,
    domain: labels.domain,
    intent: labels.intent,
    quality: labels.quality,
    topics: labels.topics,
    decisions: labels.decisions,
    title: labels.title,
    summary: labels.summary,
    label_source: labels.labelSource,
    seen_event_pk: session.last_event_pk,
    generation: session.generation,
  }
}

/** How often words are used in the archive. */
export async function loadFrequencies(engine: Engine, owner: number): Promise<TermFrequencies> {
  const { documents, shares } = await proseFrequencies(engine, owner)
  return {
    documents,
    frequencyOf(word) {
      const share = shares.get(word)
      return share === undefined ? undefined : share * documents
    },
  }
}

type Material = Awaited<ReturnType<typeof labelMaterial>>

/** What the rules, or a model, are told of a session. */
export function evidenceOf(session: StaleSession, material: Material): SessionEvidence {
  const { harness, title, cwd, ending } = session
  return {
    harness,
    ...material,
    ...(title !== null && { title }),
    ...(cwd !== null && { cwd }),
    ...(isEnding(ending) && { ending }),
  }
}

function isEnding(ending: string | null): ending is NonNullable<SessionEvidence['ending']> {
  return ending === 'answered' || ending === 'interrupted' || ending === 'failed' || ending === 'exited'
}
