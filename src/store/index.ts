/** The archive: everything captured. Other folders enter here. */

export type { BatchResult, CaptureBatch, CapturedEvent, Checkpoint, Problem, Touch } from './batch.ts'
export { type CaptureStatus, loadCaptureStatus, saveCaptureStatus } from './capture-status.ts'
export { loadCheckpoint, loadCheckpoints, loadFileLooks } from './checkpoint.ts'
export type {
  Candidate,
  CandidateQuery,
  Engine,
  IndexLane,
  Queryable,
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
export { searchedText } from './search-scope.ts'
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
