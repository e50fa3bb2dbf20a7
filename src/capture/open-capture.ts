/** Opens everything capture needs and starts the loop: what a worker thread runs, or the program itself. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '../core/clock.ts'
import type { Host } from '../harness/harness.ts'
import { harnesses } from '../harness/index.ts'
import type { Engine } from '../store/engine.ts'
import { openStore } from '../store/index.ts'
import { type CaptureLoop, type CaptureLoopOptions, startCaptureLoop } from './capture-loop.ts'
import { type ExtraSource, withExtraSources } from './extra-sources.ts'
import { createProjects, type ProjectLookup } from './project.ts'
import { createRedactor, type Redactor } from './redact/index.ts'

/** What capture is told: plain data, since it may cross into another thread. */
export interface CaptureSettings {
  /** The archive: `postgres://…` or a SQLite file. */
  url: string
  owner: number
  host: Host
  /** Names of the sources to look through; all when absent. */
  sources?: readonly string[]
  extraSources?: readonly ExtraSource[]
  /** Folders whose sessions are not captured, absolute. */
  exclude?: readonly string[]
  redaction: { enabled: boolean; extraPatterns?: string[] }
  /** Milliseconds between two looks at everything. */
  sweepEvery?: number
}

/** What capture has opened, for what is to be done after its passes. */
export interface CaptureParts {
  engine: Engine
  owner: number
  projects: ProjectLookup
  redactor: Redactor
}

/** @param afterPassWith makes what is done after passes; see `CaptureLoopOptions` */
export async function openCapture(
  settings: CaptureSettings,
  log: (line: string) => void,
  afterPassWith?: (parts: CaptureParts) => Promise<CaptureLoopOptions['afterPass'] | undefined>,
): Promise<CaptureLoop> {
  const { url, owner, host, sources, extraSources = [], exclude = [], redaction, sweepEvery } = settings
  const all = withExtraSources(harnesses, extraSources)
  const redactor = createRedactor(redaction)
  const engine = await openStore({ url })
  const projects = createProjects()
  const afterPass = await afterPassWith?.({ engine, owner, projects, redactor })
  const loop = startCaptureLoop({
    engine,
    owner,
    harnesses: all,
    host,
    clock: systemClock,
    redactor,
    projects,
    sources,
    exclude,
    holder: `${hostname()}:${process.pid}:${randomUUID()}`,
    log,
    ...(sweepEvery !== undefined && { sweepEvery }),
    ...(afterPass && { afterPass }),
  })
  return {
    close: async () => {
      await loop.close()
      await engine.close()
    },
  }
}
