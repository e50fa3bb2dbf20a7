import { describe, expect, it } from 'vitest'
import { createRedactor } from './index.ts'
import { withoutPrivate } from './private.ts'

describe('private text (statement 110)', () => {
  const replaced = (text: string): [string, number] => {
    let count = 0
    const result = withoutPrivate(text, () => count++)
    return [result, count]
  }

  it('is replaced, however many there are and over lines', () => {
    expect(replaced('a <private>b\nc</private> d <private>e</private>')).toEqual([
      'a [REDACTED:private] d [REDACTED:private]',
      2,
    ])
  })

  it('takes with it what is nested in it', () => {
    expect(replaced('a <private>b <private>c</private> d</private> e')).toEqual(['a [REDACTED:private] e', 1])
  })

  it('leaves a marker without its other half alone', () => {
    expect(replaced('the <private> tag')).toEqual(['the <private> tag', 0])
    expect(replaced('</private> then <private>')).toEqual(['</private> then <private>', 0])
    expect(replaced('<private> a <private>b</private>')).toEqual(['<private> a [REDACTED:private]', 1])
  })

  it('goes where redaction is off, and is counted', () => {
    const redactor = createRedactor({ enabled: false })
    expect(redactor.redact('x <private>y</private>')).toBe('x [REDACTED:private]')
    expect(redactor.counts().get('private')).toBe(1)
    expect(createRedactor({ enabled: true }).redact('x <private>y</private>')).toBe('x [REDACTED:private]')
  })
})
