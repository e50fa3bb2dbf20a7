import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  answer,
  at,
  type ContextArchive,
  contextArchive,
  expectRefusal,
  listAt,
  OTHER,
  PROJECT,
  prompt,
  START,
  TEST_ENGINES,
  textAt,
} from './context.testing.ts'
import { contextPack } from './context-pack.ts'
import { openEvidence } from './open-evidence.ts'
import { search } from './search.ts'

const task = 'Check the installer on a clean machine before a release'

for (const { name, open } of TEST_ENGINES) {
  describe(`rift_context_pack on ${name}`, () => {
    let archive: ContextArchive
    beforeEach(async () => {
      archive = await contextArchive(await open())
    })
    afterEach(() => archive.close())

    it('7: takes a task of 1,024 characters and no longer, counted as people count them; no empty one', async () => {
      await archive.tell(contextPack, { task: '😀'.repeat(1_024) })
      expectRefusal(await archive.ask(contextPack, { task: 'x'.repeat(1_025) }), 'invalid_request', 'task')
      expectRefusal(await archive.ask(contextPack, { task: ' \n\t' }), 'invalid_request', 'task')
      expectRefusal(await archive.ask(contextPack, {}), 'invalid_request', 'task')
    })

    it.each([
      ['max_bytes', 16_384, 16_385, 9],
      ['max_bytes', 1_024, 1_023, 9],
      ['max_per_bucket', 10, 11, 10],
      ['max_per_bucket', 1, 0, 10],
    ])('9, 10: %s may be %d and not %d', async (field, good, bad) => {
      await archive.tell(contextPack, { task, [field]: good })
      expectRefusal(await archive.ask(contextPack, { task, [field]: bad }), 'invalid_request', field)
    })

    it('11: reads a day as its first moment in UTC, and refuses what is no date', async () => {
      await archive.say({ session: 's1', events: [prompt('The installer')] })
      for (const [since, count] of [
        ['2026-04-29', 1],
        ['2026-04-29T18:41:54Z', 1],
        ['2026-04-29T18:41:55.000Z', 0],
        ['2026-04-30', 0],
      ]) {
        expect(listAt(await archive.tell(contextPack, { task, since }), 'examples'), `${since}`).toHaveLength(
          Number(count),
        )
      }
      expectRefusal(await archive.ask(contextPack, { task, since: 'yesterday' }), 'invalid_request', 'since')
      expectRefusal(await archive.ask(contextPack, { task, since: '2026-02-30' }), 'invalid_request', 'since')
    })

    it('3: refuses fields it does not know, and takes null for what is left out', async () => {
      expectRefusal(await archive.ask(contextPack, { task, colour: 1 }), 'invalid_request', 'colour')
      await archive.tell(contextPack, { task, cwd: null, max_bytes: null, since: null })
    })

    it('6, 13, 29, 38: holds its caps in both forms, always has the four buckets, and says what quotes are', async () => {
      for (let n = 0; n < 20; n++) {
        await archive.say({
          session: `s${n}`,
          events: [prompt(`The installer ${n} "${'é'.repeat(60)}"`), answer('A clean machine.\n'.repeat(20))],
        })
      }
      for (const max_bytes of [1_024, 2_000, 6_144, 16_384]) {
        const pack = await archive.tell(contextPack, { task, max_bytes, max_per_bucket: 10 })
        for (const form of [pack.text, JSON.stringify(pack.structured)]) {
          expect(Buffer.byteLength(form)).toBeLessThanOrEqual(max_bytes)
        }
        expect(at(pack, 'total_bytes')).toBe(Buffer.byteLength(pack.text))
        for (const bucket of ['decisions', 'constraints', 'examples', 'rules']) listAt(pack, bucket)
        expect([at(pack, 'mode'), at(pack, 'degraded')]).toEqual(['lexical', false])
        expect(textAt(pack, 'note')).toMatch(/quotes.*never instructions/)
      }
    })

    it('25: every expand opens that item, in rift_search and in rift_open_evidence', async () => {
      await archive.say({ session: 's1', events: [prompt('😀 The installer'), answer('On a clean machine.')] })
      const pack = await archive.tell(contextPack, { task })
      const [item] = listAt(pack, 'examples') as {
        passage: { text: string; offset: number }
        expand: { params: object }
      }[]
      const searched = await archive.tell(search, item?.expand.params)
      const [row] = listAt(searched, 'results') as { content: string }[]
      const { offset = 0, text = '' } = item?.passage ?? {}
      expect([...(row?.content ?? '')].slice(offset, offset + text.length).join('')).toBe(text)
      const opened = await archive.tell(openEvidence, { ...item?.expand.params, session_id: 'a', intent: 'blended' })
      expect(at(opened, 'result.content')).toBe(row?.content)
    })

    it('a task in quotes or with dashes asks for nothing that is not there', async () => {
      await archive.say({ session: 's1', events: [prompt('The installer of old')] })
      const pack = await archive.tell(contextPack, { task: 'the "installer nobody has" -installer: check "it' })
      expect(listAt(pack, 'examples')).toHaveLength(1)
    })

    it('shows nothing of other owners, and inside a project nothing of others', async () => {
      await archive.say({ session: 's1', facts: { cwd: OTHER }, events: [prompt('The installer elsewhere')] })
      await archive.say({ session: 's2', events: [prompt('The installer of somebody')] }, 2)
      await archive.document({ root: OTHER, path: 'TODO.md', content: 'The installer', role: 'tracker' })
      const mine = await archive.tell(contextPack, { task })
      expect(mine.text).toContain('elsewhere')
      expect(mine.text).not.toContain('somebody')
      const walled = await archive.tell(
        contextPack,
        { task, cwd: OTHER },
        { ...archive.caller, projectRoots: [PROJECT] },
      )
      expect(walled.text).not.toMatch(/elsewhere|somebody|TODO/)
      expect(listAt(walled, 'examples')).toEqual([])
    })

    it('says why nothing may have been found, when the archive is not complete', async () => {
      const services = {
        ...archive.services,
        coverage: async () => ({
          state: 'partial' as const,
          reason: `sample ${'x'.repeat(500)}`,
          observed_at_unix_ms: 0,
        }),
      }
      const told = await contextPack.call(services, archive.caller, { task, max_bytes: 1_024 }, START)
      expect(textAt(told, 'coverage')).toMatch(/^partial: sample x{50}/)
      expect(Buffer.byteLength(told.text)).toBeLessThanOrEqual(1_024)
      expect((await archive.tell(contextPack, { task })).structured).not.toHaveProperty('coverage')
    })

    it('104: same archive, same task, same bytes', async () => {
      for (let n = 0; n < 5; n++) await archive.say({ session: `s${n}`, at: START, events: [prompt('The installer')] })
      expect((await archive.tell(contextPack, { task })).text).toBe((await archive.tell(contextPack, { task })).text)
    })
  })
}
