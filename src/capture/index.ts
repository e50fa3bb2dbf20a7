/** From transcripts on disk to the archive. Other folders enter here. */

export { type CaptureOptions, type CaptureProgress, captureOnce } from './capture.ts'
export { type CaptureLease, type LeaseOptions, takeCaptureLease } from './capture-lease.ts'
export type { CaptureLoop } from './capture-loop.ts'
export { unreadableOf } from './capture-status.ts'
export { type Discovery, discover, type FoundFile } from './discover.ts'
export { type ExtraSource, withExtraSources } from './extra-sources.ts'
export { type CaptureParts, type CaptureSettings, openCapture } from './open-capture.ts'
export { createProjects, type ProjectLookup } from './project.ts'
export { createRedactor, type Redactor } from './redact/index.ts'
export type { CaptureReport, Skipped } from './report.ts'
export { createScrubber, type Scrubber } from './scrub.ts'
export { type CaptureWorker, startCaptureWorker, type WorkerMessage } from './worker.ts'
