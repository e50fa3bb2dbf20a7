/** In which order what was found is put into a pack, and in which forms. Pure. */

import { conversationForms, type FoundConversation, passageForms, type Quoted } from './conversations.ts'
import type { FoundDocuments } from './documents.ts'
import type { Draft, Offer } from './fit.ts'
import { CONVERSATION_BUCKETS, type ConversationBucket, type Pack, type PackConversation } from './pack.ts'
import type { FoundStatements } from './statements.ts'

/** All that was found for a pack. */
export interface Found extends FoundStatements, FoundDocuments {
  conversations: readonly FoundConversation[]
}

/** Lists that a pack always or sometimes holds. */
type ListField = {
  [K in keyof Pack]-?: NonNullable<Pack[K]> extends unknown[] ? K : never
}[keyof Pack]

/** Passages offered after each round of the buckets, so that evidence is not crowded out by one kind. */
const PASSAGES_PER_ROUND = 4

/**
 * Offers by priority: the best of each bucket and the best passages in turns, then what helps to judge them, then all
 * other passages, then what is for reference only.
 */
export function offersOf(found: Found, terms: readonly string[], maxPerBucket: number): Offer[] {
  const { decisions, constraints, rules, facts, conflicts, live, discounted, others } = found
  const passages = passageOffers(found.conversations, terms, maxPerBucket)
  const lists = [
    decisions.map((item) => append('decisions', item)),
    constraints.map((item) => append('constraints', item)),
    passages.examples,
    rules.map((item) => append('rules', item)),
    facts.map((item) => append('current_truth', item)),
  ]
  const judging = [
    ...(live.length > 0 ? [[(draft: Draft) => ({ ...draft, recommended_live_files: live })]] : []),
    ...conflicts.slice(0, maxPerBucket).map((item) => append('conflicts', item)),
  ]
  const offers: Offer[] = []
  const further = [...passages.further]
  for (let round = 0; round < maxPerBucket; round++) {
    offers.push(...lists.flatMap((list) => list.slice(round, round + 1)))
    if (round === 0) offers.push(...judging)
    offers.push(...further.splice(0, PASSAGES_PER_ROUND))
  }
  return [
    ...offers,
    ...further,
    ...discounted.map((item) => append('discounted', item)),
    ...others.map((item) => append('other_projects', item)),
  ].map(withCaveat)
}

function append<K extends ListField>(field: K, item: NonNullable<Pack[K]>[number]): Offer {
  return [(draft) => ({ ...draft, [field]: [...(draft[field] ?? []), item] })]
}

interface PassageOffers {
  /** The first passage of each example. */
  examples: Offer[]
  /** All other passages, of examples and of older conversations, the best first. */
  further: Offer[]
}

/** The best conversations are examples, the next past reasoning, those after them older memory. */
function passageOffers(
  conversations: readonly FoundConversation[],
  terms: readonly string[],
  maxPerBucket: number,
): PassageOffers {
  const placed = CONVERSATION_BUCKETS.flatMap((bucket, place) =>
    conversations.slice(place * maxPerBucket, (place + 1) * maxPerBucket).map((found) => ({ bucket, found })),
  )
  const examples = placed.flatMap(({ bucket, found }) => {
    const [first] = found.quotes
    return bucket === 'examples' && first ? [openConversation(bucket, found, first, terms)] : []
  })
  const further = placed
    .flatMap(({ bucket, found }) =>
      found.quotes.slice(bucket === 'examples' ? 1 : 0).map((quoted, place) => ({
        score: quoted.score,
        offer:
          bucket !== 'examples' && place === 0
            ? openConversation(bucket, found, quoted, terms).slice(1)
            : addPassage(bucket, found, quoted, terms),
      })),
    )
    .sort((a, b) => b.score - a.score)
  return { examples, further: further.map(({ offer }) => offer) }
}

function openConversation(
  bucket: ConversationBucket,
  found: FoundConversation,
  first: Quoted,
  terms: readonly string[],
): Offer {
  return conversationForms(found, first.passage, terms).map((row) => (draft: Draft) => ({
    ...draft,
    [bucket]: [...(draft[bucket] ?? []), row],
  }))
}

/** Adds a passage to a conversation that is in the pack. */
function addPassage(
  bucket: ConversationBucket,
  found: FoundConversation,
  quoted: Quoted,
  terms: readonly string[],
): Offer {
  return passageForms(quoted.passage, terms).map((passage) => (draft: Draft) => {
    const rows: readonly PackConversation[] = draft[bucket] ?? []
    if (!rows.some(({ id }) => id === found.name.id)) return undefined
    const grown = rows.map((row) => {
      if (row.id !== found.name.id) return row
      const { expand, more = [], ...rest } = row
      return { ...rest, more: [...more, passage], expand }
    })
    return { ...draft, [bucket]: grown }
  })
}

/** Keeps the caveat true for what the draft holds. */
function withCaveat(offer: Offer): Offer {
  return offer.map((form) => (draft: Draft) => {
    const next = form(draft)
    if (next === undefined) return undefined
    const { current_truth_caveat: _, ...rest } = next
    return { ...rest, ...caveatOf(rest) }
  })
}

/** Nothing but a live file settles what is true now. */
function caveatOf(draft: Draft): { current_truth_caveat?: string } {
  const { current_truth: facts = [], decisions, constraints, examples, past_reasoning = [], older_memory = [] } = draft
  const trusts = new Set(facts.map(({ trust }) => trust))
  const statements = [...decisions, ...constraints]
  if (trusts.has('live_state')) return {}
  if (trusts.has('tracker') || statements.some(({ source }) => source === 'tracker')) {
    return { current_truth_caveat: 'tracker-backed, not live-verified' }
  }
  if (facts.length > 0 || statements.some(({ source_path }) => source_path !== undefined)) {
    return { current_truth_caveat: 'document-backed, not live-verified' }
  }
  const isSaid = [statements, examples, past_reasoning, older_memory].some((list) => list.length > 0)
  return isSaid ? { current_truth_caveat: 'conversation-backed, not live-verified' } : {}
}
