/** The archive: everything captured. Other folders enter here. */

export type { BatchResult, CaptureBatch, CapturedEvent, Checkpoint, Problem, Touch } from './batch.ts'
export { loadCheckpoint, loadCheckpoints } from './checkpoint.ts'
export type { CandidateQuery, Engine, IndexLane, Queryable, TermMatch } from './engine.ts'
export { leaseHolder, releaseLease, takeLease } from './lease.ts'
export { openStore, type StoreOptions } from './store.ts'
export { sessionUsage, type UsageTotals } from './usage.ts'
export { writeBatch } from './write-batch.ts'
