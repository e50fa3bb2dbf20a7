/** Names for messages of storages that give them none and write the whole history anew. */

import { hash128 } from '../core/hash.ts'

/**
 * Names messages by what they say, and by how often that was said before: their place changes when a client cuts the
 * history. Give all that tells one message from another.
 */
export function createNames(): (...said: readonly string[]) => string {
  const seen = new Map<string, number>()
  return (...said) => {
    const name = hash128(...said).toString('hex')
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return before === 0 ? name : `${name}.${before}`
  }
}
