import { hash } from 'node:crypto'

/** 128 bits of SHA-256 over the fields; each is length-prefixed so that no two lists of fields can collide. */
export function hash128(...fields: readonly (string | number)[]): Buffer {
  let text = ''
  for (const field of fields) {
    const value = typeof field === 'number' ? `${field}` : field
    text += `${value.length}:${value}`
  }
  return hash('sha256', text, 'buffer').subarray(0, 16)
}
