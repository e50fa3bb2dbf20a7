import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composed, documentTerms, eachIdentifier, eachRun, extraTerms, foldText, withoutData } from './search-terms.ts'

/** Terms as SQLite's tokenizer makes them. */
function tokenizer(): (text: string) => string[] {
  const db = new Database(':memory:')
  db.exec("CREATE VIRTUAL TABLE t USING fts5(text, tokenize='unicode61 remove_diacritics 2')")
  db.exec('CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)')
  const insert = db.prepare('INSERT INTO t (text) VALUES (?)')
  const select = db.prepare('SELECT term FROM v ORDER BY offset').pluck()
  return (text) => {
    db.exec('DELETE FROM t')
    insert.run(text)
    return select.all() as string[]
  }
}

function runs(text: string): string[] {
  const folded = foldText(composed(text))
  const found: string[] = []
  eachRun(folded, (start, end) => found.push(folded.slice(start, end)))
  return found
}

describe('index terms', () => {
  it('are what the tokenizer of SQLite makes of the same text', () => {
    const sqlite = tokenizer()
    for (const text of [
      'Hello, World! snake_case kebab-case v2.1 e2e',
      'Café naïve Übergröße Ångström ŒUVRE',
      'Cafe\u0301 decomposed',
      'Привет, МИР; ёлка й',
      'ΑΓΟΡΆ Σίσυφος τέλος',
      '修改youer服务端 ユーザー 안녕하세요',
      'مرحبا שלום',
      'x² ½ ③ Ⅷ',
      'tab\tnew\nline\u00a0nbsp\u200bzero',
      '🚀deploy🎉 don’t',
    ]) {
      expect(runs(text), text).toEqual(sqlite(text))
    }
  })

  it('are so for any Latin, Greek, Cyrillic and East Asian text', () => {
    const sqlite = tokenizer()
    const ranges: [number, number][] = [
      [0x20, 0x17f],
      [0x386, 0x3ce],
      [0x400, 0x45f],
      [0x3041, 0x30ff],
      [0x4e00, 0x9fa5],
      [0xac00, 0xd7a3],
    ]
    const char = fc.oneof(
      ...ranges.map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))),
    )
    const words = fc.array(char, { maxLength: 30 }).map((chars) => chars.join('').replace(/\p{Cn}/gu, ''))
    fc.assert(
      fc.property(words, (text) => {
        expect(runs(text)).toEqual(sqlite(text))
      }),
      { numRuns: 300 },
    )
  })

  it('keep each character in its place when folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(foldText(text)).toHaveLength(text.length)
      }),
    )
  })

  it('are added for names in camelCase, once each', () => {
    expect(extraTerms('getUserName(getUserName, parseHTTPServer)')).toBe(' get user name parse http server')
    expect(extraTerms('IOError utf8Decode')).toBe(' io error utf decode')
    expect(extraTerms('README APIs 2026-01-01T10:00:00Z plain words')).toBe('')
  })

  it('are added for scripts without blanks and what is glued to them', () => {
    const terms = extraTerms('修改youer服务').trim().split(' ')
    expect(terms.sort()).toEqual(['youer', '修', '修改', '务', '改', '服', '服务'].sort())
  })

  it('tell C++ and C# apart', () => {
    const [plus, sharp] = ['C++', 'C#'].map((name) => extraTerms(`in ${name}, say`).trim())
    expect(plus).not.toBe('')
    expect(sharp).not.toBe('')
    expect(plus).not.toBe(sharp)
    expect(extraTerms('i++ is no name, nor is ## or a#b')).toBe(` ${extraTerms('i++').trim()}`)
  })

  it('C33: count the words of a document, parts of names included', () => {
    const terms = documentTerms('user getUser user 修改', 1_000)
    expect(Object.fromEntries(terms)).toEqual({ user: 3, getuser: 1, get: 1, 修: 1, 改: 1, 修改: 1 })
  })

  it('stop at a size', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ')
    expect(documentTerms(text, 1_000).size).toBeLessThan(60)
  })
})

describe('encoded data', () => {
  it('is left out of the index wherever it stands (faults 40, 47)', () => {
    const data = 'iVBORw0KGgo'.repeat(40)
    for (const at of [0, 1, 100, 255, 256, 257, 1_000]) {
      const before = 'word '.repeat(at).slice(0, at)
      expect(withoutData(`${before} ${data} after`)).toBe(`${before}   after`)
    }
    expect(withoutData(`a ${data} b ${data}`, '[data]')).toBe('a [data] b [data]')
  })

  it('is not any ordinary text', () => {
    const text = `${'some words, and a/path/to/file.ts '.repeat(200)}`
    expect(withoutData(text)).toBe(text)
  })
})

describe('identifiers', () => {
  it('are names with digits and letters', () => {
    const found: string[] = []
    eachIdentifier('see BD-q3fy, 550e8400-e29b-41d4-a716-446655440000, 2026-01-01, v2 and ses_01J9Q3', (name) =>
      found.push(name),
    )
    expect(found).toEqual(['bd-q3fy', '550e8400-e29b-41d4-a716-446655440000', 'ses_01j9q3'])
  })
})
