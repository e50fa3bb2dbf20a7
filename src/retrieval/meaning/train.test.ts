import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../../core/caller.ts'
import { prompt, TEST_ENGINES, writeSession } from '../../store/archive.testing.ts'
import { type Engine, relatedWords } from '../../store/index.ts'
import { searchEvents } from '../search.ts'
import { rootOf } from '../words.ts'
import { trainAssociations } from './train.ts'

const TOPICS = [
  ['harbour', 'vessel'],
  ['orchard', 'blossom'],
  ['furnace', 'ember'],
] as const

async function fill(engine: Engine, sessions: number): Promise<void> {
  for (let session = 0; session < sessions; session++) {
    await writeSession(engine, {
      session: `s${session}`,
      events: Array.from({ length: 60 }, (_, place) => {
        const [one, other] = TOPICS[place % 30] ?? ['', '']
        return prompt(`note${place} number${session} ${one} ${other} thing${(place * 7) % 13}`)
      }),
    })
  }
}

for (const { name, open } of TEST_ENGINES) {
  describe(`associations on ${name}`, () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine.close())

    it('are learnt when there is enough, and again when there is much more', async () => {
      expect(await trainAssociations(engine, LOCAL_OWNER)).toEqual({ trained: false, associations: 0 })
      await fill(engine, 4)
      await expect(trainAssociations(engine, LOCAL_OWNER, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
        'enough',
      )
      expect(await relatedWords(engine, LOCAL_OWNER, [rootOf('harbour')])).toEqual(new Map())
      const first = await trainAssociations(engine, LOCAL_OWNER)
      expect(first.trained).toBe(true)
      expect(first.associations).toBeGreaterThan(0)
      const related = await relatedWords(engine, LOCAL_OWNER, [rootOf('harbour'), 'vessel', 'absent'])
      expect(related.get(rootOf('harbour'))?.[0]?.related).toBe('vessel')
      expect(related.get('vessel')?.[0]?.related).toBe('harbour')
      expect(related.has('absent')).toBe(false)
      expect(await relatedWords(engine, 2, [rootOf('harbour')])).toEqual(new Map())
      expect(await trainAssociations(engine, LOCAL_OWNER)).toEqual({ trained: false, associations: 0 })
    })

    it('let a text count that has the related word instead, for less', async () => {
      await writeSession(engine, {
        session: 'asked',
        events: [prompt('zebra window'), prompt('zebra harbour'), prompt('zebra vessel'), prompt('zebra window sill')],
      })
      const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
      const { hits } = await searchEvents(engine, caller, { query: 'zebra harbour', types: ['user_input'], limit: 2 })
      expect(hits.map(({ snippet }) => snippet)).toEqual(['zebra harbour', 'zebra vessel'])
    })
  })
}
