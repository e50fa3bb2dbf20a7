import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../core/caller.ts'
import { prompt, TEST_ENGINES, writeSession } from '../store/archive.testing.ts'
import { type Engine, laneTotals } from '../store/index.ts'
import { documentCounts } from './frequencies.ts'

for (const { name, open } of TEST_ENGINES) {
  describe(`counts of documents on ${name}`, () => {
    let engine: Engine
    let asked: string[]
    beforeEach(async () => {
      const opened = await open()
      asked = []
      const { textIndex } = opened
      engine = {
        ...opened,
        textIndex: {
          ...textIndex,
          documentFrequencies: (lane, terms, signal) => {
            asked.push(...terms)
            return textIndex.documentFrequencies(lane, terms, signal)
          },
        },
      }
    })
    afterEach(() => engine.close())

    const counted = async (...terms: string[]) => {
      const totals = (await laneTotals(engine, LOCAL_OWNER))('prose')
      return Object.fromEntries(await documentCounts(engine, 'prose', terms, totals))
    }

    it('are asked for once, and anew when the archive has changed', async () => {
      await writeSession(engine, { session: 's1', events: [prompt('alpha beta'), prompt('alpha')] })
      expect(await counted('alpha', 'gamma')).toEqual({ alpha: 2, gamma: 0 })
      expect(await counted('alpha', 'beta', 'gamma')).toEqual({ alpha: 2, beta: 1, gamma: 0 })
      expect(asked).toEqual(['alpha', 'gamma', 'beta'])
      await writeSession(engine, { session: 's2', events: [prompt('gamma alpha')] })
      expect(await counted('alpha', 'gamma')).toEqual({ alpha: 3, gamma: 1 })
    })
  })
}
