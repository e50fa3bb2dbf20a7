/** A step of the schema's history. Append-only: one that was released is never edited, only followed by another. */

export interface Migration {
  /** Remembered in the database; never reused. */
  name: string
  statements(words: EngineWords): string[]
}

/** The few words of the two dialects that differ. */
export interface EngineWords {
  engine: 'sqlite' | 'postgres'
  /** Type of 16-byte ids. */
  bytes: string
  /** Type of whole numbers that may pass 2^31. */
  long: string
  /**
   * The key of a large table that search refers to by number. SQLite needs the number alone as its row id; elsewhere
   * the owner comes first, so that the table can be partitioned by owner.
   */
  numberedKey: string
}

export const SQLITE_WORDS: EngineWords = {
  engine: 'sqlite',
  bytes: 'BLOB',
  long: 'INTEGER',
  numberedKey: 'owner INTEGER NOT NULL, pk INTEGER PRIMARY KEY',
}

export const POSTGRES_WORDS: EngineWords = {
  engine: 'postgres',
  bytes: 'BYTEA',
  long: 'BIGINT',
  numberedKey: 'owner INTEGER NOT NULL, pk BIGINT NOT NULL, PRIMARY KEY (owner, pk)',
}
