/** Fetching one row by its id. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import { findItemByPk, findSessionByPk, type Queryable } from '../../store/index.ts'
import type { EvidenceName, EvidenceTarget, SourceTable } from '../evidence/types.ts'
import { SOURCE_TABLES } from '../evidence/types.ts'
import { shortLine } from '../pack/quote.ts'
import type { Tier } from '../rows.ts'
import { type Detail, describeRow, type Row, type RowSource, SNIPPET_LENGTH, toRow } from './row.ts'

/** Finds what a name stands for; see `ContextServices`. */
export type Locate = (caller: Caller, name: EvidenceName) => Promise<EvidenceTarget>

export interface RowRequest {
  id: string
  tier?: Tier
  source_table?: SourceTable
  detail: Detail
  /** Where to read, in characters. */
  offset?: number
}

const TABLES: Readonly<Record<Tier, readonly SourceTable[]>> = {
  hot: ['conversations_hot'],
  cold: ['conversations_cold'],
  digest: ['digests'],
  document: ['structured_docs'],
  structured_doc: ['structured_docs'],
}

/**
 * The row of an id. Without a table or tier every table is looked through.
 * @throws UserError `not_found`, `ambiguous`
 */
export async function openRow(
  db: Queryable,
  locate: Locate,
  caller: Caller,
  request: RowRequest,
  now: number,
): Promise<Row> {
  const target = await findTarget(locate, caller, request)
  return openTarget(db, caller, target, request, now)
}

/** The row of a thing that was located. @throws UserError `not_found` when it has gone meanwhile */
export async function openTarget(
  db: Queryable,
  caller: Caller,
  target: EvidenceTarget,
  { id, detail, offset }: Pick<RowRequest, 'id' | 'detail' | 'offset'>,
  now: number,
): Promise<Row> {
  const source = await sourceOf(db, caller, target)
  if (!source) throw notFound(id)
  const described = await describeRow(db, caller, source, now)
  const beginning = await described.text.read(0, 2 * SNIPPET_LENGTH)
  return toRow(described, { snippet: shortLine(beginning, SNIPPET_LENGTH), detail, place: offset })
}

async function findTarget(
  locate: Locate,
  caller: Caller,
  { id, tier, source_table }: RowRequest,
): Promise<EvidenceTarget> {
  if (source_table !== undefined) return locate(caller, { id, source_table })
  const tables = tier === undefined ? SOURCE_TABLES : TABLES[tier]
  const found = new Map<string, EvidenceTarget>()
  for (const table of tables) {
    try {
      const target = await locate(caller, { id, source_table: table })
      found.set(target.stableKey, target)
    } catch (error) {
      if (!(error instanceof UserError) || error.code === 'ambiguous') throw error
    }
  }
  const [only, other] = found.values()
  if (!only) throw notFound(id)
  if (other) {
    throw new UserError('ambiguous', 'the id names rows in several tables', {
      field: 'source_table',
      remedy: 'give the source_table of expand.params',
    })
  }
  return only
}

async function sourceOf(db: Queryable, caller: Caller, target: EvidenceTarget): Promise<RowSource | undefined> {
  switch (target.kind) {
    case 'conversation': {
      const session = await findSessionByPk(db, caller, target.sessionPk)
      return session && { kind: 'conversation', session }
    }
    case 'save':
    case 'document':
    case 'digest': {
      const item = await findItemByPk(db, caller, target.itemPk)
      return item && { kind: 'item', item }
    }
    case 'statement':
      return undefined
    default:
      return target satisfies never
  }
}

function notFound(id: string): UserError {
  return new UserError('not_found', `there is no row ${JSON.stringify(id.slice(0, 100))}`, {
    field: 'id',
    remedy: 'paste id, tier and source_table from the expand.params of a result; search again if it was forgotten',
  })
}
