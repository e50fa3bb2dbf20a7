import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../core/cpu-time.testing.ts'
import { cleanJson, cleanName, cleanText, withoutBinary } from './clean-text.ts'

/** Bytes that look random and are the same every time. */
function bytes(length: number): Buffer {
  const parts: Buffer[] = []
  for (let part = 0; part * 32 < length; part++) parts.push(createHash('sha256').update(`${part}`).digest())
  return Buffer.concat(parts).subarray(0, length)
}

const picture = bytes(3000).toString('base64')

describe('text', () => {
  test('a lone surrogate becomes U+FFFD, a pair stays (fault 37)', () => {
    expect(cleanText('cut \ud83d here, whole \u{1f600} there, \ude00')).toBe(
      'cut \ufffd here, whole \u{1f600} there, \ufffd',
    )
    expect(cleanText(JSON.parse('"\\uD83Eade9"'))).toBe('\ufffdade9')
  })

  test('NUL and other controls become U+FFFD; tab and line breaks stay', () => {
    expect(cleanText('a\0b\x07c\td\r\ne\x0bf')).toBe('a\ufffdb\ufffdc\td\r\ne\ufffdf')
  })

  test('what colours a terminal goes', () => {
    expect(cleanText('\x1b[1;31mred\x1b[0m \x1b]8;;https://example.com\x07link\x1b]8;;\x1b\\')).toBe('red link')
  })

  test('the text is always well-formed and free of controls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 20 }), (text, cut) => {
        const clean = cleanText(text.slice(cut))
        expect(Buffer.from(clean).toString()).toBe(clean)
        expect(clean).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f]/)
      }),
    )
  })

  test('a name is short and clean', () => {
    expect(cleanName(`a\0${'b'.repeat(1000)}`)).toBe(`a\ufffd${'b'.repeat(498)}`)
  })
})

describe('binary data in text', () => {
  test('a data URI becomes a marker (faults 46, 47)', () => {
    expect(withoutBinary(`see data:image/png;base64,${picture} here`)).toBe('see [image/png, 3000 bytes] here')
    expect(withoutBinary(`![x](data:image/svg+xml;charset=utf-8,${'%3Csvg'.repeat(20)})`)).toBe(
      '![x]([image/svg+xml, 120 bytes])',
    )
  })

  test('an event stream and a short data URI stay', () => {
    for (const text of ['data: {"a":1}', 'data:text/plain,hello', 'metadata:image/png,none'])
      expect(withoutBinary(text)).toBe(text)
  })

  test('a long run of base64 becomes a marker, with its padding (fault 46)', () => {
    const padded = bytes(1000).toString('base64')
    expect(padded.endsWith('=')).toBe(true)
    expect(withoutBinary(`before ${padded} after`)).toBe('before [base64, 1336 characters] after')
    expect(withoutBinary(`{"a":"${bytes(900).toString('base64url')}"}`)).toBe('{"a":"[base64, 1200 characters]"}')
  })

  test('neither a sentinel before it nor its place in the text hides it (fault 40)', () => {
    expect(withoutBinary(cleanText(`\0bin:${picture}`))).toBe('\ufffdbin:[base64, 4000 characters]')
    for (const lead of [0, 1, 100, 255, 256, 257, 600]) {
      expect(withoutBinary(`${' '.repeat(lead)}${picture}!`)).toBe(`${' '.repeat(lead)}[base64, 4000 characters]!`)
    }
  })

  test('base64 that a program wrapped becomes one marker', () => {
    const wrapped = picture.replace(/.{76}/g, '$&\n')
    const whole = wrapped.slice(0, wrapped.lastIndexOf('\n') + 1).length
    expect(withoutBinary(`$ base64 x.png\n${wrapped}`)).toMatch(/^\$ base64 x\.png\n\[base64, \d+ characters\]/)
    expect(withoutBinary(`$ base64 x.png\n${wrapped}`).length).toBeLessThan(whole / 20)
    expect(withoutBinary(`a\r\n${wrapped.replaceAll('\n', '\r\n')}`)).toMatch(/^a\r\n\[base64, \d+ characters\]/)
  })

  test('several runs are all found, and what lies between stays', () => {
    const text = `one ${picture} two ${picture} three`
    expect(withoutBinary(text)).toBe('one [base64, 4000 characters] two [base64, 4000 characters] three')
  })

  test('long words, numbers, rulers and paths stay', () => {
    const texts = [
      'a'.repeat(5000),
      '-'.repeat(5000),
      bytes(2000).toString('hex'),
      `/home/dev1/${'Folder1/'.repeat(40)}x`,
      'word '.repeat(2000),
    ]
    for (const text of texts) expect(withoutBinary(text)).toBe(text)
  })

  test('a great ruler costs no more than reading it', () => {
    expect(cpuTime(() => withoutBinary('-'.repeat(20_000_000)))).toBeLessThan(2000)
  })
})

describe('JSON text', () => {
  const clean = (value: unknown): unknown => JSON.parse(withoutBinary(cleanJson(JSON.stringify(value))))

  test('lone surrogates and controls are replaced inside strings, other escapes stay', () => {
    expect(clean({ a: '\ud83d', b: 'x\0y\b\f', c: 'C:\\users\\u0000 "q" \n\t', d: '\u{1f600}' })).toEqual({
      a: '\ufffd',
      b: 'x\ufffdy\ufffd\ufffd',
      c: 'C:\\users\\u0000 "q" \n\t',
      d: '\u{1f600}',
    })
  })

  test('pictures in it become markers, and it stays JSON', () => {
    expect(clean([{ data: picture, type: 'image' }, `data:image/png;base64,${picture}`])).toEqual([
      { data: '[base64, 4000 characters]', type: 'image' },
      '[image/png, 3000 bytes]',
    ])
    const wrapped = picture.replace(/.{76}/g, '$&\n')
    expect(clean({ out: `x\n${wrapped}` })).toEqual({ out: expect.stringMatching(/^x\n\[base64, /) })
  })

  test('an escape before a run is not cut', () => {
    for (const before of ['\n', '\t', '\r\n', 'é\u2028', '\u001f', '\\', '\\n', '"']) {
      const result = clean({ a: before + picture })
      expect(JSON.stringify(result)).toContain('[base64, ')
    }
  })

  test('any value stays JSON of the same shape', () => {
    const string = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 3 }).map((lead) => lead + picture + lead),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 5 }), fc.array(string, { maxLength: 3 })), (value) => {
        const result = clean(value) as Record<string, string[]>
        expect(Object.values(result).map((list) => list.length)).toEqual(
          Object.values(value).map((list) => list.length),
        )
      }),
    )
  })
})
