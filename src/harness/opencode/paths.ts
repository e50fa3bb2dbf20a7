/** Where OpenCode and its descendants keep transcripts. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

/** A program of the family. */
export interface Product {
  /** Name of its source and of its folder. */
  name: string
  /** What the names of its databases begin with. */
  databases: readonly string[]
  /** Variable that names another database. */
  databaseVariable: string
}

export const opencodeProduct: Product = {
  name: 'opencode',
  databases: ['opencode'],
  databaseVariable: 'OPENCODE_DB',
}

export function sourceOf(product: Product): SourceDefinition {
  return {
    name: product.name,
    roots: (host) => rootsOf(product, host),
    matches: (path) => isDatabase(product, path) || isStoredSession(path),
    skips: (path) => OTHER_FOLDERS.test(path),
  }
}

/**
 * The data folder, by the XDG rules on every platform, and that of a database named by the product's variable. A
 * relative name stands below the data folder already.
 */
function rootsOf({ name, databaseVariable }: Product, host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  const data = host.env['XDG_DATA_HOME']?.trim() || path.join(host.home, '.local', 'share')
  const named = host.env[databaseVariable]?.trim() ?? ''
  return [path.join(data, name), ...(path.isAbsolute(named) ? [path.dirname(named)] : [])]
}

/** Git objects, working copies, programs and notes beside the database; of the JSON files all but those of sessions. */
const OTHER_FOLDERS = /^(?:snapshot|worktree|repos|bin|log|tool-output|storage\/(?!session(?:\/|$))[^/]+)(?:\/|$)/

/** `opencode.db`, and `opencode-<channel>.db` of clients that are no releases. */
function isDatabase({ databases }: Product, path: string): boolean {
  const name = /^([a-z]+)(?:-[^/]+)?\.db$/.exec(path)?.[1]
  return name !== undefined && databases.includes(name)
}

/** Until 1.2 everything was JSON files: `storage/session/<project>/<session>.json`. */
const STORED = /^storage\/session\/(?!(?:info|message|part)\/)[^/]+\/[^/]+\.json$/

/** Until 0.6 each project had such a folder: `project/<name>/storage/session/info/<session>.json`. */
const STORED_BY_PROJECT = /^project\/[^/]+\/storage\/session\/info\/[^/]+\.json$/

function isStoredSession(path: string): boolean {
  return STORED.test(path) || STORED_BY_PROJECT.test(path)
}

export function isDatabaseFile({ path }: SourceFile): boolean {
  return path.endsWith('.db')
}

/** The session's id by the name of its file. */
export function stemOf({ path }: SourceFile): string {
  return (path.split(/[\\/]/).at(-1) ?? '').replace(/\.json$/, '')
}

/** Folders around a session's file. */
export interface StorageFolders {
  /** Holds the session's messages. */
  messages: string
  /** Folder of one message's parts. */
  partsOf(message: string): string
  /** Parts of messages that have no folder of their own, in some copies. */
  looseParts: string
  /** A path below one of these folders. */
  join(folder: string, name: string): string
}

/** The folders that belong to a session's file, which is named after the session. */
export function storageFolders(file: SourceFile, session: string): StorageFolders {
  const { dirname, basename, join } = file.path.includes('\\') ? win32 : posix
  const folder = dirname(file.path)
  // `session/info/<session>.json` lies beside `session/message`; `session/<project>/…` beside `message`.
  const isOldest = basename(folder) === 'info'
  const top = isOldest ? dirname(folder) : dirname(dirname(folder))
  return {
    messages: join(top, 'message', session),
    partsOf: (message) => (isOldest ? join(top, 'part', session, message) : join(top, 'part', message)),
    looseParts: join(top, 'part'),
    join: (parent, name) => join(parent, name),
  }
}

/**
 * The working directory of a database of 2025's first OpenCode, which kept it in the project, at `.opencode/opencode.db`;
 * empty for one that lies elsewhere.
 */
export function projectOf(file: SourceFile): string {
  const { dirname, basename } = file.path.includes('\\') ? win32 : posix
  const folder = dirname(file.path)
  return basename(folder) === '.opencode' ? dirname(folder) : ''
}
