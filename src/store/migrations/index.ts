import { archive } from './0001-archive.ts'
import { searchIndex } from './0002-search-index.ts'
import { workflows } from './0003-workflows.ts'
import { context } from './0004-context.ts'
import { associations } from './0005-associations.ts'
import { vectors } from './0006-vectors.ts'
import { adoptedForks } from './0007-adopted-forks.ts'
import type { Migration } from './migration.ts'

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  archive,
  searchIndex,
  workflows,
  context,
  associations,
  vectors,
  adoptedForks,
]
