import { describe, expect, it } from 'vitest'
import { answerKind, holdsAnswer } from './answers.ts'

describe('what a question asks for', () => {
  it.each([
    ['When did we drop the old index?', 'time'],
    ['which day was the release', 'time'],
    ['what time does the job run', 'time'],
    ['How many retries does the client make?', 'number'],
    ['since the cache grew, how long do builds take', 'number'],
    ['Why was the index dropped?', undefined],
    ['show it when done', undefined],
    ['', undefined],
  ])('%s', (question, kind) => {
    expect(answerKind(question)).toBe(kind)
  })

  it('is held by texts with a time or a number', () => {
    for (const text of ['we met last week', 'on 3 may 2023', 'at 10:30', 'two days ago']) {
      expect(holdsAnswer('time', text), text).toBe(true)
    }
    for (const text of ['five of them', 'it makes 3', 'only once']) expect(holdsAnswer('number', text), text).toBe(true)
    expect(holdsAnswer('time', 'lasting maybe, weekly')).toBe(false)
    expect(holdsAnswer('number', 'none of them at all')).toBe(false)
  })
})
