/** What a pack and a search of passages cost, against one search of conversations for the same words. */

import type { BenchArchive } from '../archive.ts'
import { addDocuments } from '../documents.ts'
import { makeGenerator } from '../generate.ts'
import { milliseconds, percentile, type Row, timeEach } from '../row.ts'

const QUERIES = 40
const WORDS = 6

const PASSAGES = 50_000

/** Milliseconds at the 95th percentile with that many passages (statement 114). */
const SEARCH_BOUND = 50
const PACK_BOUND = 80

export async function packRows({ engine, events, call }: BenchArchive): Promise<Row[]> {
  const passages = await addDocuments(engine, PASSAGES)
  const generator = makeGenerator(3)
  const tasks = Array.from({ length: QUERIES }, () => generator.query('typical', WORDS))
  const common = Array.from({ length: QUERIES }, () => generator.query('common', WORDS))
  const search = (query: string) => call('search_sessions', { query })
  const find = (query: string) => call('rift_search', { query })
  const pack = (task: string) => call('rift_context_pack', { task })
  const p95 = async (work: (text: string) => Promise<unknown>, texts: readonly string[]): Promise<number> => {
    // Once unmeasured, so that none pays for reading the index.
    for (const text of texts.slice(0, 5)) await work(text)
    return percentile(await timeEach(texts, work), 0.95)
  }
  const searches = await p95(search, tasks)
  const packs = await p95(pack, tasks)
  const where = `${events} events and ${passages} passages`
  const bounded = (name: string, figure: number, bound: number): Row => ({
    name: `${name} at ${where}`,
    figure: `p95 ${milliseconds(figure)}`,
    baseline: `bound ${bound} ms`,
    ratio: figure / bound,
    aim: { most: 1 },
  })
  return [
    {
      name: `rift_context_pack, typical words, at ${where}`,
      figure: `p95 ${milliseconds(packs)}`,
      baseline: `p95 ${milliseconds(searches)} search_sessions`,
      ratio: packs / searches,
      aim: { most: 4 },
    },
    bounded('rift_context_pack, common words,', await p95(pack, common), PACK_BOUND),
    bounded('rift_search, typical words,', await p95(find, tasks), SEARCH_BOUND),
    bounded('rift_search, common words,', await p95(find, common), SEARCH_BOUND),
  ]
}
