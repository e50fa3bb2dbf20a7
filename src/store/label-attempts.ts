/** Labels that a model may improve: those of the rules that it was not asked about since they were made. */

import { SESSION_COLUMNS, SESSION_JOINS, type StaleSession } from './context-derivation.ts'
import type { Queryable } from './engine.ts'

/** Sessions with labels of the rules that are settled and were not tried yet, the newest first. */
export function improvableSessions(db: Queryable, owner: number, limit: number): Promise<StaleSession[]> {
  return db.all<StaleSession>(
    `SELECT ${SESSION_COLUMNS} ${SESSION_JOINS}
      JOIN session_label ON session_label.owner = session.owner AND session_label.session_pk = session.pk
      LEFT JOIN label_attempt ON label_attempt.owner = session.owner AND label_attempt.session_pk = session.pk
        AND label_attempt.seen_event_pk = session_label.seen_event_pk
        AND label_attempt.generation = session_label.generation
      WHERE context_session.owner = ? AND context_session.stale <> 1 AND session_label.label_source = 'rules'
        AND session_label.seen_event_pk = context_session.last_event_pk AND label_attempt.session_pk IS NULL
      ORDER BY session.pk DESC LIMIT ?`,
    [owner, limit],
  )
}

/** The model was asked about a session as it is now, and its labels stay those of the rules. */
export async function noteLabelAttempt(tx: Queryable, owner: number, session: StaleSession): Promise<void> {
  await tx.run(
    `INSERT INTO label_attempt (owner, session_pk, seen_event_pk, generation) VALUES (?, ?, ?, ?)
      ON CONFLICT (owner, session_pk) DO UPDATE SET seen_event_pk = excluded.seen_event_pk,
        generation = excluded.generation`,
    [owner, session.pk, session.last_event_pk, session.generation],
  )
}

/** Whether a session has had no new prose since it was read, and its labels are still those of the rules. */
export async function isStillImprovable(tx: Queryable, owner: number, session: StaleSession): Promise<boolean> {
  const row = await tx.get<{ found: number }>(
    `SELECT 1 AS found FROM context_session
      JOIN session_label ON session_label.owner = context_session.owner
        AND session_label.session_pk = context_session.session_pk
      WHERE context_session.owner = ? AND context_session.session_pk = ? AND context_session.stale <> 1
        AND context_session.last_event_pk = ? AND session_label.label_source = 'rules'`,
    [owner, session.pk, session.last_event_pk],
  )
  return row !== undefined
}

/** The digest of the session's week is due, since its decisions and title may be others. */
export async function noteImproved(tx: Queryable, owner: number, session: StaleSession): Promise<void> {
  if (session.project_id === null) return
  await tx.run('UPDATE context_session SET stale = 2 WHERE owner = ? AND session_pk = ? AND stale = 0', [
    owner,
    session.pk,
  ])
}
