/**
 * Brings the context up to date with the archive and the disk, in small transactions that each move their own mark, so that
 * a crash anywhere loses and doubles nothing. Runs after passes of capture, in the same thread and under the same lease.
 */

import { posix } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { trainAssociations } from '../../retrieval/meaning/train.ts'
import { type Engine, loadProgress, saveProgress, workedInPlaces } from '../../store/index.ts'
import type { DocumentFiles } from '../documents/index.ts'
import { workOffSaves } from '../saves/work-off.ts'
import { deriveDigests } from './digests.ts'
import { type DocumentRoot, dropDocumentsOutside, indexDocuments } from './documents.ts'
import { deriveLabels } from './labels.ts'
import { projectHash8 } from './project-hash.ts'
import { deriveStatements } from './statements.ts'

export interface IndexerOptions {
  engine: Engine
  owner: number
  clock: Clock
  projects: { projectOf(directory: string): { root: string; projectId: string } | undefined }
  /** Takes secrets out of a text before it is stored. */
  scrub(text: string): string
  /** Told what went wrong, in one line. */
  log(line: string): void
  /** The home directory; it and what is above it are no project. */
  home: string
  documents: {
    enabled: boolean
    /** Folders read besides those that sessions worked in, absolute. */
    folders: readonly string[]
    /** Patterns as in `.gitignore`. */
    exclude: readonly string[]
    maxFileBytes: number
  }
  files?: DocumentFiles
  /** Makes vectors of what is new, for as long as a run may take; how many. Nothing is made when absent. */
  embed?(signal: AbortSignal): Promise<number>
  /** Improves labels of the rules with a model; how many. */
  improveLabels?(signal: AbortSignal): Promise<number>
}

/** What one run did. */
export interface IndexReport {
  statements: number
  labels: number
  digests: number
  documents: number
  removed: number
  saves: number
  /** Which words go together was learnt anew. */
  trained: boolean
  /** Labels improved by a model, and vectors made; absent where neither is configured. */
  improved?: number
  vectors?: number
}

export interface ContextIndexer {
  /**
   * One run. `everything`: the documents of all folders are looked at; otherwise of those that are due. Stops between two
   * transactions when aborted.
   */
  run(signal: AbortSignal, everything?: boolean): Promise<IndexReport>
}

/** Milliseconds between two looks at the documents of a folder where somebody worked in the last day, and of any other. */
const ACTIVE_EVERY = 60_000
const OTHERS_EVERY = 15 * 60_000
const DAY = 86_400_000

/** Milliseconds between two looks at which folders are due. */
const LOOK_EVERY = 10_000

/** Folders looked at in one run, unless it is for everything. */
const FOLDERS_AT_ONCE = 4

/** Places of sessions that folders are taken from: the newest. */
const PLACES = 2_000
const FOLDERS = 200

/** What a run leaves for `status`. */
export const DOCUMENT_SCAN = 'documents.scan'

/** When each folder was last looked at, so that every process knows what is due. */
export interface DocumentScanState {
  folders: number
  /** Of these folders, those that were not there. */
  missing: number
  looks: { root: string; at: number; missing: boolean }[]
  at: number
}

export function createContextIndexer(options: IndexerOptions): ContextIndexer {
  const { engine, owner, clock, log } = options
  return {
    async run(signal, everything = false) {
      const now = clock()
      const report: IndexReport = {
        saves: 0,
        statements: 0,
        documents: 0,
        removed: 0,
        labels: 0,
        digests: 0,
        trained: false,
      }
      /** One part that fails, as on a full disk, must not keep the others from their work; the next run tries again. */
      const part = async (name: string, work: () => Promise<Partial<IndexReport>>): Promise<void> => {
        if (signal.aborted) return
        try {
          Object.assign(report, await work())
        } catch (error) {
          if (!signal.aborted)
            log(`indexing of ${name} failed: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      await part('saves', async () => ({ saves: await workOffSaves({ engine, owner, clock, log, signal }) }))
      await part('statements', async () => ({ statements: await deriveStatements({ engine, owner, now, signal }) }))
      await part('documents', () => refreshDocuments(options, signal, everything))
      await part('labels', async () => {
        const labels = () => deriveLabels({ engine, owner, now, signal })
        return { labels: await untilNone(signal, labels, everything) }
      })
      await part('digests', async () => {
        const identityOf = (projectId: string, cwd: string | null) => identityOfProject(options, projectId, cwd)
        const digests = () => deriveDigests({ engine, owner, now, identityOf, signal })
        return { digests: await untilNone(signal, digests, everything) }
      })
      await part('associations', async () => {
        const { trained } = await trainAssociations(engine, owner, signal)
        return { trained }
      })
      // What waits for a model comes last.
      const { embed, improveLabels } = options
      if (embed) await part('vectors', async () => ({ vectors: await embed(signal) }))
      if (improveLabels) await part('labels by a model', async () => ({ improved: await improveLabels(signal) }))
      return report
    },
  }
}

/** One run of bounded work, or as many as it takes. */
async function untilNone(signal: AbortSignal, work: () => Promise<number>, everything: boolean): Promise<number> {
  let total = 0
  for (;;) {
    const count = await work()
    total += count
    if (count === 0 || !everything || signal.aborted) return total
  }
}

async function refreshDocuments(
  options: IndexerOptions,
  signal: AbortSignal,
  everything: boolean,
): Promise<{ documents: number; removed: number }> {
  const { engine, owner, clock, documents, scrub, home, files } = options
  const result = { documents: 0, removed: 0 }
  const state = await loadScan(engine, owner)
  if (!everything && clock() - state.at < LOOK_EVERY) return result
  const { folders, complete } = await wantedFolders(options)
  if (complete) {
    result.removed += await dropDocumentsOutside(engine, owner, new Set(folders.map(({ projectId }) => projectId)))
  }
  const looks = new Map(state.looks.map((look) => [look.root, look]))
  const due = folders.filter(
    ({ root, every }) => everything || clock() - (looks.get(root)?.at ?? Number.NEGATIVE_INFINITY) >= every,
  )
  for (const folder of everything ? due : due.slice(0, FOLDERS_AT_ONCE)) {
    if (signal.aborted) break
    const { hash } = await identityOfProject(options, folder.projectId, folder.root)
    const { maxFileBytes, exclude } = documents
    const work = { engine, owner, now: clock(), scrub, maxFileBytes, exclude, home, signal, ...(files && { files }) }
    const { written, removed, missing } = await indexDocuments(work, { ...folder, hash })
    looks.set(folder.root, { root: folder.root, at: clock(), missing })
    result.documents += written
    result.removed += removed
  }
  const kept = folders.flatMap(({ root }) => looks.get(root) ?? [])
  const next: DocumentScanState = {
    folders: folders.length,
    missing: kept.filter(({ missing }) => missing).length,
    looks: kept,
    // With folders still due, the next run goes on at once.
    at: !everything && due.length > FOLDERS_AT_ONCE ? 0 : clock(),
  }
  await engine.transaction((tx) => saveProgress(tx, owner, DOCUMENT_SCAN, JSON.stringify(next)))
  return result
}

async function loadScan(engine: Engine, owner: number): Promise<DocumentScanState> {
  const stored = await loadProgress(engine, owner, DOCUMENT_SCAN)
  return stored === undefined
    ? { folders: 0, missing: 0, looks: [], at: Number.NEGATIVE_INFINITY }
    : (JSON.parse(stored) as DocumentScanState)
}

interface Folder extends Omit<DocumentRoot, 'hash'> {
  every: number
}

/**
 * One folder for each project: of several checkouts the one with the shortest path, which is the main one as a rule.
 * `complete`: no project is missing from the list.
 */
async function wantedFolders(options: IndexerOptions): Promise<{ folders: Folder[]; complete: boolean }> {
  const { engine, owner, clock, projects, documents, home } = options
  if (!documents.enabled) return { folders: [], complete: true }
  const now = clock()
  const places = await workedInPlaces(engine, owner, PLACES)
  const named = documents.folders.map((cwd) => ({ cwd, updated_at: now }))
  const byProject = new Map<string, Folder>()
  for (const { cwd, updated_at } of [...named, ...places]) {
    const project = projects.projectOf(cwd)
    if (!project || isAbove(project.root, home)) continue
    const every = now - updated_at < DAY ? ACTIVE_EVERY : OTHERS_EVERY
    const known = byProject.get(project.projectId)
    const isBetter = known === undefined || project.root.length < known.root.length
    byProject.set(project.projectId, {
      projectId: project.projectId,
      root: isBetter ? project.root : known.root,
      every: Math.min(every, known?.every ?? every),
    })
  }
  const folders = [...byProject.values()]
  return { folders: folders.slice(0, FOLDERS), complete: places.length < PLACES && folders.length <= FOLDERS }
}

/** The home directory itself, and what holds it. */
function isAbove(root: string, home: string): boolean {
  const [above, below] = [root, home.replaceAll('\\', '/')].map((path) => `${path.replace(/\/+$/, '')}/`)
  return below !== undefined && above !== undefined && below.startsWith(above)
}

/** What a project goes by: found once and kept, so that its keys stay when a remote is added. */
async function identityOfProject(
  { engine, owner, projects }: IndexerOptions,
  projectId: string,
  cwd: string | null,
): Promise<{ hash: string; root: string; name: string }> {
  const project = cwd === null ? undefined : projects.projectOf(cwd)
  const root = project?.root ?? cwd ?? '/'
  const key = `project-hash:${projectId}`
  let hash = await loadProgress(engine, owner, key)
  if (hash === undefined) {
    hash = projectHash8(root, projectId)
    const found = hash
    await engine.transaction((tx) => saveProgress(tx, owner, key, found))
  }
  return { hash, root, name: posix.basename(root) || root }
}
