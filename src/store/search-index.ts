/** Which events are searchable, in which lane, and the exact filters folded into the index. */

import type { EventType } from '../core/event.ts'
import { EVENT_TYPES } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import type { IndexLane } from './engine.ts'

/**
 * Two letters no language puts next to each other; they mark index terms that are filters, and queries never contain
 * them. Both are Latin-1, so that the text they are added to stays at one byte a character in memory.
 */
export const FACET_MARK = 'ªº'

const FACETS = { type: 't', harness: 'h', source: 's', session: 'x', kind: 'k', project: 'p' } as const

export type FacetName = keyof typeof FACETS

/** Facets made lately; nearly every document repeats those of the one before. */
const facets = new Map<string, string>()
const FACETS_KEPT = 5_000

/**
 * The index term of an exact filter: letters and digits only, the same on both engines. It holds the owner, so that
 * owners sharing a database do not pay for each other. Only what never changes about an event can be a facet.
 */
export function facet(owner: number, name: FacetName, value: string | number): string {
  const key = `${owner} ${name} ${value}`
  let term = facets.get(key)
  if (term === undefined) {
    term = FACET_MARK + FACETS[name] + hash128(owner, value).toString('hex', 0, 6)
    if (facets.size >= FACETS_KEPT) facets.clear()
    facets.set(key, term)
  }
  return term
}

const LANES = {
  user_input: 'prose',
  assistant_response: 'prose',
  reasoning: 'trace',
  compaction: 'trace',
  system: 'trace',
  runtime: 'trace',
  tool_call: 'bulk',
  tool_response: 'bulk',
  unknown: undefined,
} as const satisfies Record<EventType, IndexLane | undefined>

/** The lane that holds a type; undefined for what is not searched. */
export function laneOf(type: EventType): IndexLane | undefined {
  return LANES[type]
}

/** The types a lane holds. */
export function typesOf(lane: IndexLane): EventType[] {
  return EVENT_TYPES.filter((type) => LANES[type] === lane)
}

/** Event types as the archive numbers them; append-only, since the numbers are stored. */
export function typeNumber(type: EventType): number {
  return EVENT_TYPES.indexOf(type)
}

/** @throws on a number this version did not write. */
export function typeOfNumber(number: number): EventType {
  const type = EVENT_TYPES[number]
  if (type === undefined) throw new Error(`event type number ${number} is unknown`)
  return type
}

/** Characters of one event that are indexed; what lies beyond is stored and opened, not searched. */
export const INDEXED_CHARACTERS = 200_000
