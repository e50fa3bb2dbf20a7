/** Which conversations pass the filters of rift_conversations_search. */

import { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import { loadLabels, type Queryable } from '../../store/index.ts'
import { conversationName, itemName } from '../rows.ts'
import type { RowSource } from './row.ts'

/** All of them must hold. */
export interface ConversationFilter {
  /** Name of a client, as `sourceNameOf` gives it. */
  source?: string
  domain?: string
  intent?: string
  quality?: string
  /** In full, whatever its case. */
  topic?: string
  decision?: string
  /** With conversations older than 30 days. */
  withCold: boolean
}

export interface FilteredConversations {
  accepts(source: RowSource): Promise<boolean>
  /** How many passed all filters and were left out for their age. */
  leftOut(): number
}

interface Labels {
  domain?: string | undefined
  intent?: string
  quality?: string
  topics: readonly string[]
  decisions: readonly string[]
}

/** Labels that a save was given by who wrote it; it has neither an intent nor a quality. */
const saveLabels = z.looseObject({
  domain: z.string().optional(),
  topics: z.array(z.string()).default([]),
  decisions: z.array(z.string()).default([]),
})

/** A conversation that has no labels yet passes no filter on them. */
export function filterConversations(
  db: Queryable,
  caller: Caller,
  filter: ConversationFilter,
  now: number,
): FilteredConversations {
  const { source: wanted, withCold, domain, intent, quality, topic, decision } = filter
  const isByLabels = [domain, intent, quality, topic, decision].some((value) => value !== undefined)
  const known = new Map<string, boolean>()
  const cold = new Set<string>()
  const judge = async (source: RowSource, id: string, name: { source: string; tier: string }): Promise<boolean> => {
    if (wanted !== undefined && name.source !== wanted) return false
    if (isByLabels && !passes(filter, await labelsOf(db, caller, source))) return false
    if (withCold || name.tier !== 'cold') return true
    cold.add(id)
    return false
  }
  return {
    leftOut: () => cold.size,
    async accepts(source) {
      const name = source.kind === 'conversation' ? conversationName(source.session, now) : itemName(source.item)
      const found = known.get(name.id) ?? (await judge(source, name.id, name))
      known.set(name.id, found)
      return found
    },
  }
}

async function labelsOf(db: Queryable, caller: Caller, source: RowSource): Promise<Labels | undefined> {
  if (source.kind === 'conversation') {
    const { pk } = source.session
    return (await loadLabels(db, caller, [pk])).get(pk)
  }
  return source.item.kind === 'save' ? saveLabels.safeParse(JSON.parse(source.item.meta)).data : undefined
}

function passes({ domain, intent, quality, topic, decision }: ConversationFilter, labels: Labels | undefined): boolean {
  if (!labels) return false
  const is = (value: string | undefined, own: string | undefined): boolean => value === undefined || value === own
  const has = (value: string | undefined, own: readonly string[]): boolean =>
    value === undefined || own.some((each) => fold(each) === fold(value))
  return (
    is(domain, labels.domain) &&
    is(intent, labels.intent) &&
    is(quality, labels.quality) &&
    has(topic, labels.topics) &&
    has(decision, labels.decisions)
  )
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
