import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineCutter, type Line } from './read-jsonl.ts'

/** All lines of some bytes, cut into chunks of the sizes given, the last size repeated. */
function cut(bytes: Uint8Array, sizes: readonly number[] = [], limit?: number): (Line & { complete: boolean })[] {
  const cutter = createLineCutter({ offset: 0, line: 0 }, limit)
  const found: (Line & { complete: boolean })[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[Math.min(turn, sizes.length - 1)] ?? bytes.length)
    // A copy that is overwritten afterwards, as the buffer of a file is.
    const chunk = Uint8Array.from(bytes.subarray(at, at + size))
    for (const line of cutter.push(chunk)) found.push({ ...line, complete: true })
    chunk.fill(0x58)
    at += size
  }
  const rest = cutter.rest()
  if (rest) found.push({ ...rest, complete: false })
  return found
}

function texts(text: string, sizes?: readonly number[]): (string | undefined)[] {
  return cut(Buffer.from(text), sizes).map((line) => line.text)
}

describe('bytes become lines', () => {
  test('at LF only; a CR before it goes (fault 35)', () => {
    expect(texts('a\nb\r\nc\rd\n')).toEqual(['a', 'b', 'c\rd'])
  })

  test('U+2028, U+2029 and U+0085 inside a string part nothing (fault 35)', () => {
    const record = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d' })
    expect(texts(`${record}\n{}\n`)).toEqual([record, '{}'])
  })

  test('a byte order mark at the start is no part of the first record (fault 34)', () => {
    expect(texts('\ufeff{"a":1}\n{}\n')).toEqual(['{"a":1}', '{}'])
    expect(texts('{"a":"\ufeffb"}\n')).toEqual(['{"a":"\ufeffb"}'])
  })

  test('bytes that are no UTF-8 are replaced', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}\n')])
    expect(cut(bytes)[0]?.text).toBe('{"a":"\ufffd\ufffd"}')
  })

  test('blank lines are counted as places', () => {
    expect(cut(Buffer.from('a\n\n\nb\n')).map(({ index, start, end, text }) => [index, start, end, text])).toEqual([
      [0, 0, 2, 'a'],
      [1, 2, 3, ''],
      [2, 3, 4, ''],
      [3, 4, 6, 'b'],
    ])
  })

  test('the last line without LF is the rest', () => {
    const [first, rest] = cut(Buffer.from('a\nbc'), [1])
    expect(first).toMatchObject({ text: 'a', complete: true })
    expect(rest).toMatchObject({ text: 'bc', complete: false, index: 1, start: 2, end: 4 })
    expect(cut(Buffer.from('a\n'))).toHaveLength(1)
  })

  test('a line over the limit is passed over and the next one is read (fault 52)', () => {
    const long = 'x'.repeat(50)
    for (const size of [1, 7, 50, 1000]) {
      const found = cut(Buffer.from(`a\n${long}\nb\n${long}`), [size], 20)
      expect(found.map(({ text, start, end }) => [text, end - start])).toEqual([
        ['a', 2],
        [undefined, 51],
        ['b', 2],
        [undefined, 50],
      ])
      expect(found[3]?.complete).toBe(false)
    }
  })

  test('a line of exactly the limit is read', () => {
    for (const size of [1, 9, 100]) expect(cut(Buffer.from('0123456789\n'), [size], 10)[0]?.text).toBe('0123456789')
  })

  test('however the bytes are cut into chunks, the lines are the same', () => {
    const piece = fc.constantFrom('a', '\n', '\r\n', '\ufeff', 'é', '漢字', '😀', '{"a":1}\n', '0123456789012345')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 8 }),
        (pieces, sizes) => {
          const bytes = Buffer.from(pieces.join(''))
          expect(cut(bytes, sizes, 24)).toEqual(cut(bytes, [], 24))
        },
      ),
    )
  })

  test('places and lengths cover the file without a gap', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let at = 0
        for (const { start, end, index } of cut(bytes, [3])) {
          expect(start).toBe(at)
          expect(index).toBe(
            Buffer.from(bytes)
              .subarray(0, start)
              .filter((byte) => byte === 10).length,
          )
          at = end
        }
        expect(at).toBe(bytes.length)
      }),
    )
  })
})
