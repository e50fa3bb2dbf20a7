/** From ranked texts to the passages that are shown: cut, copies folded, no conversation too often. Pure. */

import { EVENT_TYPES } from '../core/event.ts'
import type { Finding } from './meaning/fuse.ts'
import { areNearCopies, type Fingerprint, fingerprint } from './near-copies.ts'
import { cutPassage } from './passage-cut.ts'
import type { PassageHit, PassageRequest } from './passage-types.ts'
import type { Place } from './rank.ts'
import { rootsOf, termsOf } from './terms.ts'
import { PASSAGE_LENGTH, type Weights } from './weights.ts'

const PER_CONVERSATION = 2

/** What being recent adds at most, unless the request says otherwise, and how soon half of it is gone. */
const RECENCY = 0.08
const HALF_LIFE = 30 * 86_400_000

/** Passages that diversity chooses from, for each one wanted. */
const POOL = 2

/** How much being unlike what is already chosen counts (maximal marginal relevance, Carbonell & Goldstein 1998). */
const UNLIKENESS = 0.2

/** How alike two passages of one conversation are at least. */
const SAME_CONVERSATION = 0.5

const PRECISION = 1e4

interface Shown {
  hit: PassageHit
  roots: ReadonlySet<string>
  print: Fingerprint
}

/** The passages to show, best first, and whether there were more. */
export function choosePassages(
  found: readonly Finding[],
  request: PassageRequest,
  weights: Weights,
): { hits: PassageHit[]; more: boolean } {
  const { limit, order = 'relevance', perConversation = PER_CONVERSATION } = request
  const terms = termsOf(request.query)
  const ranked = found
    .map((finding) => ({ finding, score: finalScore(finding, request, weights) }))
    .sort((a, b) => compare(a.finding, a.score, b.finding, b.score))
  const pool: Shown[] = []
  const counts = new Map<string, number>()
  const enough = order === 'diverse' ? POOL * limit : limit
  let more = false
  for (const { finding, score } of ranked) {
    const key = groupOf(finding)
    const count = counts.get(key) ?? 0
    if (count >= perConversation) continue
    if (pool.length >= enough) {
      more = true
      break
    }
    const shown = show(finding, score, terms)
    const copy = pool.find(({ hit, print }) => hit.kind === shown.hit.kind && areNearCopies(print, shown.print))
    if (copy) {
      copy.hit.duplicates++
      continue
    }
    counts.set(key, count + 1)
    pool.push(shown)
  }
  const chosen = order === 'diverse' ? diverse(pool, limit) : pool
  return { hits: chosen.map(({ hit }) => hit), more: more || chosen.length < pool.length }
}

function finalScore(finding: Finding, { now, recency = RECENCY }: PassageRequest, { toolTraffic }: Weights): number {
  const { score, candidate, of } = finding
  const type = of === 'event' ? EVENT_TYPES[candidate.type] : undefined
  const kind = type === 'tool_call' || type === 'tool_response' ? toolTraffic : 1
  const fresh = 2 ** (-Math.max(0, now - candidate.at) / HALF_LIFE)
  return Math.round(((score * kind * (1 + recency * fresh)) / (1 + recency)) * PRECISION) / PRECISION
}

function compare(a: Finding, scoreOfA: number, b: Finding, scoreOfB: number): number {
  const ofKinds = Number(a.of === 'item') - Number(b.of === 'item')
  return scoreOfB - scoreOfA || b.candidate.at - a.candidate.at || ofKinds || a.candidate.pk - b.candidate.pk
}

function groupOf(finding: Finding): string {
  const { candidate } = finding
  return 'session_pk' in candidate ? `session ${candidate.session_pk}` : `${candidate.kind} ${candidate.item_pk}`
}

function show(finding: Finding, score: number, terms: readonly string[]): Shown {
  const { text } = finding.candidate
  const { start, end } = cutPassage(text, placesOf(finding))
  const passage = { start, end, text: text.slice(start, end) }
  const roots = new Set(rootsOf(passage.text))
  const base = {
    passage,
    matched: terms.filter((term) => roots.has(term)).length,
    terms: terms.length,
    method: finding.method,
    score,
    at: finding.candidate.at,
    bytes: finding.candidate.bytes,
    duplicates: 0,
  }
  return { hit: hitOf(finding, base), roots, print: fingerprint(roots) }
}

/** Where only vectors found something, around there. */
function placesOf({ places, nearest }: Finding): readonly Place[] {
  if (places.length > 0 || nearest === undefined) return places
  return [{ start: nearest, end: nearest + PASSAGE_LENGTH / 2, weight: 1, unit: 0 }]
}

type Base = Omit<PassageHit, 'kind' | 'eventPk' | 'eventId' | 'sessionPk' | 'turnPk' | 'type'>

function hitOf(finding: Finding, base: Base): PassageHit {
  if (finding.of === 'event') {
    const { pk, id, session_pk, turn_pk, type } = finding.candidate
    return {
      ...base,
      kind: 'conversation',
      eventPk: pk,
      eventId: id,
      sessionPk: session_pk,
      turnPk: turn_pk,
      type: EVENT_TYPES[type] ?? 'unknown',
    }
  }
  const { pk, item_pk, kind, heading, line, project_id } = finding.candidate
  return { ...base, kind, passagePk: pk, itemPk: item_pk, heading, line, projectId: project_id }
}

/** Chooses one after the other what is good and unlike what is chosen already. */
function diverse(pool: readonly Shown[], limit: number): Shown[] {
  const best = pool[0]?.hit.score ?? 1
  const left = pool.map((shown) => ({ shown, alike: 0 }))
  const chosen: Shown[] = []
  while (chosen.length < limit && left.length > 0) {
    let next = 0
    const worth = ({ shown, alike }: { shown: Shown; alike: number }): number =>
      (1 - UNLIKENESS) * (shown.hit.score / best) - UNLIKENESS * alike
    left.forEach((one, place) => {
      const current = left[next]
      if (current && worth(one) > worth(current) + 1e-12) next = place
    })
    const [taken] = left.splice(next, 1)
    if (!taken) break
    chosen.push(taken.shown)
    for (const one of left) one.alike = Math.max(one.alike, likeness(one.shown, taken.shown))
  }
  return chosen
}

function likeness(a: Shown, b: Shown): number {
  let shared = 0
  for (const root of a.roots) if (b.roots.has(root)) shared++
  const overlap = shared / Math.max(1, a.roots.size + b.roots.size - shared)
  const together = a.hit.kind === 'conversation' && b.hit.kind === 'conversation' && a.hit.sessionPk === b.hit.sessionPk
  return together ? Math.max(SAME_CONVERSATION, overlap) : overlap
}
