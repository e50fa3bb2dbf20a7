import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contradictions, distinctStatements } from './compare.ts'
import { CONSTRAINT_SENTENCES, DECISION_SENTENCES } from './labelled.testing.ts'
import type { StatementKind } from './statement.ts'
import { subjectOf } from './subject.ts'

const made = (texts: readonly string[], kind: StatementKind = 'decision') =>
  texts.map((text, at) => ({ kind, text, subject: subjectOf(text), at }))
const disagree = (a: string, b: string) => contradictions(made([a, b])).length === 1

describe('36: two statements disagree', () => {
  it.each([
    ['We decided to use SQLite for the local store.', 'We dropped SQLite; the local store uses Postgres now.'],
    ['We decided to use SQLite for the local store.', 'Use Postgres instead of SQLite for the local store.'],
    ['Use Docker for install checks.', 'Docker is rejected for install checks.'],
    ['Use Docker for install checks.', 'Do not use Docker for install checks.'],
    ['We decided to use MySQL for storage.', 'We decided not to use MySQL for storage.'],
    ['We use Redis for the queue.', 'We decided against using Redis for the queue.'],
    ['Use Vitest for the tests, not Jest.', 'We switched from Vitest to Jest for the tests.'],
    ['Use tabs for indentation.', 'Use spaces for indentation.'],
    ['Always run the full suite before a release.', 'Do not run the full suite before a release.'],
    ['Cap the exponential backoff at 60 seconds.', 'Cap the backoff at 30 seconds.'],
    ['Retry failed uploads at most 3 times.', 'Retry failed uploads at most 5 times.'],
  ])('%s / %s', (a, b) => {
    expect(disagree(a, b)).toBe(true)
    expect(disagree(b, a)).toBe(true)
  })
})

describe('36: two statements do not disagree', () => {
  it.each([
    ['Never commit secrets.', 'Never commit generated files.'],
    ['Use Vitest for unit tests.', 'Use Playwright for browser tests in CI.'],
    ['We dropped SQLite; the local store uses Postgres now.', 'Use Postgres instead of SQLite for the local store.'],
    ['Use pnpm for the workspace.', 'Use pnpm for the workspace everywhere.'],
    ['Keep the parser pure.', 'Keep the store small.'],
    ['Cap the backoff at 30 seconds.', 'Cap the queue at 500 entries.'],
    ['Do not log request bodies.', 'Do not log request headers.'],
    ["Let's go with Fastify.", "Let's go with pnpm."],
  ])('%s / %s', (a, b) => {
    expect(disagree(a, b)).toBe(false)
  })
})

describe('a conflict', () => {
  it('names the newer one, and what both are about', () => {
    const [a, b] = made(['Use tabs for indentation.', 'Use spaces for indentation.'])
    if (!a || !b) throw new Error('two statements were made')
    expect(contradictions([a, b])).toEqual([{ a, b, subject: 'indent', newer: 'b' }])
    expect(contradictions([{ ...a, at: 9 }, b])).toMatchObject([{ newer: 'a' }])
    expect(
      contradictions([
        { ...a, at: 1 },
        { ...b, at: 1 },
      ]),
    ).toMatchObject([{ newer: 'b' }])
  })
})

describe('statements that say the same', () => {
  it('are one, the newest', () => {
    const statements = made([
      'We decided to use SQLite for the store.',
      'Keep the parser pure.',
      "Let's use SQLite for the store.",
    ])
    expect(distinctStatements(statements).map(({ at }) => at)).toEqual([1, 2])
    expect(distinctStatements(statements.toReversed()).map(({ at }) => at)).toEqual([2, 1])
  })

  it('are two when they disagree, or are of two kinds', () => {
    expect(
      distinctStatements(made(['Use Docker for install checks.', 'Never use Docker for install checks.'])).length,
    ).toBe(2)
    expect(distinctStatements(made(['Cap the backoff at 60 seconds.', 'Cap the backoff at 30 seconds.'])).length).toBe(
      2,
    )
    const [a] = made(['Keep the parser pure.'])
    const [b] = made(['Keep the parser pure.'], 'constraint')
    expect(distinctStatements(a && b ? [a, b] : []).length).toBe(2)
  })

  it('leave nothing that is not represented, and are left as they are the second time', () => {
    const sentences = fc.array(fc.constantFrom(...DECISION_SENTENCES, ...CONSTRAINT_SENTENCES), { maxLength: 60 })
    fc.assert(
      fc.property(sentences, (texts) => {
        const statements = made(texts)
        const distinct = distinctStatements(statements)
        expect(distinct.length).toBeGreaterThanOrEqual(new Set(texts).size === 0 ? 0 : 1)
        for (const text of new Set(texts)) {
          const stems = subjectOf(text)
          if (stems.length > 0)
            expect(distinct.some(({ subject }) => subject.some((stem) => stems.includes(stem)))).toBe(true)
        }
        expect(distinctStatements(distinct)).toEqual(distinct)
      }),
    )
  })

  it('are found among thousands without comparing all pairs', () => {
    const many = made(
      Array.from({ length: 5_000 }, (_, number) => `Keep module m${number} in package p${number % 50}.`),
    )
    expect(distinctStatements(many).length).toBe(5_000)
    expect(contradictions(many)).toEqual([])
  })
})
