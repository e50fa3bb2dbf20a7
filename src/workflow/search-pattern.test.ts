import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, searchFor } from './search-pattern.ts'

describe('searchFor', () => {
  it('T178: a query with the syntax of a regular expression is one', () => {
    expect(searchFor('rev(iew|ise)\\d+')('please Review12 it')).toEqual({ start: 7, end: 15 })
    expect(searchFor('^plan')('a plan')).toBeNull()
  })

  it('T178: a plain query is found as it is, in any case', () => {
    expect(searchFor('Max.Retries')('the max.retries value')).toEqual({ start: 4, end: 15 })
    expect(searchFor('a.c')('abc')).toBeNull()
  })

  it('T178: malformed and unsupported patterns are searched for as text, in any case', () => {
    expect(searchFor('a(b')('xA(B')).toEqual({ start: 1, end: 4 })
    expect(searchFor('(?=a)b')('see (?=A)b here')).toEqual({ start: 4, end: 10 })
    expect(searchFor('[open')('an [OPEN bracket')).toEqual({ start: 3, end: 8 })
    expect(searchFor('(a)\\1')('aa')).toBeNull()
    expect(searchFor('*')('a * b')).toEqual({ start: 2, end: 3 })
  })

  it('T179: a catastrophic pattern cannot stall', () => {
    const text = `${'a'.repeat(100_000)}!`
    for (const pattern of ['(a+)+$', '(a|a)*b$', '(a|aa)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*(.*)*x$']) {
      const start = performance.now()
      searchFor(pattern)(text)
      expect(performance.now() - start, pattern).toBeLessThan(5000)
    }
  })

  it('T179: patterns that blow up when written out are not compiled', () => {
    expect(compilePattern('(a{500}){500}')).toBeTypeOf('string')
    expect(compilePattern('x{900}'.repeat(10))).toBeTypeOf('string')
    expect(compilePattern('a'.repeat(3000))).toBeTypeOf('string')
    expect(compilePattern('('.repeat(1500) + ')'.repeat(1500))).toBeTypeOf('string')
  })

  it('any query finds itself where it is no pattern, and none throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (query) => {
        const found = searchFor(query)(`<${query}>`)
        if (!/[|*+?[\](){}^$\\]/.test(query)) expect(found).not.toBeNull()
      }),
    )
  })
})
