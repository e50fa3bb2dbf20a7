import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  answer,
  at,
  type ContextArchive,
  contextArchive,
  expectRefusal,
  OTHER,
  prompt,
  TEST_ENGINES,
} from './context.testing.ts'
import { contextOverview } from './overview.ts'
import { status } from './status.ts'

for (const { name, open } of TEST_ENGINES) {
  describe(`what is held, on ${name}`, () => {
    let archive: ContextArchive
    beforeEach(async () => {
      archive = await contextArchive(await open())
    })
    afterEach(() => archive.close())

    it('97, 98: is counted; the status takes no parameters', async () => {
      expectRefusal(await archive.ask(status, { verbose: true }), 'invalid_request', 'verbose')
      await archive.say({ session: 's1', events: [prompt('one')] })
      await archive.document({ path: 'a.md', content: 'a' })
      const told = await archive.tell(status, {})
      expect(at(told, 'memory_diagnostics.counts')).toEqual({ conversations: 1, digests: 0, structured_docs: 1 })
      expect(at(told, 'capture_diagnostics.status')).toBe('ok')
    })

    it('2: is described in at most 4 KB of Markdown, without any text of a transcript', async () => {
      for (let n = 0; n < 40; n++) {
        await archive.say({
          session: `s${n}`,
          harness: n % 2 === 0 ? 'codex' : 'claude-code',
          facts: { title: 'A secret title', cwd: `/home/me/${'long/'.repeat(100)}${n}`, projectId: `dir:${n}` },
          events: [prompt('a secret prompt'), answer('a secret answer')],
        })
      }
      const text = await contextOverview(archive.services, archive.caller)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096)
      expect(text).toMatch(/^# What Varve holds\n\n40 conversations/)
      expect(text).toContain('- codex_cli: 20, 2026-04-29 to 2026-04-29')
      expect(text).toMatch(/meaning: built in/)
      expect(text).not.toContain('secret')
    })

    it('is described to each as far as they may see it', async () => {
      await archive.say({ session: 's1', events: [prompt('one')] })
      const empty = '0 conversations'
      expect(await contextOverview(archive.services, { ...archive.caller, projectRoots: [OTHER] })).toContain(empty)
      expect(await contextOverview(archive.services, { ...archive.caller, owner: 2 })).toContain(empty)
    })
  })
}
