/** What a pack costs, against one search for the same words. */

import { searchEvents } from '../../src/retrieval/search.ts'
import type { BenchArchive } from '../archive.ts'
import { makeGenerator } from '../generate.ts'
import { milliseconds, percentile, type Row, timeEach } from '../row.ts'

const QUERIES = 40
const WORDS = 6

export async function packRows({ app, engine, events, call }: BenchArchive): Promise<Row[]> {
  const generator = makeGenerator(3)
  const tasks = Array.from({ length: QUERIES }, () => generator.query('typical', WORDS))
  const caller = await app.caller()
  const search = (query: string) =>
    searchEvents(engine, caller, { query, types: ['user_input', 'assistant_response'], limit: 10 })
  // Once unmeasured, so that neither pays for reading the index.
  for (const task of tasks.slice(0, 5)) await Promise.all([search(task), call('rift_context_pack', { task })])
  const packs = percentile(await timeEach(tasks, (task) => call('rift_context_pack', { task })), 0.95)
  const searches = percentile(await timeEach(tasks, search), 0.95)
  return [
    {
      name: `context pack at ${events} events`,
      figure: `p95 ${milliseconds(packs)}`,
      baseline: `p95 ${milliseconds(searches)} search, typical words`,
      ratio: packs / searches,
      aim: { most: 4 },
    },
  ]
}
