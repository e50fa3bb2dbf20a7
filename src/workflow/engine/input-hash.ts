/** When two submissions of an attempt are the same. */

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/json.ts'
import { inputIdentity } from '../input.ts'
import { boundsProblem } from '../schema-shape.ts'

/** What is submitted with an attempt. */
export interface Submitted {
  input?: unknown
  teleportTo?: string
}

/** Deepest input that can be written down canonically. */
const MAX_DEPTH = 1000

/**
 * SHA-256 of a submission, whatever the order of its keys. Absent and null are the same; where the step takes nothing but
 * an empty answer, all ways to say nothing are.
 */
export function inputHash({ input, teleportTo }: Submitted, takesInput: boolean): Buffer {
  const identity = takesInput ? ownIdentity(input) : inputIdentity({}, {}, input)
  return createHash('sha256')
    .update(teleportTo === undefined ? '' : JSON.stringify(teleportTo))
    .update(identity)
    .digest()
}

function ownIdentity(input: unknown): string {
  if (input === undefined || input === null) return 'null'
  // No schema takes what is deeper, so it never completes anything and need not be told apart.
  return boundsProblem(input, MAX_DEPTH) === null ? canonicalJson(input) : 'unreadable'
}
