import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { at, type ContextArchive, contextArchive, expectRefusal, listAt, TEST_ENGINES } from './context.testing.ts'
import { contextPack } from './context-pack.ts'
import { save } from './save.ts'
import { search } from './search.ts'
import { status } from './status.ts'

const note = { source: 'claude_code', summary: 'Chose a clean VM over Docker for the install check.' }

for (const { name, open } of TEST_ENGINES) {
  describe(`rift_save on ${name}`, () => {
    let archive: ContextArchive
    beforeEach(async () => {
      archive = await contextArchive(await open())
    })
    afterEach(() => archive.close())

    const filed = async (args: object) => {
      const receipt = await archive.tell(save, { ...note, ...args })
      await archive.services.context.savesSettled()
      return receipt
    }

    it('83, 86: needs a source that is offered and a summary of 1 to 8,000 characters', async () => {
      for (const [field, value] of [
        ['source', 'cursor'],
        ['source', null],
        ['summary', ' '],
        ['summary', 'x'.repeat(8_001)],
        ['topics', [1]],
        ['decisions', 'x'],
      ]) {
        expectRefusal(await archive.ask(save, { ...note, [String(field)]: value }), 'invalid_request')
      }
      await filed({ summary: '😀'.repeat(8_000) })
    })

    it('84, 85, 90, 113: answers with a job, is found as soon as that is done, and warns of a summary alone', async () => {
      const receipt = await filed({ decisions: ['Docker is rejected for install checks'], topics: ['installer'] })
      expect(receipt.structured).toMatchObject({
        job_id: expect.any(String),
        quality: { tier: 'summary_only', warnings: [expect.any(String)] },
      })
      const found = await archive.tell(search, { query: 'clean VM' })
      expect(listAt(found, 'results')).toMatchObject([
        { source: 'claude_code', tier: 'hot', expand: { params: { source_table: 'conversations_hot' } } },
      ])
      const opened = await archive.tell(search, at(found, 'results.0.expand.params'))
      expect(at(opened, 'results.0.content')).toContain(note.summary)
      const pack = await archive.tell(contextPack, { task: 'Should the installer be checked in Docker?' })
      expect(listAt(pack, 'decisions', 'text')).toEqual(['Docker is rejected for install checks'])
    })

    it('87, 88: does nothing for the same key or, without one, the same content', async () => {
      await filed({ idempotency_key: 'k' })
      expect(at(await filed({ idempotency_key: 'k', summary: 'other' }), 'duplicate')).toBe(true)
      await filed({ content: 'User: a long talk about docks' })
      expect(at(await filed({ content: 'User:  a long talk\nabout docks' }), 'duplicate')).toBe(true)
      expect(at(await archive.tell(status, {}), 'memory_diagnostics.saves.stored')).toBe(2)
    })

    it('89: replaces an earlier save, whose text is found nowhere after', async () => {
      await filed({ idempotency_key: 'one', content: 'User: the zebra talk' })
      const old = at(await archive.tell(search, { query: 'zebra' }), 'results.0.id')
      await filed({ idempotency_key: 'two', replace_idempotency_key: 'one', content: 'User: the giraffe talk' })
      expect(listAt(await archive.tell(search, { query: 'zebra' }), 'results')).toEqual([])
      expect(listAt(await archive.tell(search, { query: 'giraffe' }), 'results', 'id')).toEqual([old])
    })

    it('is nobody else’s', async () => {
      await filed({})
      expect(
        listAt(await archive.tell(search, { query: 'clean VM' }, { ...archive.caller, owner: 2 }), 'results'),
      ).toEqual([])
    })
  })
}
