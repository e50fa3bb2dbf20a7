/** What the evidence log is told and what it tells. Field names are those of the tools. */

export const INTENTS = ['current_truth', 'reasoning_archive', 'blended'] as const
export type Intent = (typeof INTENTS)[number]

export const SOURCE_TABLES = [
  'conversations_hot',
  'conversations_cold',
  'digests',
  'structured_docs',
  'structured_docs_local',
] as const
export type SourceTable = (typeof SOURCE_TABLES)[number]

/** Ways to name one thing. One of `stable_evidence_key`, `source_path`, or `id` with `source_table` is needed. */
export interface EvidenceName {
  stable_evidence_key?: string
  id?: string
  source_table?: SourceTable
  source_path?: string
  source_id?: string
  parent_id?: string
  source?: string
  digest_id?: string
}

/** The thing that was named. */
export type EvidenceTarget =
  /** `session:ses_…` is the public id of `sessionId`. */
  | { kind: 'conversation'; stableKey: string; sessionPk: number; sessionId: Buffer; updatedAt: number }
  | { kind: 'save' | 'document' | 'digest'; stableKey: string; itemPk: number; id: string; at: number }
  /** A statement stands in an event or an item; `line` and `start` say where. */
  | { kind: 'statement'; stableKey: string; statementPk: number }

/** Where in an answer the thing stood; positions from 1. */
export interface Provenance {
  rank_at_retrieval?: number
  result_count?: number
  context_pack_bucket?: string
  position_in_bucket?: number
  query?: string
  task?: string
  tool_call_id?: string
}

export interface OpenRequest extends Provenance {
  stableKey: string
  session_id: string
  intent: Intent
  project?: string
}

export interface EvidenceFeedback {
  stable_evidence_key: string
  event_written: boolean
  /** This session has opened (cited) it before with this intent. */
  duplicate: boolean
  /** Why nothing was written, when that is not because of an earlier event (statement 82). */
  warning?: string
}

export interface CitedEvidence extends EvidenceName, Pick<Provenance, 'rank_at_retrieval' | 'result_count'> {
  context_pack_bucket?: string
  position_in_bucket?: number
  reason?: string
}

export interface OutcomeRequest {
  session_id: string
  summary: string
  intent: Intent
  cited_evidence: readonly CitedEvidence[]
  task?: string
  project?: string
}

/** One cited item: written, seen before, or refused by itself while the others are written (statement 92). */
export type CitedResult =
  | EvidenceFeedback
  | {
      stable_evidence_key: string | null
      event_written: false
      duplicate: false
      error: { code: string; message: string }
    }

export interface OutcomeReceipt {
  outcome_id: string
  summary: string
  cited_evidence: CitedResult[]
}

export interface EvidenceQuestion extends EvidenceName {
  project?: string
  intent?: Intent
}

export interface EvidenceHistory {
  stable_evidence_key: string
  /** Since the last reset. */
  opened: number
  cited: number
  last_reset_at: string | null
  /** All of them, those before a reset too, oldest first; the newest 200. */
  events: {
    event_id: string
    kind: 'open' | 'cite' | 'reset'
    session_id: string
    intent: string
    project: string | null
    at: string
    detail: Readonly<Record<string, unknown>>
  }[]
  /** There are older events than those listed. */
  truncated: boolean
}

export interface ForgetRequest extends EvidenceQuestion {
  session_id?: string
  reason?: string
}

export interface ForgetReceipt {
  stable_evidence_key: string
  event_written: boolean
}
