/** Texts that say nearly the same, by a fingerprint of their words (Charikar 2002, 64 bits). Pure. */

/** Bits in which two fingerprints of near copies differ at most. */
const NEAR = 3

export interface Fingerprint {
  high: number
  low: number
}

/** The fingerprint of a text's words, given by their roots; the order of the words does not matter. */
export function fingerprint(roots: Iterable<string>): Fingerprint {
  const sums = new Int32Array(64)
  for (const root of roots) {
    const high = hash(root, 0x811c9dc5)
    const low = hash(root, 0x1b873593)
    for (let bit = 0; bit < 32; bit++) {
      sums[bit] = (sums[bit] ?? 0) + ((high >>> bit) & 1 ? 1 : -1)
      sums[bit + 32] = (sums[bit + 32] ?? 0) + ((low >>> bit) & 1 ? 1 : -1)
    }
  }
  let high = 0
  let low = 0
  for (let bit = 0; bit < 32; bit++) {
    if ((sums[bit] ?? 0) > 0) high |= 1 << bit
    if ((sums[bit + 32] ?? 0) > 0) low |= 1 << bit
  }
  return { high, low }
}

export function areNearCopies(a: Fingerprint, b: Fingerprint): boolean {
  return bits(a.high ^ b.high) + bits(a.low ^ b.low) <= NEAR
}

/** FNV-1a with a last mix, since short words would differ in few bits. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

function bits(value: number): number {
  let count = 0
  for (let left = value >>> 0; left !== 0; left &= left - 1) count++
  return count
}
