/** From touches to what is shown of them. Pure. */

import type { TouchView } from '../../../store/index.ts'
import type { Located } from './locate.ts'

export type MatchKind = 'path_exact' | 'path_suffix' | 'shell_path'

/** One tool call that touched the file. */
export interface TouchRow {
  touch: TouchView
  kind: MatchKind
  /** Root of the checkout; null where it is unknown. */
  root: string | null
}

/**
 * One row per tool call, newest first. A call may touch a file in several ways, and its response may tell of the same
 * touch: the surest stands for all.
 */
export function toRows(touches: readonly TouchView[], located: Located, roots: readonly string[]): TouchRow[] {
  const byCall = new Map<string, TouchRow>()
  for (const touch of touches) {
    const key = touch.call_id === null ? `event ${touch.event_pk}` : `call ${touch.session_pk} ${touch.call_id}`
    const row: TouchRow = { touch, kind: kindOf(touch, located, roots), root: rootOf(touch, roots) }
    const known = byCall.get(key)
    if (!known || isSurer(row, known)) byCall.set(key, row)
  }
  return [...byCall.values()].sort((a, b) => b.touch.at - a.touch.at || b.touch.event_pk - a.touch.event_pk)
}

const SURENESS: Record<MatchKind, number> = { path_exact: 2, path_suffix: 1, shell_path: 0 }

/** Of two rows of one call the surer match wins; of equals the call itself, which came first. */
function isSurer(row: TouchRow, known: TouchRow): boolean {
  const difference = SURENESS[row.kind] - SURENESS[known.kind]
  return difference > 0 || (difference === 0 && row.touch.event_pk < known.touch.event_pk)
}

function kindOf(touch: TouchView, { tail }: Located, roots: readonly string[]): MatchKind {
  if (touch.via === 'shell') return 'shell_path'
  const exact =
    touch.relative_path === tail || touch.path === tail || roots.some((root) => touch.path === `${root}/${tail}`)
  return exact ? 'path_exact' : 'path_suffix'
}

/** The root capture found; for a checkout gone by then the longest root known from before. */
function rootOf(touch: TouchView, roots: readonly string[]): string | null {
  if (touch.root !== null) return touch.root
  const above = roots.filter((root) => touch.path.startsWith(`${root}/`))
  return above.sort((a, b) => b.length - a.length)[0] ?? null
}

/**
 * In one project, a path that merely ends in the same words is another file (`docs/README.md` for `README.md`), unless it
 * lies in a worktree nobody knew the root of. Only when there is no exact match are those better than nothing.
 */
export function withoutNamesakes(
  rows: readonly TouchRow[],
  { tail }: Located,
): { rows: TouchRow[]; onlyNamesakes: boolean } {
  const kept = rows.filter(({ touch, kind, root }) => {
    const { relative_path: relative } = touch
    if (kind === 'path_exact' || relative === null || relative === tail || root === null) return true
    return !relative.endsWith(`/${tail}`) || /(^|\/)\.?worktrees\//.test(relative.slice(0, -tail.length))
  })
  return kept.length > 0 || rows.length === 0
    ? { rows: kept, onlyNamesakes: false }
    : { rows: [...rows], onlyNamesakes: true }
}

export interface RootBucket {
  /** `(unknown)` for touches whose checkout cannot be told. */
  root: string
  touch_count: number
  session_count: number
}

export const UNKNOWN_ROOT = '(unknown)'

/** Touches and sessions per root, the most touched first, the unknown last. */
export function rootBuckets(rows: readonly TouchRow[]): RootBucket[] {
  const buckets = groupBy(rows, ({ root }) => root ?? UNKNOWN_ROOT)
  return [...buckets]
    .map(([root, items]) => ({
      root,
      touch_count: items.length,
      session_count: new Set(items.map(({ touch }) => touch.session_pk)).size,
    }))
    .sort(
      (a, b) =>
        Number(a.root === UNKNOWN_ROOT) - Number(b.root === UNKNOWN_ROOT) ||
        b.touch_count - a.touch_count ||
        (a.root < b.root ? -1 : 1),
    )
}

/** Rows by session, the session touched last first. */
export function bySession(rows: readonly TouchRow[]): TouchRow[][] {
  return [...groupBy(rows, ({ touch }) => touch.session_pk).values()]
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
