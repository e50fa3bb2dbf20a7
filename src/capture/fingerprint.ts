/** Tells whether a file that was read before still begins with what was read. */

import { createHash } from 'node:crypto'
import type { Checkpoint } from '../store/batch.ts'
import type { FileLook, OpenFile } from './file-system.ts'

/** What a checkpoint remembers of the bytes before `readTo`, and of what was beside them. */
export interface Fingerprint {
  /** Hash of the first bytes of the file. */
  head: string
  /** Hash of the last bytes that were read. */
  tail: string
  /** Hash of a last line that was read though it had no line feed yet; empty when there was none. */
  rest: string
  /** Size and time of the sidecar; empty when there is none. */
  sidecar: string
  /**
   * The file was read to its end, and its time of change lay far enough back to be trusted: while it looks the same
   * from outside, nothing is new. False makes the next pass look inside.
   */
  settled: boolean
}

/** Bytes hashed at either end. */
const EDGE = 4096

/** Milliseconds a time of change must lie back before it is trusted; FAT keeps times in steps of two seconds. */
const SETTLED_AFTER = 2000

export function isSettledTime(modifiedAt: number, now: number): boolean {
  return Math.abs(now - modifiedAt) >= SETTLED_AFTER
}

export function formatFingerprint({ head, tail, rest, sidecar, settled }: Fingerprint): string {
  return `${head}.${tail}.${rest}.${sidecar}.${settled ? 'settled' : 'open'}`
}

export function parseFingerprint(text: string): Fingerprint {
  const [head = '', tail = '', rest = '', sidecar = '', settled = ''] = text.split('.')
  return { head, tail, rest, sidecar, settled: settled === 'settled' }
}

/** Hashes of the first and the last bytes of the part `[0, readTo)` of a file. */
export function hashEdges(open: OpenFile, readTo: number): { head: string; tail: string } {
  const edge = Buffer.allocUnsafe(Math.min(EDGE, readTo))
  const head = hash(edge.subarray(0, open.read(edge, 0)))
  const tail = hash(edge.subarray(0, open.read(edge, readTo - edge.length)))
  return { head, tail }
}

/** Names a line by what it says. */
export function hashLine(text: string): string {
  return hash(Buffer.from(text))
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** The inode alone: device numbers change when a disk is mounted anew. */
export function isSameFile(before: string, now: string): boolean {
  return before === now || before.slice(before.indexOf(':')) === now.slice(now.indexOf(':'))
}

/**
 * The same from the text of `loadFileLooks`, for the many files that are only compared. False may mean that more must be
 * known to tell.
 */
export function looksSettled(look: string, found: FileLook & { sidecar: string }): boolean {
  const { identity, size, modifiedAt, sidecar } = found
  return look.startsWith(`${identity} ${size} ${modifiedAt} active  `) && look.endsWith(`.${sidecar}.settled`)
}

/** True for the look of a file that was gone from disk. */
export function looksGone(look: string): boolean {
  return look.split(' ', 4)[3] === 'gone'
}

/** True when a file looks as it did when it was read to its end, so that it need not be opened. */
export function looksUnchanged(stored: Checkpoint, found: FileLook & { sidecar: string }): boolean {
  if (stored.size !== found.size || stored.modifiedAt !== found.modifiedAt) return false
  if (!isSameFile(stored.identity, found.identity)) return false
  const { sidecar, settled } = parseFingerprint(stored.head)
  return settled && sidecar === found.sidecar
}

/**
 * True when reading can go on where it stopped: the same file, not cut short, still holding what was read. A file of
 * unchanged size with a new time of change was written in place, so it is read anew.
 */
export function canContinue(stored: Checkpoint, open: OpenFile): boolean {
  const { look } = open
  if (!isSameFile(stored.identity, look.identity) || look.size < stored.readTo) return false
  if (look.size === stored.size && look.modifiedAt !== stored.modifiedAt) return false
  const { head, tail } = parseFingerprint(stored.head)
  const edges = hashEdges(open, stored.readTo)
  return edges.head === head && edges.tail === tail
}
