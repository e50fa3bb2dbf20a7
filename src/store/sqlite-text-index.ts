import type { Queryable, TextIndex } from './engine.ts'

export function sqliteTextIndex(_db: Pick<Queryable, 'all'>): TextIndex {
  throw new Error('not built yet')
}
