/** Project files for a pack: rules, what live files say now, what is not to be trusted, what lies elsewhere. */

import type { Caller } from '../../core/caller.ts'
import type { ItemHit } from '../../retrieval/passages.ts'
import { type ContextItem, listItems, type Queryable } from '../../store/index.ts'
import { DOCUMENT_ROLES, type DocumentRole, trustOf } from '../documents/index.ts'
import type { LiveFiles } from './live-files.ts'
import { type PackDiscounted, type PackFact, type PackOther, type PackRule, TEXT_CAPS } from './pack.ts'
import { quoteOf, shortLine } from './quote.ts'
import type { Sources } from './sources.ts'
import { termsIn } from './terms.ts'

export interface DocumentSearch {
  db: Queryable
  caller: Caller
  sources: Sources
  live: LiveFiles
  terms: readonly string[]
  /** The project that was asked for. */
  projectId?: string
  since?: number
  /** Items wanted of each list. */
  limit: number
}

export interface FoundDocuments {
  rules: PackRule[]
  facts: PackFact[]
  discounted: PackDiscounted[]
  others: PackOther[]
  /** Files to read before the pack is trusted, below the project's root. */
  live: string[]
}

/** Files that are recommended. */
const MAX_LIVE = 5

/** Rules and trackers of a project that are looked at without having been found. */
const LISTED = 50

/** A document and the best that was found in it. */
interface Found {
  item: ContextItem
  hit: ItemHit
}

/** @param hits passages of documents, best first; of all projects */
export async function foundDocuments(search: DocumentSearch, hits: readonly ItemHit[]): Promise<FoundDocuments> {
  const { projectId } = search
  const found = await itemsOf(search, hits)
  const here = found.filter(({ item }) => projectId === undefined || item.project_id === projectId)
  const elsewhere = found.filter(({ item }) => projectId !== undefined && item.project_id !== projectId)
  const trusted = here.filter(({ item }) => trustOfItem(item) !== 'discounted')
  return {
    rules: await rulesOf(
      search,
      trusted.map(({ item }) => item),
    ),
    facts: await factsOf(search, trusted),
    discounted: await discountedOf(
      search,
      here.map(({ item }) => item),
    ),
    others: elsewhere
      .filter(({ item }) => exists(search, item))
      .slice(0, search.limit)
      .map(({ item }) => ({
        title: shortLine(item.title, TEXT_CAPS.title / 2),
        source_path: absolutePath(item),
      })),
    live: await liveOf(
      search,
      trusted.map(({ item }) => item),
    ),
  }
}

/** The documents of hits, each with its best, in their order. */
async function itemsOf({ sources }: DocumentSearch, hits: readonly ItemHit[]): Promise<Found[]> {
  const found = new Map<number, Found>()
  for (const hit of hits) {
    if (found.has(hit.itemPk)) continue
    const item = await sources.item(hit.itemPk)
    if (item) found.set(item.pk, { item, hit })
  }
  return [...found.values()]
}

/** Rules that were found, then the project's other rules: they hold for every task. Reports come after first-hand rules. */
async function rulesOf(search: DocumentSearch, found: readonly ContextItem[]): Promise<PackRule[]> {
  const { db, caller, projectId, limit, since } = search
  const listed =
    projectId === undefined
      ? []
      : await listItems(db, caller, { kinds: ['document'], projectIds: [projectId], roles: ['rule'], limit: LISTED })
  const isNew = ({ at }: ContextItem): boolean => since === undefined || at > since
  const unfound = listed
    .filter(({ pk, state }) => !found.some((item) => item.pk === pk) && state !== 'untracked' && state !== 'generated')
    .sort((a, b) => depth(a) - depth(b) || pathOf(a).localeCompare(pathOf(b), 'en'))
  const ofRole = (role: string): ContextItem[] => found.filter((item) => item.role === role)
  return [...ofRole('rule'), ...ofRole('report'), ...unfound.filter(isNew)]
    .filter((item) => exists(search, item))
    .slice(0, limit)
    .map((item) => ({
      id: item.id,
      title: shortLine(item.title, TEXT_CAPS.title),
      source_path: shownPath(search, item),
    }))
}

/** What live files, trackers and committed documents say about the task, by trust, then as found. */
async function factsOf(search: DocumentSearch, found: readonly Found[]): Promise<PackFact[]> {
  const facts: PackFact[] = []
  const ranks = ['live_state', 'tracker', 'committed_doc']
  const rank = ({ item }: Found): number => ranks.indexOf(trustOfItem(item))
  const useful = found.filter((each) => rank(each) >= 0 && each.item.role !== 'rule' && each.item.role !== 'report')
  for (const { item, hit } of useful.sort((a, b) => rank(a) - rank(b))) {
    const quote = quoteOf(hit.passage.text, search.terms, TEXT_CAPS.statement)
    const line = quote.text === '' ? undefined : lineOf(search, item, quote.text, hit.line ?? 1)
    if (line === undefined || facts.length >= search.limit) continue
    facts.push({
      text: quote.text,
      source_path: `${shownPath(search, item)}:${line}`,
      trust: trustOfItem(item),
      timestamp: new Date(item.at).toISOString(),
    })
  }
  return facts
}

/** Documents that were found and may be stale, and those that are gone and whose name says they would have mattered. */
async function discountedOf(search: DocumentSearch, found: readonly ContextItem[]): Promise<PackDiscounted[]> {
  const { db, caller, projectId, terms, limit } = search
  const listing = { kinds: ['document' as const], removed: true, limit: LISTED }
  const gone =
    projectId === undefined
      ? []
      : (await listItems(db, caller, { ...listing, projectIds: [projectId] })).filter(
          (item) => item.removed_at !== null && termsIn(`${pathOf(item)} ${item.title}`, terms).size > 0,
        )
  const stale = found.filter((item) => trustOfItem(item) === 'discounted')
  return [...stale, ...gone]
    .slice(0, limit)
    .map((item) => ({ source_path: shownPath(search, item), reason: exists(search, item) ? item.state : 'deleted' }))
}

/** Live files and trackers: those that were found, then the project's trackers, the last changed first. */
async function liveOf(search: DocumentSearch, found: readonly ContextItem[]): Promise<string[]> {
  const { db, caller, projectId } = search
  if (projectId === undefined) return []
  const trackers = await listItems(db, caller, {
    kinds: ['document'],
    projectIds: [projectId],
    roles: ['tracker'],
    limit: LISTED,
  })
  const isLive = (item: ContextItem): boolean => ['live_state', 'tracker'].includes(trustOfItem(item))
  const paths = [...found, ...trackers].filter((item) => isLive(item) && exists(search, item)).map(pathOf)
  return [...new Set(paths)].slice(0, MAX_LIVE)
}

function trustOfItem({ role, state }: ContextItem): ReturnType<typeof trustOf> {
  const known: DocumentRole = DOCUMENT_ROLES.find((each) => each === role) ?? 'document'
  return trustOf(known, state)
}

function exists({ live }: DocumentSearch, { root, path }: ContextItem): boolean {
  return root !== null && path !== null && live.exists({ root, path })
}

function lineOf({ live }: DocumentSearch, { root, path }: ContextItem, text: string, near: number): number | undefined {
  return root === null || path === null ? undefined : live.lineOf({ root, path }, text, near)
}

function pathOf({ path }: ContextItem): string {
  return path ?? ''
}

function depth(item: ContextItem): number {
  return pathOf(item).split('/').length
}

/** Below the root of the project asked for; else absolute. */
function shownPath({ projectId }: DocumentSearch, item: ContextItem): string {
  return item.project_id === projectId ? pathOf(item) : absolutePath(item)
}

function absolutePath(item: ContextItem): string {
  return item.root === null ? pathOf(item) : `${item.root.replace(/\/+$/, '')}/${pathOf(item)}`
}
