import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksLikePiece, MAX_TERMS, parseQuery, type Unit } from './query.ts'

const texts = (units: readonly Unit[]) => units.map(({ exact }) => exact)
const only = (input: string): Unit => {
  const { optional } = parseQuery(input)
  expect(optional).toHaveLength(1)
  return optional[0] as Unit
}

describe('the query language', () => {
  it('tells words, quoted phrases, excluded words and prefixes apart', () => {
    const query = parseQuery('schema "fails after" -draft migrat* -"left over"')
    expect(texts(query.optional)).toEqual(['schema', 'migrat'])
    expect(query.optional.map(({ prefix }) => prefix)).toEqual([false, true])
    expect(texts(query.required)).toEqual(['fails after'])
    expect(texts(query.excluded)).toEqual(['draft', 'left over'])
    expect(query.warnings).toEqual([])
  })

  it('takes operators of other languages for words (fault 86)', () => {
    expect(texts(parseQuery('OR hello').optional)).toEqual(['or', 'hello'])
    expect(texts(parseQuery('NOT hello AND').optional)).toEqual(['not', 'hello', 'and'])
    expect(parseQuery('NEAR(a b)').optional.map(({ runs }) => runs.join(' '))).toEqual(['near a', 'b'])
    expect(texts(parseQuery('title:hello ^x').optional)).toEqual(['title:hello', '^x'])
  })

  it('keeps hyphens inside words, and options with two hyphens (fault 83)', () => {
    for (const word of ['multi-agent', 'a-b', '--flag', '--no-token']) {
      const query = parseQuery(`x ${word}`)
      expect(query.excluded).toEqual([])
      expect(texts(query.optional)).toEqual(['x', word])
    }
    expect(parseQuery('a - b').excluded).toEqual([])
    expect(only("a'b").runs).toEqual(['a', 'b'])
  })

  it('knows words that may be written as one, and none that are quoted, excluded, names or say nothing', () => {
    const joined = (input: string) => parseQuery(input).optional.map(({ joined }) => texts(joined))
    expect(joined('change log')).toEqual([['changelog'], ['changelog']])
    expect(joined('the work tree file')).toEqual([[], ['worktree'], ['worktree', 'treefile'], ['treefile']])
    expect(joined('"change log" -tree file_name x2')).toEqual([[], []])
  })

  it('reads an unclosed quotation mark as none', () => {
    const query = parseQuery('"hello, world')
    expect(query.required).toEqual([])
    expect(texts(query.optional)).toEqual(['hello', 'world'])
  })

  it.each([
    ['172.16.192.0/18', ['172', '16', '192', '0', '18']],
    ['user@example.com', ['user', 'example', 'com']],
    ['aa:bb:cc:dd:ee:ff', ['aa', 'bb', 'cc', 'dd', 'ee', 'ff']],
    ['host.example.com', ['host', 'example', 'com']],
    ['src/store/engine.ts', ['src', 'store', 'engine', 'ts']],
    ['file_attention', ['file', 'attention']],
    ['v2.1', ['v2', '1']],
    ['e2e', ['e2e']],
  ])('keeps %s as one unit', (input, terms) => {
    const unit = only(input)
    expect(unit.exact).toBe(input)
    expect(unit.terms).toEqual(terms)
    expect(unit.adjacent).toBe(true)
  })

  it('splits camelCase names and keeps them whole', () => {
    expect(only('getUserName')).toMatchObject({ terms: ['getusername'], parts: ['get', 'user', 'name'] })
    expect(only('HTTPServer')).toMatchObject({ terms: ['httpserver'], parts: ['http', 'server'] })
    expect(only('utf8Decode').parts).toEqual(['utf', 'decode'])
    expect(only('README').parts).toEqual([])
  })

  it('tells C++ from C# and from C', () => {
    const terms = ['C++', 'C#', 'C'].map((word) => only(word).terms[0])
    expect(new Set(terms).size).toBe(3)
    expect(only('C++').symbols).toBe(true)
    expect(only('(C++),').exact).toBe('c++')
  })

  it('folds accents and letter case', () => {
    expect(only('Café').terms).toEqual(['cafe'])
    expect(only('Cafe\u0301').terms).toEqual(['cafe'])
    expect(only('ÜBERGRÖSSE').terms).toEqual(['ubergrosse'])
    expect(only('йод').terms).toEqual(['йод'])
  })

  it('cuts scripts without blanks into pairs, and out of words they are glued to', () => {
    expect(only('修改').terms).toEqual(['修改'])
    expect(only('认证错误').terms).toEqual(['认证', '证错', '错误'])
    expect(only('错').terms).toEqual(['错'])
    expect(only('修改youer服务端')).toMatchObject({ terms: ['修改', 'youer', '服务', '务端'], adjacent: false })
  })

  it('says why there is nothing to look for', () => {
    expect(parseQuery('?!  *** ()').warnings).toEqual(['the query has no letters or digits to look for'])
    expect(parseQuery('').warnings).toHaveLength(1)
    expect(parseQuery('-only -these').warnings).toEqual(['the query only excludes words: add a word to look for'])
  })

  it('ignores what is beyond the limit, and says so', () => {
    const words = Array.from({ length: 80 }, (_, index) => `word${index}`)
    const query = parseQuery(words.join(' '))
    expect(texts(query.optional)).toEqual(words.slice(0, MAX_TERMS))
    expect(query.warnings).toEqual(['the query is long: its last 16 words were ignored'])
  })

  it('asks for a word once however often it is typed', () => {
    expect(texts(parseQuery('retry Retry RETRY').optional)).toEqual(['retry'])
  })

  it('never lets an operator through, whatever is typed (fault 86)', () => {
    const input = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.constantFrom('OR', 'NEAR(', '"', '-', '*', 'a', 'ªº', "'", ')', '{', ':', '^', '修', 'e\u0301'), {
          maxLength: 30,
        })
        .map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(input, (text) => {
        const { required, optional, excluded, warnings } = parseQuery(text)
        const units = [...required, ...optional, ...excluded]
        for (const { terms, parts } of units) {
          expect(terms.length).toBeGreaterThan(0)
          for (const term of [...terms, ...parts]) expect(term).toMatch(/^[\p{L}\p{N}\p{Co}]+$/u)
        }
        expect(units.reduce((sum, { terms }) => sum + terms.length, 0)).toBeLessThanOrEqual(MAX_TERMS)
        expect(required.length + optional.length > 0 || warnings.length > 0).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('takes hexadecimal and mixed words for pieces of ids, and plain words not', () => {
    for (const piece of ['q3fy', 'deadbeef', '8400-e29b', 'bd-q3fy']) expect(looksLikePiece(only(piece))).toBe(true)
    for (const word of ['word', 'a1', 'src/x1.ts', 'abc1*']) expect(looksLikePiece(only(word))).toBe(false)
  })
})
