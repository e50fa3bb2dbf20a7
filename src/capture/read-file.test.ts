import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Desk, LONG_AGO, lines, openDesk } from './capture.testing.ts'
import { nodeFileSystem, openFile } from './file-system.ts'
import { readChunks } from './read-file.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

/** Two notes, `one` and `two, two, …`, compressed by zstd 1.5 at level 19. */
const COMPRESSED = Buffer.from('KLUv/SQ3BQEAuHsidGV4dCI6Im9uZSJ9CnR3bywgIn0KAgAoVRNt1gGa0TiG', 'base64')

/** Largest block of a Zstandard frame (RFC 8878, 3.1.1.2.4). */
const BLOCK = 128 * 1024

/** A Zstandard frame of blocks that are stored as they are (RFC 8878, 3.1.1), with a window of 128 KiB. */
function storedFrame(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])]
  for (let at = 0; at === 0 || at < content.length; at += BLOCK) {
    const block = content.subarray(at, at + BLOCK)
    const header = Buffer.alloc(3)
    header.writeUIntLE((block.length << 3) | (at + BLOCK >= content.length ? 1 : 0), 0, 3)
    parts.push(header, block)
  }
  return Buffer.concat(parts)
}

describe('a compressed transcript', () => {
  test('is read like any other, and not again while it looks the same', async () => {
    desk.put('a.jsonl.zst', COMPRESSED)
    expect(await desk.capture()).toMatchObject({ records: 2, events: 2, skipped: [] })
    expect(await desk.texts()).toEqual(['one', 'two, two, two, two, two, two'])
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 1 })
  })

  test('that was just written is not read twice either', async () => {
    desk.put('a.jsonl.zst', COMPRESSED, Date.UTC(2026, 0, 2) - 100)
    expect(await desk.capture()).toMatchObject({ records: 2 })
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 0, bytes: 0 })
  })

  test('of several frames and batches is read whole, and whole again when it grows', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      id: `${index}`,
      text: `number ${index} ${'x'.repeat(index)}`,
    }))
    const first = storedFrame(Buffer.from(lines(...many)))
    desk.put('a.jsonl.zst', first)
    expect(await desk.capture()).toMatchObject({ records: 3000, events: 3000 })
    desk.put('a.jsonl.zst', Buffer.concat([first, storedFrame(Buffer.from(lines({ id: 'last', text: 'last' })))]))
    expect(await desk.capture()).toMatchObject({ records: 3001, events: 1 })
    expect(await desk.capture()).toMatchObject({ unchanged: 1 })
  })

  test('stopped in its middle is read from its start', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({ text: `number ${index}` }))
    desk.put('a.jsonl.zst', storedFrame(Buffer.from(lines(...many))))
    const controller = new AbortController()
    const stopped = await desk.capture({ signal: controller.signal, onProgress: () => controller.abort() })
    expect(stopped).toMatchObject({ events: 2000, finished: false })
    expect(await desk.capture()).toMatchObject({ records: 3000, events: 1000 })
  })

  test('and the plain file it was made from give every event once', async () => {
    desk.put('a.jsonl', '{"text":"one"}\n{"text":"two, two, two, two, two, two"}\n')
    desk.put('a.jsonl.zst', COMPRESSED)
    expect(await desk.capture()).toMatchObject({ records: 4, events: 2, sessions: 1 })
  })

  test('a last line without line feed is read', async () => {
    desk.put('a.jsonl.zst', storedFrame(Buffer.from('{"text":"one"}\n{"text":"two"}')), Date.UTC(2026, 0, 2))
    expect(await desk.capture()).toMatchObject({ events: 2 })
  })

  test('that is damaged is reported once and stays in the status; repaired, it is read', async () => {
    const path = desk.put('a.jsonl.zst', COMPRESSED.subarray(0, -10))
    desk.put('b.jsonl', lines({ text: 'good' }))
    const report = await desk.capture()
    expect(report).toMatchObject({ events: 1, skipped: [{ reason: 'damaged', path, count: 1 }] })
    expect(await desk.capture()).toMatchObject({ unchanged: 2, skipped: [] })
    const status = () => desk.engine.get('SELECT status, status_reason FROM source_file WHERE path = ?', [path])
    expect(await status()).toEqual({ status: 'unreadable', status_reason: 'damaged' })
    desk.put('a.jsonl.zst', COMPRESSED, LONG_AGO + 5_000)
    expect(await desk.capture()).toMatchObject({ events: 2 })
    expect(await status()).toEqual({ status: 'active', status_reason: null })
  })
})

describe('chunks of a file', () => {
  test('end where they are told to, or where the file ends', async () => {
    const path = desk.put('a.txt', '0123456789')
    const open = openFile(nodeFileSystem, path)
    const read = async (from: number, to: number, size: number): Promise<string[]> => {
      const chunks: string[] = []
      for await (const chunk of readChunks(open, from, to, size)) chunks.push(chunk.toString())
      return chunks
    }
    expect(await read(2, 9, 3)).toEqual(['234', '567', '8'])
    expect(await read(0, 100, 6)).toEqual(['012345', '6789'])
    expect(await read(4, 4, 6)).toEqual([])
    open.close()
  })

  test('of a file that is not there fail as a failure of reading', async () => {
    const reading = async () => openFile(nodeFileSystem, `${desk.home}/none`)
    await expect(reading()).rejects.toMatchObject({ name: 'ReadFailure', reason: 'missing' })
  })
})
