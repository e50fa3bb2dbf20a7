/** Forks whose copied history is their own, since the session they were forked from is nowhere else. */

import type { Migration } from './migration.ts'

export const adoptedForks: Migration = {
  name: '0007-adopted-forks',
  statements: ({ long }) => [
    // Number of the last turn there was when the session was adopted: its events are to stand in later ones. Null for others.
    `ALTER TABLE session ADD COLUMN adopted_after ${long}`,
    "CREATE INDEX session_fork ON session (owner, pk) WHERE parent_relation = 'fork' AND adopted_after IS NULL",
  ],
}
