/** Passages of the context: the rows the lane `context` of the text index is made of. */

import type { Caller } from '../core/caller.ts'
import { takeNumbers } from './context-progress.ts'
import { visibleContext } from './context-scope.ts'
import type { ContextKind, Engine, IndexDocument, Queryable } from './engine.ts'
import { facet } from './search-index.ts'
import { removeVectors } from './vectors.ts'
import { allOf } from './visible.ts'

export interface ContextPassage {
  pk: number
  /** `context_item.pk`; of a statement `statement.pk`. */
  item_pk: number
  kind: ContextKind
  ordinal: number
  heading: string
  /** Of the section, unique in its document; empty without one. */
  slug: string
  /** Offset in the item's content (of a statement: in its event's text or its item's content), in UTF-16 units. */
  start: number
  line: number | null
  text: string
  at: number
  project_id: string | null
  root: string | null
}

export type PassageToWrite = Omit<ContextPassage, 'pk'>

const COLUMNS = 'pk, item_pk, kind, ordinal, heading, slug, start, line, text, at, project_id, root'

/** Writes and indexes passages. */
export async function writePassages(
  engine: Engine,
  tx: Queryable,
  owner: number,
  passages: readonly PassageToWrite[],
): Promise<void> {
  if (passages.length === 0) return
  const first = await takeNumbers(tx, 'context_passage', passages.length)
  const rows: ContextPassage[] = passages.map((passage, index) => ({ ...passage, pk: first + index }))
  await tx.runMany(
    `INSERT INTO context_passage (owner, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    rows.map(({ pk, item_pk, kind, ordinal, heading, slug, start, line, text, at, project_id, root }) => [
      owner,
      pk,
      item_pk,
      kind,
      ordinal,
      heading,
      slug,
      start,
      line,
      text,
      at,
      project_id,
      root,
    ]),
  )
  await engine.textIndex.add(
    tx,
    rows.map((row) => passageDocument(owner, row)),
  )
}

/** Takes all passages of some items of a kind out of the table and the index. */
export async function removePassages(
  engine: Engine,
  tx: Queryable,
  owner: number,
  kind: ContextKind,
  itemPks: readonly number[],
): Promise<void> {
  for (const itemPk of itemPks) {
    const rows = await tx.all<ContextPassage>(
      `SELECT ${COLUMNS} FROM context_passage WHERE owner = ? AND kind = ? AND item_pk = ? ORDER BY ordinal`,
      [owner, kind, itemPk],
    )
    await engine.textIndex.remove(
      tx,
      rows.map((row) => passageDocument(owner, row)),
    )
    await tx.run('DELETE FROM context_passage WHERE owner = ? AND kind = ? AND item_pk = ?', [owner, kind, itemPk])
    await removeVectors(
      tx,
      owner,
      'passage',
      rows.map(({ pk }) => pk),
    )
  }
}

/** What the text index is given of a passage; taking it out needs the same again, so all of it lies in the row. */
export function passageDocument(owner: number, passage: ContextPassage): IndexDocument {
  const { pk, kind, heading, text, project_id } = passage
  return {
    lane: 'context',
    pk,
    owner,
    text: heading === '' ? text : `${heading}\n${text}`,
    facets: passageFacets(owner, kind, project_id),
  }
}

/** The filters of a passage as terms. What belongs to no project has no project's term. */
export function passageFacets(owner: number, kind: ContextKind, projectId: string | null): string[] {
  const facets = [facet(owner, 'kind', kind)]
  if (projectId !== null) facets.push(facet(owner, 'project', projectId))
  return facets
}

/** Passages by number, whole; those that are gone are left out. */
export async function loadPassages(
  db: Queryable,
  caller: Caller,
  pks: readonly number[],
): Promise<ReadonlyMap<number, ContextPassage>> {
  if (pks.length === 0) return new Map()
  const { sql, params } = allOf(visibleContext(caller, 'context_passage'), {
    sql: `pk IN (${pks.map(() => '?').join(', ')})`,
    params: [...pks],
  })
  const rows = await db.all<ContextPassage>(
    `SELECT ${COLUMNS} FROM context_passage WHERE ${sql}`,
    params,
    caller.signal,
  )
  return new Map(rows.map((row) => [row.pk, row]))
}

/** All passages of an item, in order. */
export async function passagesOf(
  db: Queryable,
  caller: Caller,
  kind: ContextKind,
  itemPk: number,
): Promise<ContextPassage[]> {
  const { sql, params } = allOf(visibleContext(caller, 'context_passage'), {
    sql: 'kind = ? AND item_pk = ?',
    params: [kind, itemPk],
  })
  return db.all<ContextPassage>(
    `SELECT ${COLUMNS} FROM context_passage WHERE ${sql} ORDER BY ordinal`,
    params,
    caller.signal,
  )
}
