/** How the context tools name and open what is stored: ids, tiers, tables, stable keys. */

import { formatId } from '../core/id.ts'
import type { ContextItem, SessionView } from '../store/index.ts'
import { conversationKey } from './evidence/stable-key.ts'
import type { SourceTable } from './evidence/types.ts'
import { sourceNameOf } from './source-names.ts'

export const TIERS = ['hot', 'cold', 'digest', 'document', 'structured_doc'] as const
export type Tier = (typeof TIERS)[number]

/** How an item is opened: `params` go to rift_search or rift_open_evidence as they are. */
export interface Expand {
  route: '/search'
  params: {
    id: string
    tier: Tier
    source_table: SourceTable
    detail: 'middle' | 'full'
    stable_evidence_key?: string
    /** Reading starts near this character. */
    offset?: number
  }
}

/** What names a stored thing. */
export interface RowName {
  id: string
  source: string
  tier: Tier
  source_table: SourceTable
  stable_evidence_key: string
}

/** A conversation is hot until this long after its last turn, in milliseconds: 30 days. */
const HOT_FOR = 30 * 86_400_000

/** Text files whose sections stand under headings. */
const WITH_SECTIONS = /\.(?:md|mdx|markdown|org|rst|adoc)$/i

/** @param now milliseconds since 1970; age decides between hot and cold */
export function conversationName(session: SessionView, now: number): RowName {
  const isCold = session.updated_at < now - HOT_FOR
  return {
    id: formatId('session', session.id),
    source: sourceNameOf(session.harness),
    tier: isCold ? 'cold' : 'hot',
    source_table: isCold ? 'conversations_cold' : 'conversations_hot',
    stable_evidence_key: conversationKey(session.harness, session.native_id),
  }
}

export function itemName(item: ContextItem): RowName {
  return { id: item.id, source: item.source, ...placeOf(item), stable_evidence_key: item.stable_key }
}

function placeOf({ kind, path }: ContextItem): Pick<RowName, 'tier' | 'source_table'> {
  switch (kind) {
    case 'save':
      return { tier: 'hot', source_table: 'conversations_hot' }
    case 'digest':
      return { tier: 'digest', source_table: 'digests' }
    case 'document':
      return { tier: WITH_SECTIONS.test(path ?? '') ? 'structured_doc' : 'document', source_table: 'structured_docs' }
    default:
      return kind satisfies never
  }
}

/** How to open a row; near a place in it, counted in characters. */
export function expandOf(name: RowName, detail: 'middle' | 'full', offset?: number): Expand {
  const { id, tier, source_table, stable_evidence_key } = name
  return {
    route: '/search',
    params: { id, tier, source_table, detail, stable_evidence_key, ...(offset === undefined ? {} : { offset }) },
  }
}
