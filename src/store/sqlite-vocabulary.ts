/** In how many documents terms occur, asked of an FTS5 index. */

import type { Queryable, SearchLane } from './engine.ts'

/** Terms that are forms of one word: fewer are looked up one by one, which then costs less than reading along. */
const FEWEST_TOGETHER = 4

/** A shorter beginning has too many words that are no forms of the one asked for. */
const SHORTEST_BEGINNING = 4

/** Terms read along a beginning at most; `test` has hundreds in an archive of code. */
const READ_ALONG = 40

/**
 * Counts the documents of each term. A term that is nowhere costs as much as one that is somewhere, and of the forms of a
 * word most are nowhere: so those that begin alike are read off the vocabulary in one go.
 */
export async function vocabularyCounts(
  db: Pick<Queryable, 'all'>,
  lane: SearchLane,
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const single: string[] = []
  for (const { beginning, members } of groupsOf(terms)) {
    if (members.length < FEWEST_TOGETHER) {
      single.push(...members)
      continue
    }
    const rows = await db.all<{ term: string; documents: number }>(
      `SELECT term, doc AS documents FROM search_${lane}_terms WHERE term >= ? AND term < ? LIMIT ${READ_ALONG}`,
      // The index holds letters and digits; nothing that begins so comes after this.
      [beginning, `${beginning}\u{10ffff}`],
      signal,
    )
    for (const { term, documents } of rows) counts.set(term, documents)
    const isCut = rows.length === READ_ALONG
    for (const term of members.filter((member) => !counts.has(member))) {
      if (isCut) single.push(term)
      else counts.set(term, 0)
    }
  }
  if (single.length > 0) {
    const rows = await db.all<{ term: string; documents: number | null }>(
      `SELECT value AS term, (SELECT doc FROM search_${lane}_terms WHERE term = value) AS documents FROM json_each(?)`,
      [JSON.stringify(single)],
      signal,
    )
    for (const { term, documents } of rows) counts.set(term, documents ?? 0)
  }
  return new Map(terms.map((term) => [term, counts.get(term) ?? 0]))
}

/** Terms that share nearly all of the shortest of them. */
function groupsOf(terms: readonly string[]): { beginning: string; members: string[] }[] {
  const groups: { beginning: string; shortest: number; members: string[] }[] = []
  for (const term of [...terms].sort()) {
    const group = groups.at(-1)
    const shared = group ? sharedLength(group.beginning, term) : 0
    const shortest = Math.min(group?.shortest ?? term.length, term.length)
    if (group && shared >= Math.max(SHORTEST_BEGINNING, shortest - 1)) {
      group.members.push(term)
      group.beginning = term.slice(0, shared)
      group.shortest = shortest
    } else {
      groups.push({ beginning: term, shortest: term.length, members: [term] })
    }
  }
  return groups
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
