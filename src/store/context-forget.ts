/** Taking out of the context what was derived from what is forgotten. */

import { deleteItems } from './context-items.ts'
import { removeStatementsOf } from './context-statements.ts'
import type { Engine, Queryable } from './engine.ts'
import { type Fragment, isOrBelow } from './visible.ts'

/**
 * A session's statements and labels, and the digests that mention it; the digests of its other sessions are due again.
 */
export async function forgetContextOfSession(
  engine: Engine,
  tx: Queryable,
  owner: number,
  session: { pk: number; project_id: string | null },
): Promise<void> {
  await removeStatementsOf(engine, tx, owner, { session: session.pk })
  await tx.run('DELETE FROM session_label WHERE owner = ? AND session_pk = ?', [owner, session.pk])
  await tx.run('DELETE FROM context_session WHERE owner = ? AND session_pk = ?', [owner, session.pk])
  await tx.run('DELETE FROM label_attempt WHERE owner = ? AND session_pk = ?', [owner, session.pk])
  await tx.run('DELETE FROM vector_session WHERE owner = ? AND session_pk = ?', [owner, session.pk])
  if (session.project_id === null) return
  const digests = await tx.all<{ pk: number; meta: string }>(
    "SELECT pk, meta FROM context_item WHERE owner = ? AND kind = 'digest' AND project_id = ?",
    [owner, session.project_id],
  )
  for (const { pk, meta } of digests) {
    const { sessions } = JSON.parse(meta) as { sessions: number[] }
    if (!sessions.includes(session.pk)) continue
    await deleteItems(engine, tx, owner, [pk])
    await tx.runMany(
      'UPDATE context_session SET stale = 2 WHERE owner = ? AND session_pk = ? AND stale = 0',
      sessions.filter((each) => each !== session.pk).map((each) => [owner, each]),
    )
  }
}

/** Documents, digests and saves of a project, or of a directory and what is below it. */
export async function forgetItemsOf(
  engine: Engine,
  owner: number,
  target: { projectId: string } | { directory: string },
): Promise<void> {
  const which: Fragment =
    'projectId' in target ? { sql: 'project_id = ?', params: [target.projectId] } : isOrBelow('root', target.directory)
  const items = await engine.all<{ pk: number; id: string; kind: string }>(
    `SELECT pk, id, kind FROM context_item WHERE owner = ? AND ${which.sql}`,
    [owner, ...which.params],
  )
  for (const { pk, id, kind } of items) {
    await engine.transaction(async (tx) => {
      await deleteItems(engine, tx, owner, [pk])
      // The job holds the text too.
      if (kind === 'save')
        await tx.run("UPDATE save_job SET request = '{}' WHERE owner = ? AND item_id = ?", [owner, id])
    })
  }
}
