/** The bytes of an open transcript in chunks, decompressed where need be. */

import { type OpenFile, ReadFailure } from './file-system.ts'
import { CHUNK } from './read-jsonl.ts'

/** Compressed bytes decompressed at a time; what comes out is held at once, and may be a hundred times as much. */
const COMPRESSED_CHUNK = 16 * 1024

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst')
}

/**
 * The bytes `[from, to)` as they stand in the file; ends early when the file was cut short meanwhile. A chunk is valid
 * until the next one is asked for.
 */
export async function* readChunks(open: OpenFile, from: number, to: number, size = CHUNK): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, Math.max(0, to - from)))
  for (let position = from; position < to; ) {
    const length = open.read(buffer.subarray(0, to - position), position)
    if (length === 0) return
    position += length
    yield buffer.subarray(0, length)
  }
}

/** A Zstandard file from its start. @throws ReadFailure `damaged` when it is incomplete or something else. */
export async function* readZstandard(open: OpenFile): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd')
  let output: Uint8Array[] = []
  const stream = new Decompress((bytes) => output.push(bytes))
  const decompress = (bytes: Uint8Array, last: boolean): Uint8Array[] => {
    output = []
    try {
      stream.push(bytes, last)
    } catch (error) {
      throw new ReadFailure('damaged', error)
    }
    return output
  }
  for await (const chunk of readChunks(open, 0, open.look.size, COMPRESSED_CHUNK)) {
    // The stream keeps what it is given, and the next chunk overwrites this one.
    yield* decompress(Uint8Array.from(chunk), false)
  }
  yield* decompress(new Uint8Array(0), true)
}
