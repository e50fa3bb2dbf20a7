/** From transcripts on disk to the archive. Other folders enter here. */

export { type CaptureOptions, type CaptureProgress, captureOnce } from './capture.ts'
export { type CaptureLease, type LeaseOptions, takeCaptureLease } from './capture-lease.ts'
export { type Discovery, discover, type FoundFile } from './discover.ts'
export { type ExtraSource, withExtraSources } from './extra-sources.ts'
export type { CaptureSettings } from './open-capture.ts'
export { createProjects, type ProjectLookup } from './project.ts'
export { createRedactor, type Redactor } from './redact/index.ts'
export type { CaptureReport, Skipped } from './report.ts'
export { type CaptureWorker, startCaptureWorker } from './worker.ts'
