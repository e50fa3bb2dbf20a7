/** A row of rift_search and rift_conversations_search: one conversation, save, document or digest. */

import { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import { type ContextItem, itemContent, loadLabels, type Queryable, type SessionView } from '../../store/index.ts'
import { conversationText } from '../conversations/conversation-text.ts'
import { type Excerpt, fullOf, middleOf, type StoredText, storedText } from '../conversations/stored-text.ts'
import { titleOf } from '../pack/conversations.ts'
import { shortLine } from '../pack/quote.ts'
import { conversationName, type Expand, expandOf, itemName, type RowName, type Tier } from '../rows.ts'

export const DETAILS = ['summary', 'middle', 'full'] as const
export type Detail = (typeof DETAILS)[number]

/** What is shown of every row, found or fetched. */
export interface Row {
  id: string
  source: string
  title: string
  timestamp: string
  tier: Tier
  snippet: string
  summary: string
  content_bytes: number
  content_tokens_estimate: number
  expand: Expand
  content?: string
  content_truncated?: boolean
  /** Where in the whole text the content begins, in characters; given when it does not begin at its start. */
  content_offset?: number
}

/** A stored thing that rows are made of. */
export type RowSource = { kind: 'conversation'; session: SessionView } | { kind: 'item'; item: ContextItem }

/** A source, named and described. */
export interface DescribedRow {
  name: RowName
  title: string
  timestamp: string
  summary: string
  text: StoredText
}

export const SNIPPET_LENGTH = 400
const SUMMARY_LENGTH = 800
const TITLE_LENGTH = 160

/** What a save keeps of itself; see `SaveMeta`. */
const saveMetaSchema = z.looseObject({ summary: z.string().optional() })

export async function describeRow(
  db: Queryable,
  caller: Caller,
  source: RowSource,
  now: number,
): Promise<DescribedRow> {
  if (source.kind === 'item') return describeItem(db, caller, source.item)
  const { session } = source
  const labels = (await loadLabels(db, caller, [session.pk])).get(session.pk)
  return {
    name: conversationName(session, now),
    title: shortLine(session.title ?? labels?.title ?? titleOf(session), TITLE_LENGTH),
    timestamp: new Date(session.updated_at).toISOString(),
    summary: shortLine(labels?.summary ?? session.summary ?? session.first_prompt ?? '', SUMMARY_LENGTH),
    text: await conversationText(db, caller, session.pk),
  }
}

async function describeItem(db: Queryable, caller: Caller, item: ContextItem): Promise<DescribedRow> {
  const content = await itemContent(db, caller, item.pk)
  return {
    name: itemName(item),
    title: shortLine(item.title, TITLE_LENGTH),
    timestamp: new Date(item.at).toISOString(),
    summary: shortLine(summaryOf(item) ?? content, SUMMARY_LENGTH),
    text: storedText(content),
  }
}

function summaryOf({ kind, meta }: ContextItem): string | undefined {
  if (kind !== 'save') return undefined
  return saveMetaSchema.safeParse(JSON.parse(meta)).data?.summary
}

/** A row as it is shown, with as much of its text as is asked for. @param place where to read, in characters */
export async function toRow(
  described: DescribedRow,
  { snippet, detail, place }: { snippet: string; detail: Detail; place?: number | undefined },
): Promise<Row> {
  const { name, title, timestamp, summary, text } = described
  return {
    id: name.id,
    source: name.source,
    title,
    timestamp,
    tier: name.tier,
    snippet,
    summary,
    content_bytes: text.bytes,
    content_tokens_estimate: Math.ceil(text.bytes / 4),
    expand: expandOf(name, 'full', place),
    ...(detail === 'summary' ? {} : contentOf(detail === 'full' ? await fullOf(text) : await middleOf(text, place))),
  }
}

function contentOf({
  text,
  truncated,
  offset,
}: Excerpt): Pick<Row, 'content' | 'content_truncated' | 'content_offset'> {
  return { content: text, content_truncated: truncated, ...(offset > 0 ? { content_offset: offset } : {}) }
}
