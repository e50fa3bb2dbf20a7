import type { Queryable, TextIndex } from './engine.ts'

export function postgresTextIndex(_db: Pick<Queryable, 'all'>): TextIndex {
  throw new Error('not built yet')
}
