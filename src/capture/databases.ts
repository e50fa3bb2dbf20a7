/** The databases of other programs: what they hold, and one connection to each for as long as a pass takes. */

import type { Clock } from '../core/clock.ts'
import type { DatabaseFormat, TranscriptEntry } from '../harness/harness.ts'
import { type FileSystem, lookOf, nodeFileSystem, ReadFailure } from './file-system.ts'
import { isSettledTime } from './fingerprint.ts'
import { type ForeignDatabase, openForeignDatabase } from './foreign-database.ts'

export interface Databases {
  /**
   * The transcripts in a database. It is opened only when its files look different from the last time.
   * @throws ReadFailure
   */
  transcripts(path: string, format: DatabaseFormat): readonly TranscriptEntry[]
  /** The connection of this pass. @throws ReadFailure */
  open(path: string): ForeignDatabase
  /** Takes over what was listed by an earlier process, where nothing is known yet. */
  recall(path: string, listing: Listing): void
  /** What was listed anew since the last call, by path; what was written to lately is not among it. */
  takeListed(): ReadonlyMap<string, Listing>
  /** Ends the pass: its connections are closed, what was listed is remembered. */
  close(): void
}

/** Written beside the database before it is itself. */
const COMPANIONS = ['', '-wal', '-journal']

/** What a database held when its files looked so. */
export interface Listing {
  look: string
  entries: readonly TranscriptEntry[]
}

export function createDatabases(clock: Clock, fileSystem: FileSystem = nodeFileSystem): Databases {
  // A file whose harness is not known yet is listed in the way of one after the other.
  const listings = new Map<string, Listing & { format?: DatabaseFormat }>()
  const connections = new Map<string, ForeignDatabase>()
  let listed = new Map<string, Listing>()

  /** How the files look; undefined while they were written to so lately that another write might look the same. */
  const lookAt = (path: string): string | undefined => {
    const stats = COMPANIONS.map((suffix) => fileSystem.stat(path + suffix))
    if (stats.some((stat) => stat && !isSettledTime(stat.mtimeMs, clock()))) return undefined
    return stats.map((stat) => (stat ? Object.values(lookOf(stat)).join(' ') : '')).join(',')
  }

  const open = (path: string): ForeignDatabase => {
    const connection = connections.get(path) ?? openForeignDatabase(path, fileSystem)
    connections.set(path, connection)
    return connection
  }

  return {
    open,
    transcripts(path, format) {
      const look = lookAt(path)
      const known = listings.get(path)
      if (known && known.look === look && (known.format ?? format) === format) return known.entries
      listings.delete(path)
      const database = open(path)
      const entries = [...orHarnessError(() => database.snapshot(() => format.transcripts(database)))]
      if (look !== undefined) {
        listings.set(path, { look, entries, format })
        listed.set(path, { look, entries })
      }
      return entries
    },
    recall(path, listing) {
      if (!listings.has(path)) listings.set(path, listing)
    },
    takeListed() {
      const taken = listed
      listed = new Map()
      return taken
    },
    close() {
      for (const connection of connections.values()) connection.close()
      connections.clear()
    },
  }
}

/** What a harness throws while it makes items is a failure of that one file. */
export function* orHarnessError<T>(items: () => Iterable<T>): Generator<T> {
  try {
    yield* items()
  } catch (error) {
    throw error instanceof ReadFailure ? error : new ReadFailure('harness-error', error)
  }
}
