/** Finds the documents of a project: looks at each file once and reads those that changed. */

import { posix } from 'node:path'
import type { DocumentLook, DocumentState, ReadDocument, UnchangedDocument } from './document.ts'
import { type DocumentFiles, diskDocumentFiles } from './document-files.ts'
import { type Checkout, openCheckout, readWhole } from './git.ts'
import { readGeneratedPatterns } from './git-attributes.ts'
import { MAX_IGNORE_BYTES } from './ignore-rules.ts'
import { isDocumentPath } from './names.ts'
import { roleOf, ruleIdOf, saysGenerated, titleOf } from './roles.ts'
import { decodeText } from './text.ts'
import { type Candidate, type WalkBounds, walk } from './walk.ts'

export interface KnownDocument {
  look: DocumentLook
  /** As stored: whether a program wrote the file is seen in its content, which is not read again. */
  state: DocumentState
}

export interface DiscoverOptions {
  /** The disk by default. */
  files?: DocumentFiles
  /** What earlier scans of this root found, by path: an unchanged file is not read again. */
  known?: ReadonlyMap<string, KnownDocument>
  /** A larger file is passed over; 524,288 bytes by default. */
  maxFileBytes?: number
  /** Documents of one root at most; 2,000 by default. */
  maxDocuments?: number
  /** Directories looked into at most; 5,000 by default. */
  maxDirectories?: number
  /** Patterns in the language of `.gitignore`, relative to the root: left out whatever Git says. */
  exclude?: readonly string[]
  /** The home directory: a checkout is not looked for above it, nor is its own taken for that of all it holds. */
  home?: string
  signal?: AbortSignal
}

export type SkipReason = 'too_large' | 'unreadable' | 'binary' | 'link'

export interface DocumentScan {
  /** New or changed. */
  read: ReadDocument[]
  unchanged: UnchangedDocument[]
  /** In Git's index, gone from disk. With the two above: all there is; any other known path is to be removed. */
  deleted: string[]
  /** Documents that were passed over, by reason. */
  skipped: Record<SkipReason, number>
  /** False when a bound was met: then a known path that is missing here may still exist. */
  complete: boolean
  /** The root itself is gone or cannot be read: nothing was found. */
  missing: boolean
  /** Whether Git's index told tracked files from others; `unreadable` leaves all states at `none`. */
  git: 'read' | 'absent' | 'unreadable'
}

const MAX_FILE_BYTES = 512 * 1024
const MAX_DOCUMENTS = 2_000
const MAX_DIRECTORIES = 5_000

/** Enough to see whether a program wrote a file. */
const HEAD_BYTES = 8_192

interface Reader {
  files: DocumentFiles
  root: string
  checkout: Checkout | undefined
  isGeneratedPath: (path: string) => boolean
  maxFileBytes: number
  known: ReadonlyMap<string, KnownDocument>
  result: DocumentScan
}

/**
 * The documents below an absolute directory, shallow ones first; `isDocumentPath` says what counts as one. What Git
 * ignores is left out unless it is tracked, and so are checkouts inside the root, which are projects of their own. Never
 * leaves the root, never runs a program.
 * @throws the signal's reason, when it is aborted
 */
export function discoverDocuments(root: string, options: DiscoverOptions = {}): DocumentScan {
  const { files = diskDocumentFiles, exclude = [], signal } = options
  const top = normalizeRoot(root)
  const home = options.home === undefined ? undefined : normalizeRoot(options.home)
  const checkout = openCheckout(files, top, home, isDocumentPath)
  const bounds: WalkBounds = {
    maxDocuments: options.maxDocuments ?? MAX_DOCUMENTS,
    maxDirectories: options.maxDirectories ?? MAX_DIRECTORIES,
  }
  const found = walk({ files, root: top, checkout, exclude, bounds, ...(signal && { signal }) })
  const reader: Reader = {
    files,
    root: top,
    checkout,
    isGeneratedPath: generatedPaths(files, top, checkout),
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    known: options.known ?? new Map(),
    result: {
      read: [],
      unchanged: [],
      deleted: [],
      skipped: { too_large: 0, unreadable: 0, binary: 0, link: found.linksLeft },
      complete: found.complete,
      missing: found.missing,
      git: checkout === undefined ? 'absent' : checkout.index === undefined ? 'unreadable' : 'read',
    },
  }
  for (const candidate of found.candidates) {
    signal?.throwIfAborted()
    readCandidate(reader, candidate)
  }
  if (!found.missing) reader.result.deleted = deletedPaths(reader, found.isExcluded)
  return reader.result
}

function normalizeRoot(root: string): string {
  const path = posix.normalize(process.platform === 'win32' ? root.replaceAll('\\', '/') : root)
  return path.length > 1 && path.endsWith('/') && !/^[A-Za-z]:\/$/.test(path) ? path.slice(0, -1) : path
}

function readCandidate(reader: Reader, { path, look, target }: Candidate): void {
  const { files, root, result, maxFileBytes } = reader
  const place = target ?? posix.join(root, path)
  if (look.size > maxFileBytes) {
    result.skipped.too_large++
    return
  }
  const known = reader.known.get(path)
  if (known && sameLook(known.look, look)) {
    const isGenerated = known.state === 'generated' && headSaysGenerated(files, place)
    result.unchanged.push({ path, look, state: stateOf(reader, path, isGenerated) })
    return
  }
  const bytes = readWhole(files, place, maxFileBytes)
  const content = bytes && decodeText(bytes)
  if (bytes === undefined) result.skipped.unreadable++
  else if (content === undefined) result.skipped.binary++
  else result.read.push(describe(reader, path, look, content))
}

function describe(reader: Reader, path: string, look: DocumentLook, content: string): ReadDocument {
  const title = titleOf(path, content)
  const role = roleOf(path, content, title)
  const ruleId = ruleIdOf(role, path)
  const state = stateOf(reader, path, saysGenerated(content))
  return { path, look, role, state, title, content, ...(ruleId !== undefined && { ruleId }) }
}

function stateOf({ checkout, isGeneratedPath }: Reader, path: string, isGenerated: boolean): DocumentState {
  if (isGenerated || isGeneratedPath(path)) return 'generated'
  if (checkout?.index === undefined) return 'none'
  return checkout.index.paths.has(path) ? 'tracked' : 'untracked'
}

function headSaysGenerated(files: DocumentFiles, place: string): boolean {
  const head = files.read(place, HEAD_BYTES)
  return head !== undefined && saysGenerated(decodeText(head) ?? '')
}

function sameLook(a: DocumentLook, b: DocumentLook): boolean {
  return a.size === b.size && a.modifiedAt === b.modifiedAt && a.identity === b.identity
}

/** `.gitattributes` of the top and of the root, for paths relative to the root. */
function generatedPaths(files: DocumentFiles, root: string, checkout: Checkout | undefined): (path: string) => boolean {
  if (!checkout) return () => false
  const read = (directory: string) => {
    const text = files.read(posix.join(directory, '.gitattributes'), MAX_IGNORE_BYTES)?.toString('utf8')
    return readGeneratedPatterns(text ?? '', checkout.caseless)
  }
  const ofTop = read(checkout.top)
  if (checkout.prefix === '') return ofTop
  const ofRoot = read(root)
  return (path) => ofRoot(path) || ofTop(`${checkout.prefix}/${path}`)
}

/** Tracked documents that are not on disk, though no sparse checkout left them out. */
function deletedPaths(reader: Reader, isExcluded: (path: string) => boolean): string[] {
  const { files, root, checkout, result } = reader
  if (!checkout?.index) return []
  const present = new Set([...result.read, ...result.unchanged].map(({ path }) => path))
  const { paths, absent } = checkout.index
  return [...paths]
    .filter((path) => !present.has(path) && !absent.has(path) && !isExcluded(path))
    .filter((path) => files.look(posix.join(root, path)) === undefined)
    .sort()
}
