/** What is held, and how the parts of it do. */

import type { Caller } from '../core/caller.ts'
import { countItems, countSaveJobs, countSessions, countStatements, loadProgress } from '../store/index.ts'
import type { ContextParts } from './create-services.ts'
import { DOCUMENT_SCAN, type DocumentScanState } from './indexing/index-context.ts'
import type { ContextSettings, ContextStatus, MeaningStatus } from './services.ts'

/** The two blocks of `rift_status`; counts are those of the rows (statement 98). */
export async function contextStatus(
  parts: Pick<ContextParts, 'archive' | 'own' | 'settings' | 'capture' | 'meaning'>,
  caller: Caller,
): Promise<ContextStatus> {
  const { archive, own, settings, capture } = parts
  const [sessions, saves, digests, documents, statements, jobs, scan, captureDiagnostics] = await Promise.all([
    countSessions(archive, caller),
    countItems(own, caller, 'save'),
    countItems(archive, caller, 'digest'),
    countItems(archive, caller, 'document'),
    countStatements(archive, caller),
    countSaveJobs(own, caller.owner),
    loadProgress(archive, caller.owner, DOCUMENT_SCAN),
    capture(),
  ])
  return {
    capture_diagnostics: captureDiagnostics,
    memory_diagnostics: {
      counts: { conversations: sessions + saves, digests, structured_docs: documents },
      digests: digestStatus(settings.enabled, digests),
      documents: documentStatus(documents, scan === undefined ? undefined : (JSON.parse(scan) as DocumentScanState)),
      statements,
      meaning: (await parts.meaning?.(caller)) ?? meaningStatus(settings.meaning),
      saves: { stored: saves, waiting: jobs.queued + jobs.running, failed: jobs.failed },
    },
  }
}

function meaningStatus(meaning: ContextSettings['meaning']): MeaningStatus {
  if (meaning === 'off') return { status: 'off', summary: 'Off: keywords alone are searched.' }
  return { status: 'ok', summary: 'Built in: words that the archive uses together.' }
}

function digestStatus(enabled: boolean, count: number): ContextStatus['memory_diagnostics']['digests'] {
  if (!enabled) return { status: 'unavailable_basic', summary: 'No digests, because context.enabled is off.' }
  if (count === 0) {
    return { status: 'none_yet', summary: 'No digests yet: they are made of sessions in projects, week by week.' }
  }
  return { status: 'ok', summary: `${count} digests, one for each project and week.` }
}

function documentStatus(
  count: number,
  scan: DocumentScanState | undefined,
): ContextStatus['memory_diagnostics']['documents'] {
  if (count > 0) return { status: 'ok', summary: `${count} documents of ${scan?.folders ?? 0} folders.` }
  if (!scan || scan.folders === 0) {
    return { status: 'no_sources', summary: 'No documents: no session worked in a folder that is known.' }
  }
  if (scan.missing >= scan.folders) {
    return { status: 'source_missing', summary: 'No documents: none of the folders that sessions worked in is there.' }
  }
  return { status: 'source_empty', summary: `No documents in ${scan.folders} folders.` }
}
