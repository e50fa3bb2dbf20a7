/** The log of evidence: what was opened and cited, outcomes, and resets. Appends only; nothing is ever deleted. */

import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { formatTime } from '../../core/time.ts'
import type { NewId } from '../../core/uuid.ts'
import {
  appendEvidence,
  countCitations,
  countEvidence,
  type Engine,
  type EvidenceEvent,
  insertOutcome,
  listEvidence,
} from '../../store/index.ts'
import { isStableKey, locateEvidence } from './locate.ts'
import type {
  CitedEvidence,
  CitedResult,
  EvidenceFeedback,
  EvidenceHistory,
  EvidenceName,
  EvidenceQuestion,
  ForgetReceipt,
  ForgetRequest,
  OpenRequest,
  OutcomeReceipt,
  OutcomeRequest,
} from './types.ts'

export interface EvidenceLog {
  /** The archive that is read. */
  archive: Engine
  /** Where the log is kept; another one while the sample is served. */
  own: Engine
  clock: Clock
  newId: NewId
  /** Takes secrets and control characters out of a text before it is stored. */
  scrub(text: string): string
}

/** Events listed by `whyEvidence`. */
const LISTED = 200

/** The most that citations add to a score. */
export const MAX_BOOST = 0.05

/** Records that something was opened, once for a session, key and intent (statement 79). Never throws (statement 82). */
export async function openRecorded(log: EvidenceLog, caller: Caller, open: OpenRequest): Promise<EvidenceFeedback> {
  const { stableKey, session_id, intent, project, ...detail } = open
  try {
    return await append(log, caller, { kind: 'open', stableKey, session_id, intent, project, detail })
  } catch {
    return {
      stable_evidence_key: stableKey,
      event_written: false,
      duplicate: false,
      warning: 'the opening could not be recorded; what was opened is complete',
    }
  }
}

/** Records an outcome and what was cited for it; an item that cannot be named is refused alone (statement 92). */
export async function logOutcome(log: EvidenceLog, caller: Caller, request: OutcomeRequest): Promise<OutcomeReceipt> {
  const { own, clock, newId } = log
  const { session_id, summary, intent, cited_evidence, task, project } = request
  const id = newId()
  const clean = (text: string | undefined): string | null => (text === undefined ? null : log.scrub(text))
  await insertOutcome(own, caller.owner, {
    id,
    session_id: log.scrub(session_id),
    summary: log.scrub(summary),
    intent,
    task: clean(task),
    project: clean(project),
    at: clock(),
  })
  const cited: CitedResult[] = []
  for (const item of cited_evidence) cited.push(await cite(log, caller, request, id, item))
  return { outcome_id: id, summary, cited_evidence: cited }
}

async function cite(
  log: EvidenceLog,
  caller: Caller,
  { session_id, intent, project }: OutcomeRequest,
  outcome: string,
  item: CitedEvidence,
): Promise<CitedResult> {
  try {
    const stableKey = await keyOf(log, caller, item)
    const { rank_at_retrieval, result_count, context_pack_bucket, position_in_bucket, reason } = item
    const detail = { outcome, rank_at_retrieval, result_count, context_pack_bucket, position_in_bucket, reason }
    return await append(log, caller, { kind: 'cite', stableKey, session_id, intent, project, detail })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { code, message } = error
    return {
      stable_evidence_key: item.stable_evidence_key ?? null,
      event_written: false,
      duplicate: false,
      error: { code, message },
    }
  }
}

/** How often something was opened and cited since its last reset, and by which events (statements 99, 101, 102). */
export async function whyEvidence(
  log: EvidenceLog,
  caller: Caller,
  question: EvidenceQuestion,
): Promise<EvidenceHistory> {
  const stableKey = await keyOf(log, caller, question)
  const { project, intent } = question
  const filter = {
    stableKey,
    ...(project !== undefined && { project: log.scrub(project) }),
    ...(intent !== undefined && { intent }),
  }
  const [events, counts] = await Promise.all([
    listEvidence(log.own, caller.owner, filter, LISTED + 1),
    countEvidence(log.own, caller.owner, filter),
  ])
  const truncated = events.length > LISTED
  const listed = truncated ? events.slice(1) : events
  const reset = listed.findLast(({ kind }) => kind === 'reset')
  return {
    stable_evidence_key: stableKey,
    ...counts,
    last_reset_at: reset ? formatTime(reset.at) : null,
    events: listed.map(shown),
    truncated,
  }
}

function shown(event: EvidenceEvent): EvidenceHistory['events'][number] {
  const { id, kind, session_id, intent, project, at, detail } = event
  return {
    event_id: id,
    kind,
    session_id,
    intent,
    project,
    at: formatTime(at),
    detail: JSON.parse(detail) as Record<string, unknown>,
  }
}

/** Appends a reset: what was recorded before it counts no more and stays listed (statements 100, 101). */
export async function forgetFeedback(log: EvidenceLog, caller: Caller, request: ForgetRequest): Promise<ForgetReceipt> {
  const stableKey = await keyOf(log, caller, request)
  const { session_id = '', reason, project, intent = '' } = request
  const { event_written } = await append(log, caller, {
    kind: 'reset',
    stableKey,
    session_id,
    intent,
    project,
    detail: { reason },
  })
  return { stable_evidence_key: stableKey, event_written }
}

/** How much being cited since the last reset adds to a score, at most `MAX_BOOST`, by stable key. */
export async function outcomeBoosts(
  log: EvidenceLog,
  caller: Caller,
  stableKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = await countCitations(log.own, caller.owner, [...new Set(stableKeys)])
  return new Map([...counts].map(([key, count]) => [key, citationBoost(count)]))
}

/** What so many citations add to a score: the first half of the most, each further one half of what is left. */
export function citationBoost(count: number): number {
  return MAX_BOOST * (1 - 0.5 ** count)
}

/** A stable key is taken at its word: what it names may be gone, and its history is still readable (statement 102). */
async function keyOf({ archive }: EvidenceLog, caller: Caller, name: EvidenceName): Promise<string> {
  const { stable_evidence_key } = name
  if (stable_evidence_key !== undefined && isStableKey(stable_evidence_key)) return stable_evidence_key
  return (await locateEvidence(archive, caller, name)).stableKey
}

interface NewEvent {
  kind: EvidenceEvent['kind']
  stableKey: string
  session_id: string
  intent: string
  project: string | undefined
  detail: Readonly<Record<string, unknown>>
}

async function append(
  { own, clock, newId, scrub }: EvidenceLog,
  caller: Caller,
  { kind, stableKey, session_id, intent, project, detail }: NewEvent,
): Promise<EvidenceFeedback> {
  const written = await own.transaction((tx) =>
    appendEvidence(tx, caller.owner, {
      id: newId(),
      session_id: scrub(session_id),
      kind,
      stable_key: stableKey,
      intent,
      project: project === undefined ? null : scrub(project),
      at: clock(),
      detail: JSON.stringify(detail, (_key, value: unknown) => (typeof value === 'string' ? scrub(value) : value)),
    }),
  )
  return { stable_evidence_key: stableKey, event_written: written, duplicate: !written }
}
