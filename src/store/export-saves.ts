/** Reading saves out: unlike all else of the context they are nowhere but here. */

import type { Caller } from '../core/caller.ts'
import { formatTime } from '../core/time.ts'
import { visibleContext } from './context-scope.ts'
import type { Queryable } from './engine.ts'
import type { ExportFilter, ExportRow } from './export.ts'
import { allOf, isOrBelow } from './visible.ts'

const SAVES_READ = 50

interface SaveRow {
  pk: number
  id: string
  source: string
  role: string
  project_id: string | null
  root: string | null
  title: string
  content: string
  meta: string
  at: number
}

/** Saves by their first capture. A filter that saves know nothing of, such as a harness, lets none pass. */
export async function* exportSaves(
  db: Queryable,
  caller: Caller,
  filter: ExportFilter,
): AsyncGenerator<ExportRow, void, undefined> {
  const { session, harness, source, projectId, directory, since, sensitive } = filter
  if (session !== undefined || harness !== undefined || source !== undefined) return
  let after = 0
  for (;;) {
    const { sql, params } = allOf(
      visibleContext(caller, 'context_item'),
      { sql: "kind = 'save' AND pk > ?", params: [after] },
      projectId === undefined ? undefined : { sql: 'project_id = ?', params: [projectId] },
      directory === undefined ? undefined : isOrBelow('root', directory),
      since === undefined ? undefined : { sql: 'at >= ?', params: [since] },
    )
    const rows = await db.all<SaveRow>(
      `SELECT pk, id, source, role, project_id, root, title, content, meta, at FROM context_item WHERE ${sql}
        ORDER BY pk LIMIT ?`,
      [...params, SAVES_READ],
      caller.signal,
    )
    for (const row of rows) {
      yield saveRow(row, sensitive)
      after = row.pk
    }
    if (rows.length < SAVES_READ) return
  }
}

function saveRow(
  { id, source, role, project_id, root, title, content, meta, at }: SaveRow,
  sensitive: boolean,
): ExportRow {
  return {
    kind: 'save',
    id,
    source,
    role,
    timestamp: formatTime(at),
    bytes: Buffer.byteLength(content),
    ...(sensitive && { title, project_id, root, text: content, details: JSON.parse(meta) as unknown }),
  }
}
