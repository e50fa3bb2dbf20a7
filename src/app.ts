/** Wires the parts together; the only place that does. A command makes an app, uses it and closes it. */

import { join } from 'node:path'
import { type Archive, createArchives } from './app/archives.ts'
import { type CaptureRequest, type Capturing, capturePass, currentHolder, startCapturing } from './app/capturing.ts'
import { captureDiagnostics, contextIndexSettings, createContextHolder } from './app/context.ts'
import { judgeCoverage } from './app/coverage.ts'
import type { CapturingSettings } from './app/settings.ts'
import { captureState, placeOf, type Status, sourceStatuses, timeOrNull } from './app/status.ts'
import { type WorkflowServices, workflowServices } from './app/workflows.ts'
import type { CaptureProgress, CaptureReport } from './capture/index.ts'
import { type Config, loadConfig } from './config.ts'
import { type Caller, LOCAL_OWNER } from './core/caller.ts'
import { systemClock } from './core/clock.ts'
import { harnesses as builtInHarnesses, type Harness, type Host } from './harness/index.ts'
import { version } from './installation.ts'
import {
  archiveOverview,
  type ExportFilter,
  type ExportRow,
  exportArchive,
  type ForgetCounts,
  type ForgetTarget,
  forget,
  integrityProblems,
  type KnownProblem,
  listProblems,
  loadCaptureStatus,
  rootsOfProject,
} from './store/index.ts'
import type { Coverage, ProjectLookup, Services, Surface } from './tools/index.ts'

export type { CaptureRequest, Capturing } from './app/capturing.ts'
export type { SourceStatus, Status } from './app/status.ts'
export type { CaptureProgress, CaptureReport, ExportRow, ForgetCounts, KnownProblem }

/** Where the program runs. */
export interface Surroundings extends Host {
  /** Working directory. */
  cwd: string
}

export interface App {
  readonly config: Config
  readonly surface: Surface
  /** What tools need to answer now; opens the archive at the first call. */
  services(): Promise<Services>
  /** The same, with capture running from the first call on, which waits a moment for what is new. */
  freshServices(log: (line: string) => void): Promise<Services>
  /** Who asks from this machine. With `projectOnly`, nothing outside the project around the working directory exists. */
  caller(options?: { projectOnly?: boolean }): Promise<Caller>
  /** Reads what is new, once. @throws UserError `busy` while another process does */
  capture(request: CaptureRequest): Promise<CaptureReport>
  /** Captures before a question is answered, unless another process does or capture is switched off. */
  refresh(onProgress: (progress: CaptureProgress) => void): Promise<void>
  /** Reads what is new and keeps watching, until the app is closed. */
  startCapture(log: (line: string) => void, onProgress?: (progress: CaptureProgress) => void): Promise<Capturing>
  status(): Promise<Status>
  listProblems(limit: number): Promise<KnownProblem[]>
  /** What the database finds wrong with itself. */
  integrityProblems(): Promise<string[]>
  projects(): Promise<ProjectLookup>
  export(filter: ExportFilter): AsyncGenerator<ExportRow, void, undefined>
  forget(target: ForgetTarget): Promise<ForgetCounts>
  close(): Promise<void>
}

/** How long the first call of a server may wait for what is new, in milliseconds. */
const FIRST_WAIT = 1_500

/** Roots of one project that `projectOnly` takes into account. */
const MAX_ROOTS = 200

/** @throws UserError `usage` for a configuration that cannot be */
export async function createApp(surroundings: Surroundings): Promise<App> {
  const { home, env, platform, cwd } = surroundings
  const host: Host = { home, env, platform }
  const config = await loadConfig(surroundings)
  const harnesses = await configuredHarnesses(config)
  const url = config.database.url ?? join(config.directory, 'varve.db')
  const archives = createArchives({ url, harnesses, host, withSample: config.sample.enabled })
  const settings = captureSettings(config, url, host)
  const surface = describeSurface(config, harnesses, host)
  let projects: ProjectLookup | undefined
  let workflows: WorkflowServices | undefined
  let capturing: Promise<Capturing> | undefined

  const lookup = async (): Promise<ProjectLookup> => {
    const { createProjects } = await import('./capture/index.ts')
    const made = projects ?? createProjects()
    projects = made
    return made
  }
  const coverage = async ({ engine, sample }: Archive): Promise<Coverage> => {
    const [status, holder] = await Promise.all([loadCaptureStatus(engine, LOCAL_OWNER), currentHolder(engine)])
    const capturing = holder !== undefined
    return judgeCoverage({ status, capturing, enabled: config.capture.enabled, sample, now: systemClock() })
  }

  const context = createContextHolder({
    config,
    env,
    own: async () => (await archives.own()).engine,
    projects: lookup,
    capture: async () => {
      const { engine } = await archives.own()
      const [status, holder] = await Promise.all([loadCaptureStatus(engine, LOCAL_OWNER), currentHolder(engine)])
      return captureDiagnostics(config.capture.enabled, holder, status)
    },
  })

  const app: App = {
    config,
    surface,
    projects: lookup,
    async services() {
      const archive = await archives.served()
      const { engine, cursorKey } = archive
      workflows ??= workflowServices((await archives.own()).engine)
      return {
        ...surface,
        ...workflows,
        engine,
        cursorKey,
        clock: systemClock,
        projects: await lookup(),
        coverage: () => coverage(archive),
        context: context.servicesFor(engine),
      }
    },
    async freshServices(log) {
      if (capturing === undefined && config.capture.enabled) {
        const { caughtUp } = await app.startCapture(log)
        await Promise.race([caughtUp, new Promise((done) => setTimeout(done, FIRST_WAIT).unref())])
      }
      return app.services()
    },
    async caller({ projectOnly = false } = {}) {
      const local: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: cwd }
      if (!projectOnly) return local
      const project = (await lookup()).projectOf(cwd)
      if (!project) return { ...local, projectRoots: [cwd] }
      const { engine } = await archives.own()
      const known = await rootsOfProject(engine, local, project.projectId, MAX_ROOTS)
      return { ...local, projectRoots: [...new Set([project.root, ...known])] }
    },
    async capture(request) {
      return capturePass((await archives.own()).engine, harnesses, settings, request)
    },
    async refresh(onProgress) {
      const { engine } = await archives.own()
      if (!config.capture.enabled || (await currentHolder(engine)) !== undefined) return
      await capturePass(engine, harnesses, settings, { onProgress }, 'due')
    },
    async startCapture(log, onProgress) {
      const { engine } = await archives.own()
      capturing ??= startCapturing(engine, settings, log, onProgress)
      return capturing
    },
    async status() {
      const archive = await archives.served()
      const { engine, sample } = archive
      const [overview, status, holder] = await Promise.all([
        archiveOverview(engine, LOCAL_OWNER),
        loadCaptureStatus(engine, LOCAL_OWNER),
        currentHolder(engine),
      ])
      const place = sample ? 'the bundled sample' : placeOf(url)
      return {
        version,
        archive: { engine: engine.name, place, bytes: await engine.size(), sample },
        sessions: overview.sessions,
        turns: overview.turns,
        events: overview.events,
        started_at: timeOrNull(overview.startedAt),
        updated_at: timeOrNull(overview.updatedAt),
        sources: sourceStatuses(overview, harnesses, host),
        capture: captureState(config.capture.enabled, holder, status),
        coverage: await coverage(archive),
      }
    },
    listProblems: async (limit) => listProblems((await archives.own()).engine, LOCAL_OWNER, limit),
    integrityProblems: async () => integrityProblems((await archives.own()).engine),
    async *export(filter) {
      yield* exportArchive((await archives.served()).engine, await app.caller(), filter)
    },
    forget: async (target) => forget((await archives.own()).engine, LOCAL_OWNER, target, systemClock),
    async close() {
      await context.close()
      await capturing?.then((running) => running.close())
      await archives.close()
    },
  }
  return app
}

/** The harnesses with the sources of the configuration. */
async function configuredHarnesses(config: Config): Promise<readonly Harness[]> {
  if (config.sources.length === 0) return builtInHarnesses
  const { withExtraSources } = await import('./capture/index.ts')
  return withExtraSources(builtInHarnesses, config.sources)
}

function captureSettings(config: Config, url: string, { home, env, platform }: Host): CapturingSettings {
  const { enabled, extra_patterns } = config.redaction
  return {
    url,
    owner: LOCAL_OWNER,
    // A copy: what crosses into a thread must be plain data, and the process's environment is not.
    host: { home, env: { ...env }, platform },
    extraSources: config.sources,
    exclude: config.capture.exclude,
    redaction: { enabled, extraPatterns: extra_patterns },
    sweepEvery: config.capture.sweep_seconds * 1000,
    context: contextIndexSettings(config),
  }
}

/** What tools publish about this machine: only sources that can exist on it. */
function describeSurface(config: Config, harnesses: readonly Harness[], host: Host): Surface {
  const sources = harnesses.flatMap((harness) => harness.sources.filter(({ roots }) => roots(host).length > 0))
  return {
    sourceNames: sources.map(({ name }) => name).sort(),
    harnesses: harnesses.map(({ id, title }) => ({ id, title })),
    maxResults: config.mcp.max_results,
  }
}
