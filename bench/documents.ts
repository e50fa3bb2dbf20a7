/** Documents in an archive to measure, written as the index of the context writes them. */

import { LOCAL_OWNER } from '../src/core/caller.ts'
import { hash128 } from '../src/core/hash.ts'
import { cutPassages } from '../src/retrieval/passage-cut.ts'
import { type Engine, writeItem } from '../src/store/index.ts'
import { makeGenerator } from './generate.ts'

/** Texts of a document; each makes a passage or two. */
const TEXTS = 20

/** Documents in one transaction. */
const TOGETHER = 50

/** Writes documents until they have at least `passages`; how many they have. */
export async function addDocuments(engine: Engine, passages: number): Promise<number> {
  const generator = makeGenerator(4)
  let written = 0
  for (let first = 0; written < passages; first += TOGETHER) {
    await engine.transaction(async (tx) => {
      for (let number = first; number < first + TOGETHER; number++) {
        const texts = Array.from({ length: TEXTS }, () => generator.document('assistant_response'))
        const content = texts.join('\n\n')
        const cuts = cutPassages(content).map(({ start, end }) => ({
          heading: '',
          slug: '',
          start,
          line: null,
          text: content.slice(start, end),
        }))
        const item = {
          id: `bench-${number}`,
          kind: 'document',
          stable_key: `bench-${number}`,
          source: 'documents',
          project_id: null,
          root: null,
          path: `bench/${number}.md`,
          title: `bench ${number}`,
          role: 'document',
          state: 'none',
          content,
          hash: hash128(content),
          meta: '{}',
          at: number,
        } as const
        await writeItem(engine, tx, LOCAL_OWNER, item, cuts, number)
        written += cuts.length
      }
    })
  }
  return written
}
