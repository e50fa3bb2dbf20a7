import { describe, expect, it } from 'vitest'
import { termsIn, termsOf } from './terms.ts'

describe('the terms of a query (statement 21)', () => {
  it('are seven in the sample', () => {
    const terms = termsOf('Check the Mac installer on a clean machine before a release')
    expect(terms).toHaveLength(7)
    expect(termsIn('We released the installer for the Mac', terms).size).toBe(3)
  })

  it('are counted once, by the parts of identifiers, at most 32', () => {
    expect(termsOf('getUserName of the user')).toEqual(['get', 'user', 'name'])
    expect(termsOf(Array.from({ length: 50 }, (_, place) => `word${place}x`).join(' '))).toHaveLength(32)
  })

  it('of scripts without blanks are pairs', () => {
    expect(termsIn('修复认证错误', termsOf('认证')).size).toBe(1)
  })
})
