/** Which events are searchable, in which lane, and the exact filters folded into the index. */

import type { EventType } from '../core/event.ts'
import { EVENT_TYPES } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import type { IndexLane } from './engine.ts'

/** A letter no transcript is likely to hold; it marks index terms that are filters, and queries never contain it. */
export const FACET_MARK = 'ʘ'

const FACETS = { type: 't', source: 's', session: 'x', cwd: 'c' } as const

export type FacetName = keyof typeof FACETS

/** Facets are one index term each: short, letters and digits only, the same on both engines. */
export function facet(name: FacetName, value: string): string {
  return FACET_MARK + FACETS[name] + hash128(value).toString('hex', 0, 5)
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
