/** Members of a zip, streamed and checked. Their names are only compared, never used as paths. */

import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import yauzl from 'yauzl'
import { ReadFailure } from './file-system.ts'

/** Most members of a zip: an export of many years holds thousands of pictures. */
const MEMBERS = 200_000

/** Most bytes of all members read together. */
const TOTAL_BYTES = 64 * 1024 ** 3

/** How much larger than its compressed form a large member may be; text of people and models stays below 20. */
const RATIO = 500
const RATIO_FROM = 64 * 1024 * 1024

const MAGIC = 'PK\u0003\u0004'

export function isZip(firstBytes: Buffer): boolean {
  return firstBytes.toString('latin1', 0, MAGIC.length) === MAGIC
}

export interface ZipMember {
  name: string
  /** The bytes; a member that is not whole throws at its end. */
  read(): AsyncIterable<Uint8Array>
}

/**
 * The members whose names are taken, by name. The file descriptor is left open.
 * @throws ReadFailure `damaged`, also for names that lead out of the zip, and `too-large` for a zip made to burst
 */
export async function zipMembers(file: number, take: (name: string) => boolean): Promise<ZipMember[]> {
  const zip = await orDamaged(() => yauzl.fromFdPromise(file, { lazyEntries: true, autoClose: false }))
  if (zip.entryCount > MEMBERS) throw new ReadFailure('too-large', `${zip.entryCount} members are too many`)
  const taken: yauzl.Entry[] = []
  await orDamaged(async () => {
    for await (const entry of zip.eachEntry()) if (take(entry.fileName)) taken.push(entry)
  })
  let total = 0
  for (const { fileName, uncompressedSize, compressedSize } of taken) {
    total += uncompressedSize
    const bursts = uncompressedSize > RATIO_FROM && uncompressedSize > compressedSize * RATIO
    if (bursts || total > TOTAL_BYTES) throw new ReadFailure('too-large', `${fileName} unpacks to too much`)
  }
  return taken
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
    .map((entry) => ({ name: entry.fileName, read: () => readMember(zip, entry) }))
}

async function* readMember(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  const stream: Readable = await orDamaged(() => zip.openReadStreamPromise(entry))
  let sum = 0
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      sum = crc32(bytes, sum)
      yield bytes
    }
  } catch (error) {
    throw new ReadFailure('damaged', error)
  }
  if (sum !== entry.crc32) throw new ReadFailure('damaged', `${entry.fileName} has another checksum than it should`)
}

async function orDamaged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ReadFailure ? error : new ReadFailure('damaged', error)
  }
}
