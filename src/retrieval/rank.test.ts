import { describe, expect, it } from 'vitest'
import { hash128 } from '../core/hash.ts'
import type { Candidate } from '../store/index.ts'
import { parseQuery } from './query.ts'
import { bestWindow, compareHits, foldDuplicates, inverseFrequency, type RankedHit, rank } from './rank.ts'

let made = 0

function candidate(text: string, more: Partial<Candidate> = {}): Candidate {
  const pk = ++made
  return {
    pk,
    id: hash128('id', pk),
    type: 0,
    at: 1_000 * pk,
    session_pk: 1,
    turn_pk: 1,
    digest: hash128(text),
    text,
    bytes: Buffer.byteLength(text),
    ...more,
  }
}

function ranked(text: string, query: string, more: Partial<Candidate> = {}): RankedHit | undefined {
  const parsed = parseQuery(query)
  const units = [...parsed.required, ...parsed.optional].map((unit) => ({ unit, weight: 1 }))
  return rank(candidate(text, more), parsed, units)
}

const score = (text: string, query: string) => ranked(text, query)?.score ?? 0

describe('a score', () => {
  it('lies between 0 and 1 and says how well the query is met', () => {
    const scores = [
      score('schema migration failure', 'schema migration failure'),
      score(`schema ${'word '.repeat(20)} migration ${'word '.repeat(20)} failure`, 'schema migration failure'),
      score('schema migration', 'schema migration failure'),
      score('schema', 'schema migration failure'),
    ]
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(new Set(scores).size).toBe(4)
    expect(scores[0]).toBeGreaterThan(0.7)
    expect(scores[0]).toBeLessThanOrEqual(1)
    expect(scores[3]).toBeLessThan(0.4)
  })

  it('grows with repetition and shrinks with length', () => {
    expect(score('retry, retry and retry once more', 'retry')).toBeGreaterThan(
      score('retry, again and then once more', 'retry'),
    )
    expect(score('retry soon', 'retry')).toBeGreaterThan(score(`retry soon ${'word '.repeat(200)}`, 'retry'))
  })

  it('puts the identifier itself first', () => {
    expect(score('the tool file_attention', 'file_attention')).toBeGreaterThan(
      score('file attention, file attention', 'file_attention'),
    )
  })

  it('is none without a required phrase, with an excluded word, or with nothing of the query', () => {
    expect(ranked('fails soon after', '"fails after"')).toBeUndefined()
    expect(ranked('a draft of the schema', 'schema -draft')).toBeUndefined()
    expect(ranked('something else', 'schema')).toBeUndefined()
    expect(ranked('the drafting of a schema', 'schema -draft')).toBeDefined()
  })

  it('trusts the index for the part of a long text that was not read', () => {
    expect(ranked('the beginning', 'schema', { bytes: 100_000 })?.score).toBeGreaterThan(0)
  })

  it('weighs a word by how few documents hold it, and never by less than nothing', () => {
    expect(inverseFrequency(1_000, 1)).toBeGreaterThan(inverseFrequency(1_000, 100))
    for (const frequency of [0, 1, 999, 1_000, 2_000]) expect(inverseFrequency(1_000, frequency)).toBeGreaterThan(0)
  })
})

describe('the order of hits', () => {
  const hit = (score: number, at: number, id: string): RankedHit => ({
    candidate: candidate('x', { at, id: Buffer.from(id, 'hex') }),
    score,
    places: [],
    units: [],
    evidence: [],
    asks: false,
    fits: false,
  })

  it('is by score, then the later, then the smaller id', () => {
    const sorted = [hit(0.5, 1, '02'), hit(0.5, 1, '01'), hit(0.5, 2, '03'), hit(0.9, 0, '04')].sort(compareHits)
    expect(sorted.map(({ candidate: { id } }) => id.toString('hex'))).toEqual(['04', '03', '01', '02'])
  })

  it('C36, C37, C39: folds what is the same: at the same time in any session, within 10 ms in one', () => {
    const at = (time: number, session: number, text = 'same'): RankedHit => ({
      candidate: candidate(text, { at: time, session_pk: session }),
      score: 0.5,
      places: [],
      units: [],
      evidence: [],
      asks: false,
      fits: false,
    })
    const kept = (hits: RankedHit[]) =>
      foldDuplicates(hits).map(({ candidate: { pk } }) => hits.findIndex((hit) => hit.candidate.pk === pk))
    expect(kept([at(5, 1), at(5, 2)])).toEqual([0])
    expect(kept([at(5, 1), at(15, 1)])).toEqual([0])
    expect(kept([at(5, 1), at(16, 1)])).toEqual([0, 1])
    expect(kept([at(5, 1), at(6, 2)])).toEqual([0, 1])
    expect(kept([at(5, 1), at(5, 1, 'other')])).toEqual([0, 1])
    const [first, second] = [at(5, 1), at(5, 2)]
    expect(foldDuplicates([second, first])).toEqual([first])
  })
})

describe('the best window', () => {
  const place = (start: number, unit: number, weight = 1) => ({ start, end: start + 5, unit, weight })

  it('holds the most weight of different words', () => {
    const places = [place(0, 0), place(10, 0), place(500, 0), place(520, 1), place(900, 1)]
    expect(bestWindow(places, 100)).toEqual({ from: 500, to: 525, weight: 2 })
  })

  it('is the first of equals, and none without places', () => {
    expect(bestWindow([place(7, 0), place(300, 0)], 100)).toMatchObject({ from: 7 })
    expect(bestWindow([], 100)).toBeUndefined()
  })
})
