/** Vectors of prompts, answers and passages, for search by meaning; and which labels a model was asked to improve. */

import type { Migration } from './migration.ts'

export const vectors: Migration = {
  name: '0006-vectors',
  statements: ({ bytes, long }) => [
    // `seq` is never used twice: what a process remembers of a vector holds as long as its `seq` is there. `pk` is that of
    // an event or of a passage, `part` the place of the stretch in it. `digest` is the event's when it was embedded.
    // `bytes` are `dimensions` signed bytes; times `scale` they are a vector of length 1.
    `CREATE TABLE vector (
      owner INTEGER NOT NULL,
      seq ${long} NOT NULL,
      kind TEXT NOT NULL,
      pk ${long} NOT NULL,
      part INTEGER NOT NULL,
      start ${long} NOT NULL,
      digest ${bytes},
      model TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      scale REAL NOT NULL,
      bytes ${bytes} NOT NULL,
      PRIMARY KEY (owner, seq)
    )`,
    'CREATE UNIQUE INDEX vector_place ON vector (owner, kind, pk, part)',
    "INSERT INTO counter (name, value) VALUES ('vector', 0)",

    // The labels of a session, as they were when the model answered something that was of no use.
    `CREATE TABLE label_attempt (
      owner INTEGER NOT NULL,
      session_pk ${long} NOT NULL,
      seen_event_pk ${long} NOT NULL,
      generation INTEGER NOT NULL,
      PRIMARY KEY (owner, session_pk)
    )`,
    // Sessions whose rewritten events have been embedded anew, as of which generation.
    `CREATE TABLE vector_session (
      owner INTEGER NOT NULL,
      session_pk ${long} NOT NULL,
      generation INTEGER NOT NULL,
      PRIMARY KEY (owner, session_pk)
    )`,
  ],
}
