/** The context toolset: bound to the archive that is served, writing to the owner's own. */

import type { Config } from '../config.ts'
import type { Caller } from '../core/caller.ts'
import { systemClock } from '../core/clock.ts'
import { formatTime } from '../core/time.ts'
import { installedIn } from '../installation.ts'
import type { CaptureStatus, Engine } from '../store/index.ts'
import type { ProjectLookup, Services } from '../tools/index.ts'
import { type ConfiguredLane, configuredLane, type ModelSettings, meaningStatus } from './models.ts'
import type { ContextIndexSettings } from './settings.ts'

type ContextServices = Services['context']
type ContextModule = typeof import('../context/index.ts')
type Saves = ReturnType<ContextModule['createProcessSaves']>
type Diagnostics = Awaited<ReturnType<ContextServices['status']>>['capture_diagnostics']

export interface ContextHolder {
  /** What tools use with this archive. The toolset's code is loaded at the first call of one of its functions. */
  servicesFor(archive: Engine): ContextServices
  /** Waits for the saves under way. */
  close(): Promise<void>
}

export interface ContextHolderOptions {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  own(): Promise<Engine>
  projects(): Promise<ProjectLookup>
  capture(): Promise<Diagnostics>
}

export function createContextHolder(options: ContextHolderOptions): ContextHolder {
  const { config, env, own, projects, capture } = options
  const section = config.context
  const settings: ContextServices['settings'] = {
    enabled: section.enabled,
    folders: section.folders,
    maxFileBytes: section.max_file_bytes,
    outcomesMoveRanking: section.outcomes_move_ranking,
    meaning: section.meaning.provider,
    conversationsSearchLexicalFallback: section.conversations_search_lexical_fallback,
  }
  const models = modelSettings(config)
  const made = new Map<Engine, Promise<ContextServices>>()
  const lanes = new Map<Engine, ConfiguredLane | undefined>()
  let shared: Promise<Awaited<ReturnType<typeof loadShared>>> | undefined
  let saves: Saves | undefined

  async function loadShared() {
    const [module, { createRedactor, createScrubber }] = await Promise.all([
      import('../context/index.ts'),
      import('../capture/index.ts'),
    ])
    const { enabled: redacts, extra_patterns } = config.redaction
    const redactor = createRedactor({ enabled: redacts, extraPatterns: extra_patterns })
    const { text: scrub } = createScrubber((text) => redactor.redact(text))
    const parts = { own: await own(), clock: systemClock, projects: await projects(), scrub, log: console.error }
    saves = module.createProcessSaves(parts)
    return { module, parts, saves }
  }
  const load = async (archive: Engine): Promise<ContextServices> => {
    shared ??= loadShared()
    const { module, parts, saves: common } = await shared
    const meaning = (caller: Caller) => meaningStatus(models, archive, caller)
    return module.createContextServices({ ...parts, archive, settings, capture, meaning }, common)
  }
  return {
    servicesFor(archive) {
      const get = (): Promise<ContextServices> => {
        const services = made.get(archive) ?? load(archive)
        made.set(archive, services)
        return services
      }
      const vectors = lanes.get(archive) ?? configuredLane(models, env, archive)
      lanes.set(archive, vectors)
      return {
        settings,
        ...(vectors && { lanes: { meaning: vectors.lane } }),
        save: async (caller, request) => (await get()).save(caller, request),
        savesSettled: async () => (await get()).savesSettled(),
        saveJob: async (caller, id) => (await get()).saveJob(caller, id),
        locate: async (caller, name) => (await get()).locate(caller, name),
        openRecorded: async (caller, open) => (await get()).openRecorded(caller, open),
        logOutcome: async (caller, outcome) => (await get()).logOutcome(caller, outcome),
        whyEvidence: async (caller, question) => (await get()).whyEvidence(caller, question),
        forgetFeedback: async (caller, request) => (await get()).forgetFeedback(caller, request),
        outcomeBoosts: async (caller, keys) => (await get()).outcomeBoosts(caller, keys),
        status: async (caller) => (await get()).status(caller),
      }
    },
    async close() {
      await Promise.all([...lanes.values()].map((lane) => lane?.close()))
      await saves?.settled()
    },
  }
}

export function contextIndexSettings(config: Config): ContextIndexSettings {
  const { enabled, folders, exclude, max_file_bytes } = config.context
  return { enabled, documents: true, folders, exclude, maxFileBytes: max_file_bytes, models: modelSettings(config) }
}

function modelSettings({ context: { meaning, labels }, directory }: Config): ModelSettings {
  return { meaning, labels, encoderFolders: [installedIn, directory] }
}

/** `capture_diagnostics`: no other program is needed, so what there is to check is that passes end. */
export function captureDiagnostics(
  enabled: boolean,
  holder: string | undefined,
  status: CaptureStatus | undefined,
): Diagnostics {
  const errors = (status?.problems ?? 0) + (status?.unreadable.length ?? 0)
  const isOff = !enabled && holder === undefined
  return {
    status: isOff ? 'off' : (status?.unreadable.length ?? 0) > 0 ? 'degraded' : 'ok',
    worker: 'varve',
    preflight_ok: status?.finishedAt != null,
    last_preflight_at: status?.finishedAt == null ? null : formatTime(status.finishedAt),
    recent_capture_errors: errors,
  }
}
