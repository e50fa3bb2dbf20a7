/** The archive that is served: the owner's own, or the sample while there is nothing of theirs yet. */

import { createHash } from 'node:crypto'
import { LOCAL_OWNER } from '../core/caller.ts'
import { systemClock } from '../core/clock.ts'
import type { Harness, Host } from '../harness/index.ts'
import { sampleHome } from '../installation.ts'
import { type Engine, isEmptyArchive, openStore, settingOr } from '../store/index.ts'
import { contextIndexer } from './open-capturing.ts'
import type { CapturingSettings } from './settings.ts'

export interface Archive {
  engine: Engine
  /** Made-up sessions. */
  sample: boolean
  /** Signs cursors; the same for all processes that serve this archive. */
  cursorKey: Buffer
}

export interface Archives {
  /** The owner's own archive; opened at the first call. */
  own(): Promise<Archive>
  /** The one to answer from now. */
  served(): Promise<Archive>
  close(): Promise<void>
}

export interface ArchivesOptions {
  /** The owner's archive: `postgres://…` or a SQLite file. */
  url: string
  harnesses: readonly Harness[]
  host: Host
  /** Whether the sample may be served. */
  withSample: boolean
}

export function createArchives({ url, harnesses, host, withSample }: ArchivesOptions): Archives {
  const own = once(() => openOwn(url))
  const sample = once(() => openSample(harnesses))
  let hasOwn = !withSample
  return {
    own: own.get,
    async served() {
      const archive = await own.get()
      // A session that is there stays until it is forgotten, so that this is asked no more.
      hasOwn ||= !(await isEmptyArchive(archive.engine, LOCAL_OWNER)) || (await hasTranscripts(harnesses, host))
      return hasOwn ? archive : sample.get()
    },
    async close() {
      for (const opened of [await own.opened(), await sample.opened()]) await opened?.engine.close()
    },
  }
}

async function openOwn(url: string): Promise<Archive> {
  const engine = await openStore({ url })
  const { randomBytes } = await import('node:crypto')
  const key = await settingOr(engine, 'cursor-key', () => randomBytes(32).toString('base64'))
  return { engine, sample: false, cursorKey: Buffer.from(key, 'base64') }
}

/** Its sessions speak of folders that are not on this machine, or are somebody's own. */
const SAMPLE_SETTINGS = {
  host: { home: sampleHome, env: {}, platform: 'linux' },
  context: { enabled: true, documents: false, folders: [], exclude: [], maxFileBytes: 0 },
} satisfies Pick<CapturingSettings, 'context' | 'host'>

/**
 * The sample is read anew by every process, into memory: there is nothing to clean up when transcripts appear. Its ids and
 * row numbers come out the same each time, and there is nothing to protect, so its cursors work across processes too.
 */
async function openSample(harnesses: readonly Harness[]): Promise<Archive> {
  const { captureOnce, createProjects, createRedactor } = await import('../capture/index.ts')
  const engine = await openStore({ url: ':memory:' })
  const redactor = createRedactor({ enabled: true })
  const projects = createProjects()
  await captureOnce({
    engine,
    owner: LOCAL_OWNER,
    harnesses,
    host: SAMPLE_SETTINGS.host,
    clock: systemClock,
    redactor,
    projects,
  })
  const indexer = await contextIndexer(
    SAMPLE_SETTINGS,
    { engine, owner: LOCAL_OWNER, projects, redactor },
    console.error,
  )
  await indexer?.run(new AbortController().signal, true)
  return { engine, sample: true, cursorKey: createHash('sha256').update('varve sample').digest() }
}

async function hasTranscripts(harnesses: readonly Harness[], host: Host): Promise<boolean> {
  const { discover } = await import('../capture/index.ts')
  const { files, unreadable } = discover(harnesses, host)
  return files.length > 0 || unreadable.length > 0
}

/** Something opened at the first call; a failure is forgotten, so that the next call tries again. */
function once<T>(open: () => Promise<T>): { get(): Promise<T>; opened(): Promise<T | undefined> } {
  let promise: Promise<T> | undefined
  return {
    get() {
      promise ??= open().catch((error: unknown) => {
        promise = undefined
        throw error
      })
      return promise
    },
    opened: async () => promise?.catch(() => undefined),
  }
}
