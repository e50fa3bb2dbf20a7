/** The bookkeeping of one transition: the levels as they change, the log, the writes and the effects. */

import { type ErrorCode, UserError } from '../core/errors.ts'
import { connectionsOf, findNode } from './definition.ts'
import type { Effect, NoteDraft, NoteFilter, NoteRecord, Reads } from './nodes/node-type.ts'
import type { PlannedNote } from './nodes/note-text.ts'
import type { RunState, Variables, VariableWrite, VisitEntry } from './state.ts'
import { framesOf, type Level, nodeOf, pathOf } from './transition-levels.ts'

export interface Walk {
  levels: Level[]
  visitCount: number
  visits: VisitEntry[]
  writes: VariableWrite[]
  effects: Effect[]
  /** The notes of the effects, the oldest first, and the newest of each key. */
  notes: NoteDraft[]
  newestNotes: Map<string, PlannedNote>
  /** Unix milliseconds. */
  now: number
}

/** The innermost level: the one whose node runs next. */
export function topOf(walk: Walk): Level {
  const top = walk.levels.at(-1)
  if (top === undefined) throw new Error('a run stands in no workflow')
  return top
}

/** What a visit leaves behind. `globals` and `set` are variables by name; `own` replaces the node's own results. */
export interface Leaving {
  edge: string | null
  jumpTo?: string
  globals?: Record<string, unknown> | undefined
  own?: unknown
  notes?: readonly PlannedNote[] | undefined
}

/**
 * Ends the visit of the innermost node: stores its results and logs it. A node whose id is also a global that this
 * visit wrote keeps the global's value under that name.
 */
export function endVisit(walk: Walk, leaving: Leaving): void {
  const level = topOf(walk)
  const { nodeId } = level
  walk.visitCount++
  const globals = leaving.globals ?? {}
  setVariables(walk, globals)
  if (leaving.own !== undefined && !Object.hasOwn(globals, nodeId)) setVariables(walk, { [nodeId]: leaving.own })
  for (const planned of leaving.notes ?? []) {
    walk.effects.push({ kind: 'save-note', nodeId, seq: walk.visitCount, ...planned })
    walk.notes.push(planned.note)
    walk.newestNotes.set(planned.note.key, planned)
  }
  walk.visits.push({
    seq: walk.visitCount,
    nodeId,
    nodeType: findNode(level.definition, nodeId)?.type ?? 'removed',
    path: pathOf(walk.levels),
    edge: leaving.edge,
    ...(leaving.jumpTo === undefined ? {} : { jumpTo: leaving.jumpTo }),
    enteredAt: level.enteredAt,
    at: walk.now,
  })
}

/** Writes variables of the innermost workflow; those of the run's own workflow are logged under the current visit. */
function setVariables(walk: Walk, values: Record<string, unknown>): void {
  const level = topOf(walk)
  for (const [name, value] of Object.entries(values)) {
    level.variables[name] = value
    if (walk.levels.length === 1) walk.writes.push({ seq: walk.visitCount, name, value })
  }
}

/** Puts the innermost level on another of its nodes. */
export function enterNode(walk: Walk, nodeId: string): void {
  const level = topOf(walk)
  level.nodeId = nodeId
  level.enteredAt = walk.now
}

/** Leaves the innermost node over an edge it has. */
export function follow(walk: Walk, leaving: Leaving & { edge: string }): void {
  const to = connectionsOf(nodeOf(topOf(walk)))[leaving.edge]
  if (to === undefined) {
    const { nodeId } = topOf(walk)
    throw new UserError('NODE_FAILED', `Node "${nodeId}" has no edge "${leaving.edge}"`, {
      nodeId,
      remedy: `add connections.${leaving.edge} to the node`,
    })
  }
  endVisit(walk, leaving)
  enterNode(walk, to)
}

/**
 * A node could not do its work: over its `error` edge if it has one, else out of the inline child over the subgraph
 * node's `error` edge, and so on outwards.
 * @throws UserError with `code` when no level catches it.
 */
export function fail(walk: Walk, failure: { code: ErrorCode; message: string; own?: unknown; remedy: string }): void {
  const failed = nodeOf(topOf(walk))
  let own = failure.own ?? { error: failure.message }
  for (;;) {
    if (connectionsOf(nodeOf(topOf(walk)))['error'] !== undefined) {
      follow(walk, { edge: 'error', own })
      return
    }
    if (walk.levels.length === 1) {
      throw new UserError(failure.code, `Node "${failed.id}" (${failed.type}): ${failure.message}`, {
        nodeId: failed.id,
        nodeType: failed.type,
        remedy: failure.remedy,
      })
    }
    endVisit(walk, { edge: null, own })
    walk.levels.pop()
    own = { subgraphError: failure.message, failedNodeId: failed.id }
  }
}

/** Leaves inline children until `depth` levels remain, logging the visits cut short by the jump. */
export function abandonTo(walk: Walk, depth: number, jumpTo: string): void {
  while (walk.levels.length > depth) {
    endVisit(walk, { edge: null, jumpTo })
    walk.levels.pop()
  }
  endVisit(walk, { edge: null, jumpTo })
  enterNode(walk, jumpTo)
}

/** The state to store while the run waits on the innermost node. */
export function pausedState(walk: Walk, refusals: number): RunState {
  const [own] = walk.levels
  if (own === undefined) throw new Error('a run stands in no workflow')
  return {
    status: 'running',
    nodeId: own.nodeId,
    variables: own.variables,
    frames: framesOf(walk.levels),
    visitCount: walk.visitCount,
    visit: { enteredAt: topOf(walk).enteredAt, refusals },
    output: null,
  }
}

/** The state to store when the run's own workflow has ended. */
export function finishedState(walk: Walk, output: Record<string, unknown>): RunState {
  return {
    status: 'completed',
    nodeId: null,
    variables: topOf(walk).variables,
    frames: [],
    visitCount: walk.visitCount,
    visit: null,
    output,
  }
}

/** The world as this transition will have left it: its own planned notes are visible to later reads. */
export function readsWithPlanned(reads: Reads, walk: Walk): Reads {
  return {
    ...readsOf(reads),
    async note(key) {
      const planned = walk.newestNotes.get(key)
      const stored = await reads.note(key)
      return planned === undefined ? stored : asRecord(planned, stored, walk.now)
    },
    async notes(filter) {
      const found = await reads.notes(filter)
      if (walk.newestNotes.size === 0) return found
      const byKey = new Map(found.map((note) => [note.key, note]))
      for (const planned of walk.newestNotes.values()) {
        const { note } = planned
        if (matches(note, filter)) byKey.set(note.key, asRecord(planned, byKey.get(note.key) ?? null, walk.now))
        else byKey.delete(note.key)
      }
      return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    },
  }
}

/** The methods bound to their object, so that a class may serve as `Reads`. */
function readsOf(reads: Reads): Reads {
  return {
    note: (key) => reads.note(key),
    notes: (filter) => reads.notes(filter),
    refuseNote: (note, pending) => reads.refuseNote(note, pending),
    workflow: (reference) => reads.workflow(reference),
  }
}

function asRecord({ note, baseVersion }: PlannedNote, stored: NoteRecord | null, now: number): NoteRecord {
  return { ...note, version: baseVersion + 1, createdAt: stored?.createdAt ?? now, updatedAt: now }
}

function matches(note: NoteDraft, filter: NoteFilter): boolean {
  if (filter.tag !== undefined && !note.tags.includes(filter.tag)) return false
  return filter.keySearch === undefined || note.key.includes(filter.keySearch)
}

/** The variables of `after` that differ from `before`. */
export function changedVariables(before: Variables, after: Variables): Variables {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value))
}
