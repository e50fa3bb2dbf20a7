/** Words of an owner's archive that are used together, learnt from it: what search by meaning knows without a model. */

import type { Migration } from './migration.ts'

export const associations: Migration = {
  name: '0005-associations',
  statements: () => [
    // `term` is a stem, `related` a word as it is written, `weight` how near the two are, up to 1.
    `CREATE TABLE association (
      owner INTEGER NOT NULL,
      term TEXT NOT NULL,
      related TEXT NOT NULL,
      weight REAL NOT NULL,
      PRIMARY KEY (owner, term, related)
    )`,
  ],
}
