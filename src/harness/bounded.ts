/** Small collections for a transcript's state, which is kept between reads and must not grow with the file. */

/** Most entries of one collection: tools run in parallel by the dozen, not by the hundred. */
const LIMIT = 128

/** Sets an entry and forgets the oldest one when there are too many. */
export function remember<Value>(collection: Record<string, Value>, key: string, value: Value): void {
  if (!Object.hasOwn(collection, key)) {
    const keys = Object.keys(collection)
    if (keys.length >= LIMIT && keys[0] !== undefined) delete collection[keys[0]]
  }
  Object.defineProperty(collection, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Removes an entry and returns it. */
export function take<Value>(collection: Record<string, Value>, key: string): Value | undefined {
  const value = recall(collection, key)
  if (value !== undefined) delete collection[key]
  return value
}

/** An entry, which stays. */
export function recall<Value>(collection: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(collection, key) ? collection[key] : undefined
}
