import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTags, defaultNoteLimits, isNoteKey, noteMatches, noteProblem } from './notes.ts'

const note = (part: object) => ({ key: 'k', value: 'v', tags: [], ...part })

describe('noteProblem', () => {
  it('T222: a key has 1 to 100 letters, digits, _ and -', () => {
    for (const key of ['a', 'Key_1-x', 'x'.repeat(100)]) expect(noteProblem(note({ key }), 0)).toBeNull()
    for (const key of ['', 'x'.repeat(101), 'a b', 'a/b', '../x', 'é', 'a\n', 'a.b']) {
      expect(noteProblem(note({ key }), 0)?.field).toBe('key')
    }
  })

  it('T222: at most ten tags of at most fifty characters', () => {
    const tags = Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(50, 'x'))
    expect(noteProblem(note({ tags }), 0)).toBeNull()
    expect(noteProblem(note({ tags: [...tags, 'one more'] }), 0)?.field).toBe('tags')
    expect(noteProblem(note({ tags: ['x'.repeat(51)] }), 0)?.field).toBe('tags')
    expect(noteProblem(note({ tags: [...tags, tags[0], ' '] }), 0)).toBeNull()
  })

  it('T222: sizes count UTF-8 bytes, of the note and of all notes of the user', () => {
    const { noteBytes, userBytes } = defaultNoteLimits
    expect(noteProblem(note({ value: 'x'.repeat(noteBytes) }), 0)).toBeNull()
    expect(noteProblem(note({ value: 'é'.repeat(noteBytes / 2 + 1) }), 0)?.message).toContain(`${noteBytes} bytes`)
    expect(noteProblem(note({ value: 'xx' }), userBytes - 2)).toBeNull()
    expect(noteProblem(note({ value: 'xx' }), userBytes - 1)?.message).toContain('1 are left')
  })

  it('T224: other limits apply when they are given', () => {
    expect(noteProblem(note({ value: 'abc' }), 0, { ...defaultNoteLimits, noteBytes: 2 })?.field).toBe('value')
  })
})

describe('noteMatches', () => {
  const one = { key: 'cfg-Web-1', tags: ['cfg', 'web'] }

  it('T223: filters by tag, exactly, and by a part of the key, in any case', () => {
    expect(noteMatches(one, {})).toBe(true)
    expect(noteMatches(one, { tag: 'web' })).toBe(true)
    expect(noteMatches(one, { tag: 'we' })).toBe(false)
    expect(noteMatches(one, { keySearch: 'WEB' })).toBe(true)
    expect(noteMatches(one, { keySearch: 'web', tag: 'none' })).toBe(false)
  })

  it('C63: a key pattern is a part of the key, or wildcards over all of it; keySearch goes first', () => {
    expect(noteMatches(one, { keyPattern: 'web' })).toBe(true)
    expect(noteMatches(one, { keyPattern: 'cfg-*-?' })).toBe(true)
    expect(noteMatches(one, { keyPattern: 'web*' })).toBe(false)
    expect(noteMatches(one, { keyPattern: '*' })).toBe(true)
    expect(noteMatches(one, { keyPattern: 'none', keySearch: 'cfg' })).toBe(true)
  })

  it('wildcards match as a regular expression would', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 12 })
    const pattern = fc
      .string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
      .filter((text) => /[*?]/.test(text))
    fc.assert(
      fc.property(letters, pattern, (key, keyPattern) => {
        const expected = new RegExp(`^${keyPattern.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(key)
        expect(noteMatches({ key, tags: [] }, { keyPattern })).toBe(expected)
      }),
    )
  })
})

it('tags are trimmed, and each is kept once', () => {
  expect(cleanTags([' a', 'b', 'a ', '', 'B'])).toEqual(['a', 'b', 'B'])
  expect(isNoteKey('a')).toBe(true)
})
