/** Documents of the folders that sessions worked in or that the user named: what is new or changed is read and stored. */

import { createHash } from 'node:crypto'
import { cutPassages } from '../../retrieval/passage-cut.ts'
import {
  type ContextItem,
  deleteItems,
  type Engine,
  findItem,
  listItems,
  markDocumentGone,
  type NewPassage,
  type NewStatement,
  type Queryable,
  setItemStates,
  writeItem,
} from '../../store/index.ts'
import {
  type DocumentFiles,
  type DocumentLook,
  discoverDocuments,
  type KnownDocument,
  type ReadDocument,
  type Section,
  sectionsOf,
  type UnchangedDocument,
} from '../documents/index.ts'
import { documentKey, statementKey } from '../evidence/stable-key.ts'
import { statementsOf } from '../statements/index.ts'
import { keepingLines } from './keep-lines.ts'
import { addStatements } from './statements.ts'

/** A folder whose documents are wanted. */
export interface DocumentRoot {
  projectId: string
  /** Absolute, forward slashes. */
  root: string
  /** Digits the project goes by. */
  hash: string
}

export interface DocumentWork {
  engine: Engine
  owner: number
  now: number
  /** Takes secrets out of a text before it is stored (statement 109). */
  scrub(text: string): string
  maxFileBytes: number
  /** Patterns as in `.gitignore`. */
  exclude: readonly string[]
  home: string
  files?: DocumentFiles
  signal?: AbortSignal
}

/** `meta` of a document's item, as JSON. */
export interface DocumentMeta {
  look: DocumentLook
}

export interface DocumentResult {
  written: number
  removed: number
  /** The root is not there. */
  missing: boolean
}

/** Documents written in one transaction. */
const AT_ONCE = 20

const MOST = 100_000

/** Brings what is stored of a root's documents up to date. */
export async function indexDocuments(work: DocumentWork, place: DocumentRoot): Promise<DocumentResult> {
  const { engine, owner, maxFileBytes, exclude, home, files, signal, now } = work
  const stored = await storedDocuments(engine, owner, place.projectId)
  const scan = discoverDocuments(place.root, {
    known: knownOf(stored, place.root),
    maxFileBytes,
    exclude,
    home,
    ...(files && { files }),
    ...(signal && { signal }),
  })
  const gone = goneFrom(stored, scan)
  await engine.transaction(async (tx) => {
    const dropped = [...stored.values()].filter((item) => gone.has(item.path ?? ''))
    await deleteItems(
      engine,
      tx,
      owner,
      dropped.map(({ pk }) => pk),
    )
    for (const path of scan.deleted) {
      const item = stored.get(path)
      if (item && item.removed_at === null) await markDocumentGone(engine, tx, owner, item.pk, now)
    }
  })
  let written = 0
  for (let start = 0; start < scan.read.length; start += AT_ONCE) {
    if (signal?.aborted) break
    const part = scan.read.slice(start, start + AT_ONCE)
    await engine.transaction(async (tx) => {
      for (const document of part) await writeDocument(work, tx, place, document, stored.get(document.path))
    })
    written += part.length
  }
  await updateStates(work, scan.unchanged, stored)
  return { written, removed: gone.size, missing: scan.missing }
}

/** Takes out all documents of projects that no session and no setting names any more. */
export async function dropDocumentsOutside(
  engine: Engine,
  owner: number,
  projectIds: ReadonlySet<string>,
): Promise<number> {
  const items = await listItems(engine, ownerOf(owner), { kinds: ['document'], removed: true, limit: MOST })
  const strays = items.filter(({ project_id }) => project_id === null || !projectIds.has(project_id))
  for (let start = 0; start < strays.length; start += AT_ONCE) {
    const part = strays.slice(start, start + AT_ONCE).map(({ pk }) => pk)
    await engine.transaction((tx) => deleteItems(engine, tx, owner, part))
  }
  return strays.length
}

function ownerOf(owner: number): { owner: number; admin: boolean; launchDirectory: string } {
  return { owner, admin: true, launchDirectory: '/' }
}

async function storedDocuments(engine: Engine, owner: number, projectId: string): Promise<Map<string, ContextItem>> {
  const items = await listItems(engine, ownerOf(owner), {
    kinds: ['document'],
    projectIds: [projectId],
    removed: true,
    limit: MOST,
  })
  return new Map(items.map((item) => [item.path ?? '', item]))
}

/** Of another checkout of the project nothing is known: its files are others. */
function knownOf(stored: ReadonlyMap<string, ContextItem>, root: string): Map<string, KnownDocument> {
  const known = new Map<string, KnownDocument>()
  for (const [path, item] of stored) {
    if (item.root !== root || item.removed_at !== null) continue
    const { look } = JSON.parse(item.meta) as DocumentMeta
    known.set(path, { look, state: item.state })
  }
  return known
}

/** Paths that are stored and no more to be: gone, excluded, or no document any longer. */
function goneFrom(
  stored: ReadonlyMap<string, ContextItem>,
  scan: ReturnType<typeof discoverDocuments>,
): ReadonlySet<string> {
  // With a bound met, what is missing may be there all the same.
  if (!scan.complete && !scan.missing) return new Set()
  const present = new Set([...scan.read, ...scan.unchanged].map(({ path }) => path))
  for (const path of scan.deleted) present.add(path)
  return new Set([...stored.keys()].filter((path) => !present.has(path)))
}

async function writeDocument(
  work: DocumentWork,
  tx: Queryable,
  { projectId, root, hash }: DocumentRoot,
  document: ReadDocument,
  stored: ContextItem | undefined,
): Promise<void> {
  const { engine, owner, scrub, now } = work
  const { path, role, state, look } = document
  const content = keepingLines(document.content, scrub)
  const stableKey = documentKey(hash, path)
  const id = stored?.id ?? (await freeId(tx, owner, document.ruleId, hash, path))
  const meta: DocumentMeta = { look }
  const sections = sectionsOf(content, path)
  const pk = await writeItem(
    engine,
    tx,
    owner,
    {
      id,
      kind: 'document',
      stable_key: stableKey,
      source: 'documents',
      project_id: projectId,
      root,
      path,
      title: scrub(document.title),
      role,
      state,
      content,
      hash: createHash('sha256').update(content).digest(),
      meta: JSON.stringify(meta),
      at: look.modifiedAt,
    },
    sections.flatMap(passagesOf),
    now,
  )
  const statements = statementsOf(content, { kind: 'document', path, role }).map((found): NewStatement => {
    const { kind, text, start, line, subject, date } = found
    return {
      key: statementKey(kind, stableKey, text),
      kind,
      text,
      origin: 'document',
      session_pk: null,
      event_pk: null,
      item_pk: pk,
      start,
      line,
      said_by: 'document',
      at: date === undefined ? look.modifiedAt : Date.parse(`${date}T00:00:00Z`),
      project_id: projectId,
      root,
      subject,
    }
  })
  await addStatements(engine, tx, owner, statements)
}

/** An id is unique for its owner: that of a second project's rules has digits of its own added. */
async function freeId(
  tx: Queryable,
  owner: number,
  ruleId: string | undefined,
  hash: string,
  path: string,
): Promise<string> {
  const digits = createHash('sha1').update(`${hash}:${path}`).digest('hex').slice(0, 8)
  if (ruleId === undefined) return `document:${digits}`
  return (await findItem(tx, ownerOf(owner), 'document', ruleId)) ? `${ruleId}-${digits}` : ruleId
}

function passagesOf({ heading, slug, start, line, text }: Section): NewPassage[] {
  let [at, lines] = [0, 0]
  return cutPassages(text).map((cut) => {
    // Two passages may overlap a little, so that the count goes on from the beginning of each.
    lines += text.slice(at, cut.start).split('\n').length - 1
    at = cut.start
    return { heading, slug, start: start + cut.start, line: line + lines, text: text.slice(cut.start, cut.end) }
  })
}

/** A file that is as it was may have been added to Git, or taken out of it. */
async function updateStates(
  { engine, owner }: DocumentWork,
  unchanged: readonly UnchangedDocument[],
  stored: ReadonlyMap<string, ContextItem>,
): Promise<void> {
  const changed = unchanged.flatMap(({ path, state }) => {
    const item = stored.get(path)
    return item && item.state !== state ? [{ pk: item.pk, state }] : []
  })
  if (changed.length > 0) await engine.transaction((tx) => setItemStates(tx, owner, changed))
}
