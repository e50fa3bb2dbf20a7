/** The text index: what differs most between the engines. */

import type { Migration } from './migration.ts'

export const searchIndex: Migration = {
  name: '0002-search-index',
  statements: () => [],
}
