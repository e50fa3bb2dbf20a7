import { describe, expect, it } from 'vitest'
import { areNearCopies, fingerprint } from './near-copies.ts'
import { rootsOf } from './terms.ts'

const print = (text: string) => fingerprint(rootsOf(text))
const text =
  'The retry budget is seven attempts, measured against the reset window of the upstream; it must not be rounded to ten, since the eighth attempt already trips the limit and everything after it is refused for a minute.'

describe('near copies', () => {
  it('are texts of the same words, whatever stands between them', () => {
    expect(areNearCopies(print(text), print(text.replaceAll(' ', '\n')))).toBe(true)
    expect(areNearCopies(print(text), print(text.toUpperCase()))).toBe(true)
  })

  it('are not texts about the same matter', () => {
    const other = 'The retry budget of the upstream was seven attempts once; we asked for more and were given twelve.'
    expect(areNearCopies(print(text), print(other))).toBe(false)
    expect(areNearCopies(print('alpha beta'), print('gamma delta'))).toBe(false)
  })
})
