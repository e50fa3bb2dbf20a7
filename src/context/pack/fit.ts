/**
 * Filling a pack up to its cap. Every step measures the whole JSON as it will be sent, so that no estimate can be wrong.
 * Pure.
 */

import type { Pack } from './pack.ts'

/** A pack before its size and completeness are known. */
export type Draft = Omit<Pack, 'truncated' | 'total_bytes'>

/**
 * One thing to put into the pack, in its forms, the best first. A form gives undefined when it has no place in the draft
 * for other reasons than room: then it is neither taken nor missed.
 */
export type Offer = readonly ((draft: Draft) => Draft | undefined)[]

/** Size while filling: the widest that is possible, `truncated: false` and five digits. */
const WIDEST = { truncated: false, total_bytes: 16_384 } as const

/** The part of the cap that an echoed task may take. */
const ECHO_SHARE = 0.5

/**
 * Takes of the offers, in their order, what fits. What does not fit in any form is passed over and makes the pack
 * `truncated`, as does a shorter form.
 */
export function fill(base: Draft, offers: readonly Offer[], maxBytes: number): Pack {
  let draft = withRoom(withEcho(base, maxBytes), maxBytes)
  let truncated = draft.coverage !== base.coverage || draft.project_scope !== base.project_scope
  for (const forms of offers) {
    const taken = forms.findIndex((form) => {
      const next = form(draft)
      if (next === undefined || sizeOf({ ...next, ...WIDEST }) > maxBytes) return false
      draft = next
      return true
    })
    if (taken !== 0 && (taken > 0 || forms.some((form) => form(draft) !== undefined))) truncated = true
  }
  return sized(draft, truncated)
}

/** Leaves out of an envelope what may be long, a path or a reason, when it does not fit with it. */
function withRoom(draft: Draft, maxBytes: number): Draft {
  if (sizeOf({ ...draft, ...WIDEST }) <= maxBytes) return draft
  const { coverage: _reason, ...briefer } = draft
  if (sizeOf({ ...briefer, ...WIDEST }) <= maxBytes) return briefer
  const { project_scope: _root, ...brief } = briefer
  return brief
}

/** UTF-8 bytes of the JSON of a value. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Cuts the echo of a task that would leave no room: escaped, a character may take six bytes. */
function withEcho(base: Draft, maxBytes: number): Draft {
  const room = Math.floor(maxBytes * ECHO_SHARE)
  if (sizeOf(base.task) <= room) return base
  const characters = [...base.task]
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sizeOf(`${characters.slice(0, middle).join('')}…`) <= room) low = middle
    else high = middle - 1
  }
  return { ...base, task: `${characters.slice(0, low).join('')}…` }
}

/** Writes down the pack's size, which counts its own digits. */
function sized(draft: Draft, truncated: boolean): Pack {
  let total = 0
  for (;;) {
    const pack = { ...draft, truncated, total_bytes: total }
    const size = sizeOf(pack)
    if (size === total) return pack
    // Grows by at most the digits of itself, so that it ends.
    total = size > total ? size : total + 1
  }
}
