/** Binds what the context toolset offers to its engines. */

import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import { timeOrderedUuid } from '../core/uuid.ts'
import type { Lanes } from '../retrieval/passages.ts'
import { type Engine, findSaveJob } from '../store/index.ts'
import { locateEvidence } from './evidence/locate.ts'
import {
  type EvidenceLog,
  forgetFeedback,
  logOutcome,
  openRecorded,
  outcomeBoosts,
  whyEvidence,
} from './evidence/log.ts'
import { createSaves, type Saves } from './saves/save.ts'
import type { ContextServices, ContextSettings, ContextStatus, MeaningStatus } from './services.ts'
import { contextStatus } from './status.ts'

export interface ContextParts {
  /** The archive that is read; the sample while there is nothing of the owner's. */
  archive: Engine
  /** Where saves and the log go. */
  own: Engine
  clock: Clock
  settings: ContextSettings
  projects: { projectOf(directory: string): { root: string; projectId: string } | undefined }
  /** Takes secrets and control characters out of a text before it is stored. */
  scrub(text: string): string
  /** Told what went wrong, in one line. */
  log(line: string): void
  capture(): Promise<ContextStatus['capture_diagnostics']>
  /** What takes part in search besides keywords. */
  lanes?: Lanes
  /** How search by meaning does, where more than what is built in is configured. */
  meaning?(caller: Caller): Promise<MeaningStatus>
}

/** The saves of a process, which it shares among all it serves. */
export function createProcessSaves(
  parts: Omit<ContextParts, 'archive' | 'settings' | 'capture' | 'lanes' | 'meaning'>,
): Saves {
  const { own, clock, projects, scrub, log } = parts
  return createSaves({ engine: own, clock, newId: () => timeOrderedUuid(clock()), projects, scrub, log })
}

export function createContextServices(parts: ContextParts, saves: Saves = createProcessSaves(parts)): ContextServices {
  const { archive, own, clock, settings, scrub, lanes } = parts
  const log: EvidenceLog = { archive, own, clock, scrub, newId: () => timeOrderedUuid(clock()) }
  return {
    settings,
    ...(lanes && { lanes }),
    save: (caller, request) => saves.save(caller, request),
    savesSettled: () => saves.settled(),
    saveJob: (caller: Caller, id: string) => findSaveJob(own, caller.owner, id),
    locate: (caller, name) => locateEvidence(archive, caller, name),
    openRecorded: (caller, open) => openRecorded(log, caller, open),
    logOutcome: (caller, outcome) => logOutcome(log, caller, outcome),
    whyEvidence: (caller, question) => whyEvidence(log, caller, question),
    forgetFeedback: (caller, request) => forgetFeedback(log, caller, request),
    outcomeBoosts: async (caller, keys) =>
      settings.outcomesMoveRanking ? outcomeBoosts(log, caller, keys) : new Map<string, number>(),
    status: (caller) => contextStatus(parts, caller),
  }
}
