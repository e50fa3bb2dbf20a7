/** The archive: everything captured. Other folders enter here. */

export { adoptFork, excludedStates, type OrphanedFork, orphanedForks } from './adopted-forks.ts'
export {
  type Association,
  type RelatedWord,
  relatedWords,
  replaceAssociations,
  sampleProse,
  trainedOn,
} from './associations.ts'
export type { BatchResult, CaptureBatch, CapturedEvent, Checkpoint, Problem, Touch } from './batch.ts'
export { type CaptureStatus, loadCaptureStatus, saveCaptureStatus } from './capture-status.ts'
export { loadCheckpoint, loadCheckpoints, loadFileLooks } from './checkpoint.ts'
export {
  answerBefore,
  markDerived,
  noteRederived,
  noteSessions,
  type ProseEvent,
  proseAfter,
  proseFrequencies,
  proseOfSession,
  type RewrittenSession,
  rewrittenSessions,
  type StaleSession,
  sessionsDueForDigest,
  staleSessions,
  workedInPlaces,
} from './context-derivation.ts'
export {
  appendEvidence,
  countCitations,
  countEvidence,
  type EvidenceEvent,
  type EvidenceFilter,
  type EvidenceKind,
  insertOutcome,
  listEvidence,
  type Outcome,
} from './context-evidence.ts'
export {
  type ContextItem,
  countItems,
  deleteItems,
  findItem,
  findItemByKey,
  findItemByPk,
  type ItemKind,
  type ItemListing,
  itemContent,
  listItems,
  loadItems,
  markDocumentGone,
  type NewItem,
  type NewPassage,
  setItemStates,
  writeItem,
} from './context-items.ts'
export { loadLabels, type SessionLabels, writeLabels } from './context-labels.ts'
export { countSessions, type NamedSession, sessionsNamed } from './context-lookups.ts'
export { type DigestMaterial, digestMaterial, type LabelMaterial, labelMaterial } from './context-material.ts'
export { type ContextPassage, loadPassages, passagesOf } from './context-passages.ts'
export { loadProgress, saveProgress } from './context-progress.ts'
export {
  type HeldProject,
  type HeldSource,
  heldProjects,
  heldSources,
  type ProjectHoldings,
  projectHoldings,
} from './context-projects.ts'
export {
  claimSaveJob,
  clearSaveRequests,
  countSaveJobs,
  findSaveJob,
  findSaveJobByKey,
  finishSaveJob,
  insertSaveJob,
  type SaveJob,
  type SaveState,
} from './context-saves.ts'
export {
  countStatements,
  findStatementByKey,
  listStatements,
  loadStatements,
  type NewStatement,
  removeStatementsOf,
  type StatementListing,
  type StatementView,
  supersede,
  writeStatements,
} from './context-statements.ts'
export { type ProsePiece, type ProseSize, prosePieces, proseSize, proseText } from './conversation-text.ts'
export type {
  Candidate,
  CandidateQuery,
  ContextCandidate,
  ContextCandidateQuery,
  ContextKind,
  Engine,
  IndexLane,
  Queryable,
  SearchLane,
  SearchScope,
  TermMatch,
} from './engine.ts'
export {
  adjacentEvents,
  type EventPreview,
  type EventView,
  edgeEvents,
  eventIdOf,
  eventPage,
  findEvent,
  lastEventPk,
  originatingModel,
  responseUsage,
} from './events.ts'
export { type ExportFilter, type ExportRow, exportArchive } from './export.ts'
export { databaseFailure } from './failure.ts'
export { type ForgetCounts, type ForgetTarget, forget } from './forget.ts'
export { type HitView, loadHits } from './hits.ts'
export { improvableSessions, isStillImprovable, noteImproved, noteLabelAttempt } from './label-attempts.ts'
export { leaseHolder, releaseLease, takeLease } from './lease.ts'
export {
  countNotes,
  listNotes,
  listNoteTags,
  listNoteVersions,
  loadNote,
  loadNoteVersion,
  lockNotes,
  markNoteDeleted,
  type NoteListing,
  type NoteRow,
  type NoteVersionRow,
  noteBytes,
  pageNotes,
  writeNote,
} from './notes.ts'
export {
  type ArchiveOverview,
  archiveOverview,
  integrityProblems,
  isEmptyArchive,
  type KnownProblem,
  listProblems,
  type SourceOverview,
} from './overview.ts'
export {
  findReminder,
  findReminderByKey,
  insertReminder,
  listReminderRows,
  type ReminderRow,
  updateReminderRow,
} from './reminders.ts'
export { FACET_MARK, facet, INDEXED_CHARACTERS, typesOf } from './search-index.ts'
export { candidatesByPk, contextCandidatesByPk, searchedText } from './search-scope.ts'
export {
  commonTerms,
  identifiersContaining,
  type LaneTotals,
  laneTotals,
  visibleSessionPks,
} from './search-statistics.ts'
export {
  classAt,
  composed,
  eachRun,
  foldText,
  IDEOGRAPH,
  ideographTerms,
  isCamel,
  SEPARATOR,
  scriptParts,
  splitCamel,
  symbolNameTerm,
  withoutData,
} from './search-terms.ts'
export {
  childrenOf,
  fileOfSession,
  findSession,
  findSessionByPk,
  listSessions,
  neighbours,
  parentOf,
  type SessionListing,
  type SessionView,
} from './sessions.ts'
export { settingOr } from './setting.ts'
export { openStore, type StoreOptions } from './store.ts'
export {
  countUnattributed,
  findTouches,
  rootsOfProject,
  type TouchQuery,
  type TouchView,
} from './touches.ts'
export {
  adjacentTurns,
  edgeTurns,
  findTurn,
  findTurnByPk,
  lastTurnPk,
  type TurnPlace,
  type TurnView,
  turnOrdinal,
  turnPage,
} from './turns.ts'
export { sessionUsage, type UsageTotals } from './usage.ts'
export {
  countVectors,
  lastNumber,
  livingVectors,
  type NewVector,
  noteReembedded,
  rewrittenSinceEmbedded,
  rewrittenTexts,
  type StoredVector,
  saveVectorProgress,
  seqBefore,
  type TextToEmbed,
  textsToEmbed,
  type VectorKind,
  type VectorProgress,
  type VectorSpace,
  vectorProgress,
  vectorsAfter,
  writeVectors,
} from './vectors.ts'
export {
  type Claim,
  claimStart,
  type FinishedAttempt,
  finishEffect,
  finishStartAttempt,
  holdsClaim,
  insertMove,
  insertStartAttempt,
  listMoveVisits,
  loadEffects,
  loadFinishedAttempt,
  loadStartAttempt,
  lockStartAttempt,
  type MoveRow,
  releaseClaim,
  renewClaim,
  type StartAttempt,
  startEffect,
} from './workflow-attempts.ts'
export {
  dropUnusedGraph,
  findWorkflow,
  findWorkflowBySlug,
  insertWorkflow,
  keepGraph,
  listBundled,
  listWorkflowRows,
  loadGraph,
  markWorkflowDeleted,
  replaceWorkflow,
  SYSTEM_OWNER,
  shareGraph,
  type WorkflowListing,
  type WorkflowRow,
  workflowIdTaken,
} from './workflow-definitions.ts'
export {
  type ExecutionListing,
  type ExecutionListRow,
  type ExecutionRow,
  insertExecution,
  type LiveAttempt,
  type LoadedExecution,
  listExecutionRows,
  loadExecution,
  loadExecutionListRow,
  lockExecution,
  lockParents,
  moveExecution,
  NO_ATTEMPT,
  parentOfExecution,
  runningChildren,
  updateExecution,
} from './workflow-executions.ts'
export {
  type AuditEntry,
  appendAudit,
  appendError,
  appendOutsideWrite,
  type ErrorRow,
  listAudit,
  listErrors,
  listOutsideWrites,
  type OutsideWriteRow,
} from './workflow-log.ts'
export { writeBatch, writeBatches } from './write-batch.ts'
