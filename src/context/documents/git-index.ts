/**
 * Reads Git's index: which paths a checkout tracks (gitformat-index, versions 2 to 4, split and sparse ones too). The bytes
 * may be anything: every length is checked before it is used, and what does not parse gives nothing.
 */

/** One way an object's name is hashed: SHA-1 or SHA-256. */
export type HashLength = 20 | 32

export interface GitIndex {
  /** Tracked paths, as `wanted` gave them. */
  paths: Set<string>
  /** Those of them that a sparse checkout leaves out: they are missing from disk and not deleted. */
  absent: Set<string>
}

interface IndexFile {
  /** Undefined for an entry that was not asked for; its place still counts. */
  entries: ({ path: string; absent: boolean } | undefined)[]
  /** Name of the index that this one adds to, and the places in it that are no more. */
  shared?: { name: string; deleted: Set<number> }
}

/** Bytes of an entry before its object's name: ctime, mtime, dev, ino, mode, uid, gid, size. */
const STAT_BYTES = 40

const EXTENDED = 0x4000
const SKIP_WORKTREE = 0x4000
const GITLINK = 0o160000

/**
 * @param readShared gives `sharedindex.<name>` of a split index
 * @param wanted what to keep of a path, which is relative to the top; undefined to leave it out
 * @returns undefined when the bytes are no index of Git's
 */
export function parseGitIndex(
  bytes: Buffer,
  hashLength: HashLength,
  wanted: (path: string) => string | undefined,
  readShared: (name: string) => Buffer | undefined,
): GitIndex | undefined {
  const own = parseFile(bytes, hashLength, wanted)
  if (!own) return undefined
  const index: GitIndex = { paths: new Set(), absent: new Set() }
  if (own.shared) {
    const sharedBytes = readShared(own.shared.name)
    const base = sharedBytes && parseFile(sharedBytes, hashLength, wanted)
    if (!base) return undefined
    for (const [place, entry] of base.entries.entries()) {
      if (entry && !own.shared.deleted.has(place)) addEntry(index, entry)
    }
  }
  for (const entry of own.entries) if (entry) addEntry(index, entry)
  return index
}

function addEntry(index: GitIndex, { path, absent }: { path: string; absent: boolean }): void {
  index.paths.add(path)
  if (absent) index.absent.add(path)
}

function parseFile(
  bytes: Buffer,
  hashLength: HashLength,
  wanted: (path: string) => string | undefined,
): IndexFile | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  const end = bytes.length - hashLength
  if (version < 2 || version > 4 || count > bytes.length / (STAT_BYTES + hashLength)) return undefined
  const entries: IndexFile['entries'] = []
  let at = 12
  let previous = Buffer.alloc(0)
  for (let place = 0; place < count; place++) {
    const entry = parseEntry(bytes, at, end, version, hashLength, previous)
    if (!entry) return undefined
    at = entry.next
    previous = entry.name
    const path = entry.name.toString('utf8')
    // A split index spells the name of a replaced entry as nothing.
    const isFile = path !== '' && entry.mode !== GITLINK && !path.endsWith('/')
    const kept = isFile ? wanted(path) : undefined
    entries.push(kept === undefined ? undefined : { path: kept, absent: entry.absent })
  }
  const link = findExtension(bytes, at, end, 'link')
  if (!link) return { entries }
  const shared = parseLink(link, hashLength)
  return shared === undefined ? undefined : shared.name === '' ? { entries } : { entries, shared }
}

interface RawEntry {
  name: Buffer<ArrayBuffer>
  mode: number
  absent: boolean
  next: number
}

function parseEntry(
  bytes: Buffer,
  start: number,
  end: number,
  version: number,
  hashLength: HashLength,
  previous: Buffer<ArrayBuffer>,
): RawEntry | undefined {
  let at = start + STAT_BYTES + hashLength
  if (at + 4 > end) return undefined
  const mode = bytes.readUInt32BE(start + 24)
  const flags = bytes.readUInt16BE(at)
  at += 2
  let absent = false
  if (version >= 3 && flags & EXTENDED) {
    absent = (bytes.readUInt16BE(at) & SKIP_WORKTREE) !== 0
    at += 2
  }
  let kept = 0
  if (version === 4) {
    const strip = readOffset(bytes, at, end)
    if (!strip || strip.value > previous.length) return undefined
    kept = previous.length - strip.value
    at = strip.next
  }
  const zero = bytes.indexOf(0, at)
  if (zero < 0 || zero >= end) return undefined
  const name = Buffer.concat([previous.subarray(0, kept), bytes.subarray(at, zero)])
  if (version === 4) return { name, mode, absent, next: zero + 1 }
  // Padded with 1 to 8 zeros to a multiple of 8.
  const length = zero - start
  return { name, mode, absent, next: start + length + 8 - (length % 8) }
}

/** Git's variable-length number, as in pack files' offsets. */
function readOffset(bytes: Buffer, start: number, end: number): { value: number; next: number } | undefined {
  let value = -1
  for (let at = start; at < end && at < start + 6; at++) {
    const byte = bytes.readUInt8(at)
    value = (value + 1) * 128 + (byte & 127)
    if (!(byte & 128)) return { value, next: at + 1 }
  }
  return undefined
}

function findExtension(bytes: Buffer, start: number, end: number, signature: string): Buffer | undefined {
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at + 4)
    if (at + 8 + size > end) return undefined
    if (bytes.toString('latin1', at, at + 4) === signature) return bytes.subarray(at + 8, at + 8 + size)
    at += 8 + size
  }
  return undefined
}

/** What a split index says of the one it adds to; its name is empty when there is none. */
function parseLink(link: Buffer, hashLength: HashLength): { name: string; deleted: Set<number> } | undefined {
  if (link.length < hashLength) return undefined
  const hash = link.subarray(0, hashLength)
  const name = hash.every((byte) => byte === 0) ? '' : hash.toString('hex')
  const deleted = link.length === hashLength ? new Set<number>() : readBitmap(link.subarray(hashLength))
  return deleted && { name, deleted }
}

/** More set bits than this are no index we read. */
const MAX_BITS = 10_000_000

/** The set bits of an EWAH bitmap (gitformat-index, appendix): runs of equal words, then words as they are. */
function readBitmap(bytes: Buffer): Set<number> | undefined {
  if (bytes.length < 8) return undefined
  const wordCount = bytes.readUInt32BE(4)
  if (8 + wordCount * 8 > bytes.length) return undefined
  const bits = new Set<number>()
  let bit = 0
  for (let word = 0; word < wordCount; ) {
    // The low bit is what the run repeats, 32 bits its length, 31 bits the number of words that follow.
    const high = bytes.readUInt32BE(8 + word * 8)
    const low = bytes.readUInt32BE(12 + word * 8)
    const runLength = (high % 2) * 2 ** 31 + Math.floor(low / 2)
    const literals = Math.floor(high / 2)
    word++
    if (bit + runLength * 64 > MAX_BITS || word + literals > wordCount) return undefined
    if (low % 2 === 1) for (let end = bit + runLength * 64; bit < end; bit++) bits.add(bit)
    else bit += runLength * 64
    for (let literal = 0; literal < literals; literal++, word++, bit += 64) {
      addBits(bits, bit, bytes.readUInt32BE(12 + word * 8))
      addBits(bits, bit + 32, bytes.readUInt32BE(8 + word * 8))
    }
  }
  return bits
}

function addBits(bits: Set<number>, first: number, word: number): void {
  for (let place = 0; place < 32; place++) if ((word >>> place) & 1) bits.add(first + place)
}
