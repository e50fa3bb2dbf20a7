/** What the context toolset offers to tools, the command line and the page. Made in `app/context.ts`. */

import type { Caller } from '../core/caller.ts'
import type { Lanes } from '../retrieval/passages.ts'
import type { SaveJob } from '../store/index.ts'
import type {
  EvidenceFeedback,
  EvidenceHistory,
  EvidenceName,
  EvidenceQuestion,
  EvidenceTarget,
  ForgetReceipt,
  ForgetRequest,
  OpenRequest,
  OutcomeReceipt,
  OutcomeRequest,
} from './evidence/types.ts'
import type { SaveReceipt, SaveRequest } from './saves/types.ts'

/** The section `[context]` of the configuration, as far as tools need it. */
export interface ContextSettings {
  /** Documents, statements, labels and digests are derived. */
  enabled: boolean
  /** Folders whose documents are indexed besides those of sessions, absolute. */
  folders: readonly string[]
  /** Largest document read, in bytes. */
  maxFileBytes: number
  /** Citations of the past raise what they cite, a little. */
  outcomesMoveRanking: boolean
  /** What searches by meaning: what the archive teaches about words, an encoder, a provider's vectors, or nothing. */
  meaning: 'associations' | 'encoder' | 'http' | 'off'
  /** rift_conversations_search answers by keyword alone when meaning is off; otherwise it refuses. */
  conversationsSearchLexicalFallback: boolean
}

export interface ContextServices {
  readonly settings: ContextSettings
  /** What takes part in search besides keywords; nothing unless it is configured. */
  readonly lanes?: Lanes
  /**
   * Files a save: durable before it answers, worked off right after.
   * @throws UserError `invalid_request` with the field's name
   */
  save(caller: Caller, request: SaveRequest): Promise<SaveReceipt>
  /** When the work on saves under way in this process has ended. */
  savesSettled(): Promise<void>
  /** A save's job by its id: `queued`, `running`, `done` or `failed`, and the item it became. */
  saveJob(caller: Caller, id: string): Promise<Pick<SaveJob, 'state' | 'item_id' | 'error'> | undefined>
  /**
   * The thing a name stands for, which the caller may see.
   * @throws UserError `invalid_request` when nothing names it, `not_found`, `ambiguous`
   */
  locate(caller: Caller, name: EvidenceName): Promise<EvidenceTarget>
  /** Records that something was opened. Never throws: content is not withheld because the log failed. */
  openRecorded(caller: Caller, open: OpenRequest): Promise<EvidenceFeedback>
  logOutcome(caller: Caller, outcome: OutcomeRequest): Promise<OutcomeReceipt>
  /** @throws UserError as `locate`; a stable key that nothing has been recorded about has zero counts */
  whyEvidence(caller: Caller, question: EvidenceQuestion): Promise<EvidenceHistory>
  /** Appends a reset. @throws UserError as `locate` */
  forgetFeedback(caller: Caller, request: ForgetRequest): Promise<ForgetReceipt>
  /**
   * How much being cited since the last reset adds to a score, 0 to `MAX_BOOST`, by stable key; empty unless the
   * configuration lets outcomes move ranking.
   */
  outcomeBoosts(caller: Caller, stableKeys: readonly string[]): Promise<ReadonlyMap<string, number>>
  status(caller: Caller): Promise<ContextStatus>
}

export interface MeaningStatus {
  /** `ok` also while vectors are still being made; the summary says how many there are. */
  status: 'ok' | 'off' | 'not_installed'
  summary: string
}

/** The two blocks of `rift_status`. */
export interface ContextStatus {
  capture_diagnostics: {
    status: 'ok' | 'off' | 'degraded' | 'error'
    /** What captures: `varve`, always; no other program is needed. */
    worker: string
    preflight_ok: boolean
    last_preflight_at: string | null
    recent_capture_errors: number
  }
  memory_diagnostics: {
    counts: { conversations: number; digests: number; structured_docs: number }
    digests: { status: 'ok' | 'none_yet' | 'unavailable_basic'; summary: string }
    documents: { status: 'ok' | 'no_sources' | 'source_missing' | 'source_empty'; summary: string }
    /** Beyond the specification. */
    statements: number
    meaning: MeaningStatus
    saves: { stored: number; waiting: number; failed: number }
  }
}
