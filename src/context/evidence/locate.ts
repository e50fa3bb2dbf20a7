/** From the names tools use to the thing they name, as far as the caller may see it. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/id.ts'
import {
  type ContextItem,
  findItem,
  findItemByKey,
  findSession,
  findStatementByKey,
  type ItemKind,
  listItems,
  type NamedSession,
  type Queryable,
  sessionsNamed,
} from '../../store/index.ts'
import { harnessesNamed } from '../source-names.ts'
import { conversationKey } from './stable-key.ts'
import type { EvidenceName, EvidenceTarget, SourceTable } from './types.ts'

const KEY_KINDS = ['conversation', 'document', 'digest', 'statement'] as const

/** True for what could be a stable evidence key: its kind is known and it is ASCII of at most 256 bytes. */
export function isStableKey(text: string): boolean {
  return KEY_KINDS.some((kind) => text.startsWith(`${kind}:`)) && /^[\x21-\x7e]{3,256}$/.test(text)
}

/**
 * The thing that is named by its stable key, by its file's path, or by id and table.
 * @throws UserError `invalid_request` when none of the three is given, `not_found`, `ambiguous`
 */
export async function locateEvidence(db: Queryable, caller: Caller, name: EvidenceName): Promise<EvidenceTarget> {
  const { stable_evidence_key, source_path, id, source_table } = name
  if (stable_evidence_key !== undefined) return byKey(db, caller, stable_evidence_key)
  if (id !== undefined && source_table !== undefined) return byId(db, caller, id, source_table)
  if (source_path !== undefined) return byPath(db, caller, source_path)
  throw unnamed()
}

export function unnamed(): UserError {
  return invalidRequest('nothing names the evidence', 'stable_evidence_key', {
    remedy: 'give stable_evidence_key, or source_path, or id together with source_table',
  })
}

async function byKey(db: Queryable, caller: Caller, key: string): Promise<EvidenceTarget> {
  if (!isStableKey(key)) throw invalidRequest('not a stable evidence key', 'stable_evidence_key')
  const [kind, source = '', ...rest] = key.split(':')
  if (kind === 'statement') {
    const statement = await findStatementByKey(db, caller, key)
    if (statement) return { kind: 'statement', stableKey: key, statementPk: statement.pk }
    throw notFound('stable_evidence_key')
  }
  const item = await findItemByKey(db, caller, key.replace(/#.*$/, ''))
  if (item) return { ...itemTarget(item), stableKey: key }
  if (kind === 'conversation') {
    const nativeId = decode(rest.join(':'))
    return only((await sessionsNamed(db, caller, nativeId, harnessesNamed(source))).map(sessionTarget), {
      field: 'stable_evidence_key',
    })
  }
  throw notFound('stable_evidence_key')
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const TABLE_KINDS = {
  conversations_hot: 'conversation',
  conversations_cold: 'conversation',
  digests: 'digest',
  structured_docs: 'document',
  structured_docs_local: 'document',
} as const satisfies Record<SourceTable, string>

/**
 * The table is checked, not trusted: an id that names things of two kinds is refused. A conversation turns from hot to
 * cold by itself, so that either name finds it.
 */
async function byId(db: Queryable, caller: Caller, id: string, table: SourceTable): Promise<EvidenceTarget> {
  const items = await Promise.all(
    (['save', 'document', 'digest'] as const).map((kind: ItemKind) => findItem(db, caller, kind, id)),
  )
  const sessions = await sessionsOfId(db, caller, id)
  const found: EvidenceTarget[] = [
    ...sessions.map(sessionTarget),
    ...items.filter((item) => item !== undefined).map(itemTarget),
  ]
  const target = only(found, { field: 'id' })
  const kind = target.kind === 'save' ? 'conversation' : target.kind
  if (kind !== TABLE_KINDS[table]) throw notFound('source_table')
  return target
}

/** A session by the id tools show, or by its client's own. */
async function sessionsOfId(db: Queryable, caller: Caller, id: string): Promise<NamedSession[]> {
  if (!id.startsWith(formatId('session', Buffer.alloc(16)).slice(0, 12))) return sessionsNamed(db, caller, id)
  try {
    const session = await findSession(db, caller, parseId(id, 'id').bytes)
    return session ? [session] : []
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

/** A document by its path below its root, or whole; a line may follow, as packs write it. */
async function byPath(db: Queryable, caller: Caller, sourcePath: string): Promise<EvidenceTarget> {
  const path = sourcePath.replaceAll('\\', '/').replace(/:\d+$/, '').replace(/^\.\//, '')
  const name = path.split('/').at(-1) ?? path
  const relative = await listItems(db, caller, { kinds: ['document'], path, removed: true, limit: 10 })
  if (relative.length > 0) return only(relative.map(itemTarget), { field: 'source_path' })
  const absolute = (
    await listItems(db, caller, { kinds: ['document'], fileName: name, removed: true, limit: 500 })
  ).filter((item) => `${item.root}/${item.path}` === path)
  return only(absolute.map(itemTarget), { field: 'source_path' })
}

function itemTarget(item: ContextItem): Extract<EvidenceTarget, { itemPk: number }> {
  return { kind: item.kind, stableKey: item.stable_key, itemPk: item.pk, id: item.id, at: item.at }
}

function sessionTarget({ pk, id, harness, native_id, updated_at }: NamedSession): EvidenceTarget {
  return {
    kind: 'conversation',
    stableKey: conversationKey(harness, native_id),
    sessionPk: pk,
    sessionId: id,
    updatedAt: updated_at,
  }
}

function only(found: readonly EvidenceTarget[], { field }: { field: string }): EvidenceTarget {
  const [target, other] = found
  if (!target) throw notFound(field)
  if (!other) return target
  throw new UserError('ambiguous', `${field} names ${found.length} things`, {
    field,
    remedy: 'use the stable_evidence_key of the result instead',
    matches: found.map(({ stableKey }) => stableKey),
  })
}

function notFound(field: string): UserError {
  return new UserError('not_found', `${field} names nothing in the archive`, {
    field,
    remedy: 'copy it unchanged from a result of rift_search or rift_context_pack',
  })
}
