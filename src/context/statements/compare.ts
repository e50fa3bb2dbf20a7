/** Finds statements that say the same and statements that disagree. Pure. */

import { type Frame, frameOf } from './frame.ts'
import type { ComparedStatement, Contradiction } from './statement.ts'

/** Stems two statements share, by all their stems: from here on they say the same. */
const SAME = 0.8

/** Stems two statements share, by those of the shorter: from here on they are about the same thing. */
const SAME_SUBJECT = 0.6

/** A stem of more statements says little about any of them, and would make all pairs of them candidates. */
const MAX_SHARING = 100

/** Without those that a later one says again; of equally late ones the last stays. The order is kept. */
export function distinctStatements<S extends ComparedStatement>(statements: readonly S[]): S[] {
  const newestFirst = statements
    .map((_, place) => place)
    .sort((a, b) => timeAt(statements, b) - timeAt(statements, a) || b - a)
  const kept = new Set<number>()
  const byStem = new Map<string, number[]>()
  const rarest = rarestStems(statements)
  for (const place of newestFirst) {
    const own = statements[place]
    if (!own) continue
    const telling = rarest(own.subject)
    const rivals = new Set(telling.flatMap((stem) => byStem.get(stem) ?? []))
    if ([...rivals].some((rival) => repeats(statements[rival], own))) continue
    kept.add(place)
    for (const stem of telling) addTo(byStem, stem, place)
  }
  return statements.filter((_, place) => kept.has(place))
}

/**
 * The stems of a statement of which any other that says the same must have one: so many of its rarest that what is left
 * is too little for `SAME`.
 */
function rarestStems(statements: readonly ComparedStatement[]): (subject: readonly string[]) => string[] {
  const counts = new Map<string, number>()
  for (const { subject } of statements) for (const stem of subject) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const count = (stem: string) => counts.get(stem) ?? 0
  return (subject) => {
    const sorted = subject.toSorted((a, b) => count(a) - count(b) || (a < b ? -1 : 1))
    return sorted.slice(0, subject.length - Math.ceil(SAME * subject.length) + 1)
  }
}

function timeAt(statements: readonly ComparedStatement[], place: number): number {
  return statements[place]?.at ?? 0
}

/** Same kind and nearly the same stems, the same numbers, and both for or both against. */
function repeats(a: ComparedStatement | undefined, b: ComparedStatement): boolean {
  if (!a || a.kind !== b.kind || jaccard(a.subject, b.subject) < SAME) return false
  const [one, other] = [frameOf(a.text), frameOf(b.text)]
  return one.negative === other.negative && !disagree(one, other)
}

/**
 * All pairs of one subject that disagree: one turns down what the other chooses, one is for and one against, or they put
 * another value in the same place. The later of a pair supersedes the other.
 */
export function contradictions<S extends ComparedStatement>(statements: readonly S[]): Contradiction<S>[] {
  const frames = statements.map(({ text }) => frameOf(text))
  const found: Contradiction<S>[] = []
  for (const [first, second] of candidatePairs(statements)) {
    const [a, b] = [statements[first], statements[second]]
    const [one, other] = [frames[first], frames[second]]
    if (!a || !b || !one || !other || !disagree(one, other)) continue
    found.push({ a, b, subject: sharedWords(a, b), newer: a.at > b.at ? 'a' : 'b' })
  }
  return found
}

/** Pairs that share a stem that is not everywhere, each once, in order. */
function* candidatePairs(statements: readonly ComparedStatement[]): Generator<[number, number]> {
  const byStem = new Map<string, number[]>()
  for (const [place, { subject }] of statements.entries()) for (const stem of subject) addTo(byStem, stem, place)
  for (const [place, { subject }] of statements.entries()) {
    const others = new Set<number>()
    for (const stem of subject) {
      const sharing = byStem.get(stem) ?? []
      if (sharing.length > MAX_SHARING) continue
      for (const other of sharing) if (other > place) others.add(other)
    }
    for (const other of [...others].sort((a, b) => a - b)) yield [place, other]
  }
}

function addTo(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function disagree(a: Frame, b: Frame): boolean {
  // Both turn down the same: they can only differ in what they choose.
  if (shared(a.refused, b.refused) > 0) return replaces(a, b)
  return refuses(a, b) || refuses(b, a) || replaces(a, b) || negates(a, b) || changesNumber(a, b)
}

/** One turns down what the other chooses, and they speak of the same use of it as far as they name one. */
function refuses(a: Frame, b: Frame): boolean {
  if (a.refused.length === 0 || b.chosen.length === 0 || overlap(a.refused, b.chosen) < SAME_SUBJECT) return false
  return isSameUse(a, b)
}

/** Another choice for the same use. */
function replaces(a: Frame, b: Frame): boolean {
  if (a.chosen.length === 0 || b.chosen.length === 0 || overlap(a.chosen, b.chosen) > 0) return false
  if (a.negative !== b.negative) return false
  return Math.min(a.about.length, b.about.length) > 0 && overlap(a.about, b.about) >= SAME_SUBJECT
}

/** One is for and one against the same thing, in nearly the same words. */
function negates(a: Frame, b: Frame): boolean {
  if (a.negative === b.negative) return false
  const [one, other] = [allStems(a), allStems(b)]
  return Math.min(one.length, other.length) >= 2 && jaccard(one, other) >= SAME_SUBJECT
}

/** The same but for the number. */
function changesNumber(a: Frame, b: Frame): boolean {
  if (a.numbers.length === 0 || b.numbers.length === 0) return false
  if (a.numbers.some((number) => b.numbers.includes(number))) return false
  const [one, other] = [allStems(a), allStems(b)]
  return Math.min(one.length, other.length) >= 2 && overlap(one, other) >= SAME_SUBJECT && jaccard(one, other) >= 0.4
}

function isSameUse(a: Frame, b: Frame): boolean {
  if (a.about.length === 0 || b.about.length === 0) return true
  return overlap(a.about, b.about) > 0 || overlap(a.refused, b.chosen) === 1
}

function allStems({ chosen, refused, about }: Frame): string[] {
  return [...new Set([...chosen, ...refused, ...about])].filter((stem) => !/^\d/.test(stem))
}

function shared(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b)
  return a.filter((stem) => other.has(stem)).length
}

function jaccard(a: readonly string[], b: readonly string[]): number {
  const common = shared(a, b)
  const all = a.length + b.length - common
  return all === 0 ? 0 : common / all
}

/** Shared stems by those of the shorter list. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const smaller = Math.min(a.length, b.length)
  return smaller === 0 ? 0 : shared(a, b) / smaller
}

/** What both are about, in the stems they share. */
function sharedWords(a: ComparedStatement, b: ComparedStatement): string {
  const other = new Set(b.subject)
  const common = a.subject.filter((stem) => other.has(stem))
  return (common.length > 0 ? common : a.subject).slice(0, 8).join(' ')
}
