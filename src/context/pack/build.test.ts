import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answer, call, prompt, START, TEST_ENGINES } from '../../store/archive.testing.ts'
import { type Engine, listSessions, supersede } from '../../store/index.ts'
import { conversationText } from '../conversations/conversation-text.ts'
import { buildPack } from './build.ts'
import { OTHER, owner, PROJECT, type TestContext, testContext } from './pack.testing.ts'
import type { Pack, PackRequest } from './pack.ts'

const TASK = 'Check the Mac installer on a clean machine before a release'

const ask = (given: Partial<PackRequest> = {}): PackRequest => ({
  task: TASK,
  maxBytes: 6144,
  maxPerBucket: 3,
  ...given,
})

/** The text of the one session, or of that with a title. */
async function textOf(engine: Engine, id: string): Promise<string> {
  const { formatId } = await import('../../core/id.ts')
  const sessions = await listSessions(engine, owner, { from: 0, to: START * 2, sort: 'asc', limit: 100 })
  const session = sessions.find((each) => formatId('session', each.id) === id)
  const text = await conversationText(engine, owner, session?.pk ?? 0)
  return text.read(0, text.characters)
}

/** Opens every place the pack names and holds its text against it. */
async function expectToOpen(context: TestContext, pack: Pack): Promise<void> {
  const rows = [...pack.examples, ...(pack.past_reasoning ?? []), ...(pack.older_memory ?? [])]
  for (const { id, passage, more = [], expand } of rows) {
    expect(expand.params.id).toBe(id)
    const whole = [...(await textOf(context.engine, id))]
    for (const { text, offset } of [passage, ...more]) {
      expect(whole.slice(offset, offset + [...text].length).join('')).toBe(text)
    }
  }
  for (const { text, id, offset, source_path } of [...pack.decisions, ...pack.constraints]) {
    if (source_path !== undefined) expectLine(context, source_path, text)
    else {
      const whole = [...(await textOf(context.engine, id ?? ''))]
      expect(whole.slice(offset, (offset ?? 0) + [...text].length).join('')).toBe(text)
    }
  }
  for (const { text, source_path } of pack.current_truth ?? []) expectLine(context, source_path, text)
}

function expectLine(context: TestContext, sourcePath: string, text: string): void {
  const [, path = '', line = ''] = /^(.*):(\d+)$/.exec(sourcePath) ?? []
  const content = context.files.get(path.startsWith('/') ? path : `${PROJECT}/${path}`) ?? ''
  const rest = content
    .split('\n')
    .slice(Number(line) - 1)
    .join('\n')
  expect(rest.replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' '))
  expect(rest.split('\n')[0]).toContain(text.split(/\s/)[0])
}

for (const { name, open } of TEST_ENGINES) {
  describe(`a pack on ${name}`, () => {
    let engine: Engine
    let context: TestContext
    beforeEach(async () => {
      engine = await open()
      context = testContext(engine)
    })
    afterEach(() => engine.close())

    it('40: of an empty archive is valid and empty', async () => {
      const pack = await buildPack(context.parts, owner, ask())
      expect(pack).toMatchObject({
        task: TASK,
        intent: 'blended',
        decisions: [],
        constraints: [],
        examples: [],
        rules: [],
        mode: 'lexical',
        degraded: false,
        truncated: false,
      })
      expect(pack.total_bytes).toBe(Buffer.byteLength(JSON.stringify(pack)))
      expect(pack).not.toHaveProperty('project_scope')
      expect(pack).not.toHaveProperty('current_truth_caveat')
    })

    it('17, 20, 21, 23, 25, 31: quotes conversations at their exact place, and says that none settles what is true', async () => {
      await context.say({
        session: 's1',
        facts: { title: 'Installer' },
        events: [
          prompt('😀 Please check the Mac installer.'),
          call('Bash', { command: 'installer' }),
          answer('The installer works on a clean machine.\n\nIt was signed.'),
          prompt('No, use the VM, not Docker.'),
        ],
      })
      await context.say({
        session: 's2',
        at: START - 86_400_000 * 60,
        events: [prompt('An old release machine question')],
      })
      const pack = await buildPack(context.parts, owner, ask())
      const [first, second] = pack.examples
      expect(first).toMatchObject({
        title: 'Installer',
        source: 'claude_code',
        timestamp: '2026-04-29T18:41:58.000Z',
        content_bytes: Buffer.byteLength(await textOf(engine, first?.id ?? '')),
        passage: { matched: expect.stringMatching(/^\d\/7$/) },
        expand: {
          route: '/search',
          params: {
            tier: 'hot',
            source_table: 'conversations_hot',
            stable_evidence_key: 'conversation:claude_code:s1',
          },
        },
      })
      expect(second?.expand.params).toMatchObject({ tier: 'cold', source_table: 'conversations_cold' })
      expect(JSON.stringify(first)).toContain('No, use the VM, not Docker.')
      expect(pack.current_truth_caveat).toBe('conversation-backed, not live-verified')
      await expectToOpen(context, pack)
      expect(await buildPack(context.parts, owner, ask())).toEqual(pack)
    })

    it('12: holds no more of a kind than was asked for, which alone truncates nothing (26)', async () => {
      for (let n = 0; n < 9; n++) await context.say({ session: `s${n}`, events: [prompt(`Installer ${n}`)] })
      const pack = await buildPack(context.parts, owner, ask({ maxPerBucket: 2, maxBytes: 16_384 }))
      expect([pack.examples, pack.past_reasoning, pack.older_memory].map((list) => list?.length)).toEqual([2, 2, 2])
      expect(pack.truncated).toBe(false)
      await expectToOpen(context, pack)
      const small = await buildPack(context.parts, owner, ask({ maxPerBucket: 2, maxBytes: 1_500 }))
      expect(small.truncated).toBe(true)
      await expectToOpen(context, small)
    })

    it('18, 19: names file and line of a statement, finds the line again when the file moved on, and drops what is gone', async () => {
      const content =
        '# State\n\nDecided: the installer is checked in a VM.\n\nNever release without a clean machine.\n'
      const item = await context.document({ path: 'PROJECT_STATE.md', content, role: 'tracker' })
      await context.state({ item, content, kind: 'decision', text: 'Decided: the installer is checked in a VM.' })
      await context.state({ item, content, kind: 'constraint', text: 'Never release without a clean machine.' })
      const pack = await buildPack(context.parts, owner, ask({ cwd: PROJECT }))
      expect(pack.decisions).toEqual([
        {
          text: 'Decided: the installer is checked in a VM.',
          source: 'tracker',
          timestamp: '2026-04-29T18:41:55.000Z',
          source_path: 'PROJECT_STATE.md:3',
        },
      ])
      expect(pack.constraints[0]?.source_path).toBe('PROJECT_STATE.md:5')
      expect(pack.current_truth_caveat).toBe('tracker-backed, not live-verified')
      expect(pack.recommended_live_files).toEqual(['PROJECT_STATE.md'])
      await expectToOpen(context, pack)

      context.files.set(`${PROJECT}/PROJECT_STATE.md`, `\n\n\n# State\n\nDecided: the installer is\nchecked in a VM.\n`)
      const later = await buildPack(context.parts, owner, ask({ cwd: `${PROJECT}/src` }))
      expect(later.decisions[0]?.source_path).toBe('PROJECT_STATE.md:6')
      expect(later.constraints).toEqual([])
      await expectToOpen(context, later)

      context.files.delete(`${PROJECT}/PROJECT_STATE.md`)
      const gone = await buildPack(context.parts, owner, ask({ cwd: PROJECT }))
      expect([gone.decisions, gone.current_truth, gone.recommended_live_files]).toEqual([[], undefined, undefined])
    })

    it('17: names the conversation and place of a statement that was typed', async () => {
      const typed = 'Thanks 😀. We decided to check the installer in a VM. Go on.'
      await context.say({ session: 's1', events: [prompt('Hello'), prompt(typed)] })
      await context.state({
        session: 's1',
        event: typed,
        kind: 'decision',
        text: 'We decided to check the installer in a VM.',
      })
      const pack = await buildPack(context.parts, owner, ask())
      expect(pack.decisions[0]).toMatchObject({ source: 'claude_code', source_table: 'conversations_hot' })
      await expectToOpen(context, pack)
    })

    it('36: shows what disagrees, and only what stands among decisions', async () => {
      const [old, fresh] = ['Use Docker for the installer check.', 'Use a VM for the installer check, not Docker.']
      await context.say({ session: 's1', at: START - 5_000, events: [prompt(old)] })
      await context.say({ session: 's2', events: [prompt(fresh)] })
      const subject = ['instal', 'check', 'docker']
      await context.state({ session: 's1', event: old, kind: 'decision', text: old, subject, at: START - 5_000 })
      await context.state({ session: 's2', event: fresh, kind: 'decision', text: fresh, subject })
      const rows = await engine.all<{ pk: number }>('SELECT pk FROM statement ORDER BY at')
      await engine.transaction((tx) => supersede(tx, 1, [[rows[0]?.pk ?? 0, rows[1]?.pk ?? 0]]))
      const pack = await buildPack(context.parts, owner, ask())
      expect(pack.decisions.map(({ text }) => text)).toEqual([fresh])
      expect(pack.conflicts).toHaveLength(1)
      const [conflict] = pack.conflicts ?? []
      expect(new Set([conflict?.a, conflict?.b])).toEqual(new Set([old, fresh]))
      expect(conflict?.newer === 'a' ? conflict.a : conflict?.b).toBe(fresh)
      const asked = await buildPack(context.parts, owner, ask({ task: 'Use Docker?', maxPerBucket: 1 }))
      expect([asked.decisions[0]?.text, asked.conflicts?.length]).toEqual([fresh, 1])
    })

    it('8, 24, 30, 37, 39: narrows documents to the project of cwd; others are for reference', async () => {
      await context.say({ session: 's1', events: [prompt('Installer')] })
      await context.document({ path: 'AGENTS.md', content: 'Be kind.', role: 'rule', title: 'Agents' })
      await context.document({ path: 'reports/gate.md', content: 'The installer gate.', role: 'report', title: 'Gate' })
      await context.document({
        root: OTHER,
        path: 'RULES.md',
        content: 'Installer rules.',
        role: 'rule',
        title: 'Rules',
      })
      const pack = await buildPack(context.parts, owner, ask({ cwd: `${PROJECT}/deep/er` }))
      expect(pack.project_scope).toEqual({ root: PROJECT, conversations: 1 })
      expect(pack.rules).toEqual([
        { id: `${PROJECT}:reports/gate.md`, title: 'Gate', source_path: 'reports/gate.md' },
        { id: `${PROJECT}:AGENTS.md`, title: 'Agents', source_path: 'AGENTS.md' },
      ])
      expect(pack.other_projects).toEqual([{ title: 'Rules', source_path: `${OTHER}/RULES.md` }])
      const nowhere = await buildPack(context.parts, owner, ask({ cwd: '/nowhere' }))
      expect(nowhere).not.toHaveProperty('project_scope')
      expect(nowhere.rules.map(({ source_path }) => source_path).sort()).toEqual([
        `${OTHER}/RULES.md`,
        `${PROJECT}/reports/gate.md`,
      ])
    })

    it('32, 34: gives live files and trackers with their trust, and keeps stale ones apart', async () => {
      await context.document({ path: 'package.json', content: '"installer": "release"', role: 'manifest' })
      await context.document({ path: 'TODO.md', content: 'Check the installer.', role: 'tracker' })
      await context.document({ path: 'draft.md', content: 'Installer draft.', state: 'untracked' })
      const pack = await buildPack(context.parts, owner, ask({ cwd: PROJECT }))
      expect(pack.current_truth?.map(({ source_path, trust }) => [source_path, trust])).toEqual([
        ['package.json:1', 'live_state'],
        ['TODO.md:1', 'tracker'],
      ])
      expect(pack.discounted).toEqual([{ source_path: 'draft.md', reason: 'untracked' }])
      expect(pack).not.toHaveProperty('current_truth_caveat')
      await expectToOpen(context, pack)
    })

    it('11: holds only what is dated later than asked', async () => {
      await context.say({ session: 's1', events: [prompt('Installer')] })
      expect((await buildPack(context.parts, owner, ask({ since: START - 1 }))).examples).toHaveLength(1)
      expect((await buildPack(context.parts, owner, ask({ since: START }))).examples).toEqual([])
    })

    it('keeps owners and projects apart', async () => {
      await context.say({ session: 's1', events: [prompt('Installer of mine')] })
      await context.say(
        { session: 's2', events: [prompt('Installer of another'), prompt('We decided on the installer.')] },
        2,
      )
      const content = 'The installer is secret.'
      const item = await context.document({ path: 'TODO.md', content, role: 'tracker', owner: 2 })
      await context.state({ item, content, kind: 'decision', text: content, owner: 2 })
      const mine = JSON.stringify(await buildPack(context.parts, owner, ask({ cwd: PROJECT })))
      expect(mine).toContain('Installer of mine')
      expect(mine).not.toMatch(/another|secret|TODO/)
      const walled = { ...owner, projectRoots: [OTHER] }
      const elsewhere = await buildPack(context.parts, walled, ask({ cwd: PROJECT }))
      expect([elsewhere.examples, elsewhere.project_scope]).toEqual([[], undefined])
    })

    it('13, 15, 27: never exceeds its cap, whatever is asked of whatever archive', async () => {
      const nasty = ['\u0001"\\', '😀', '\ud800', '\n', 'installer ', 'é', '\u2028']
      const text = (n: number): string => `${nasty.join('installer release ')} ${'x'.repeat(n)}. `
      for (let n = 0; n < 12; n++) {
        await context.say({
          session: `s${n}`,
          facts: { title: `${'😀"'.repeat(n === 0 ? 200_000 : 10)}` },
          events: [prompt(text(n * 40)), answer(text(n)), prompt(text(2).repeat(n * 3 + 1))],
        })
      }
      const task = fc.array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary' })), {
        minLength: 1,
        maxLength: 500,
      })
      await fc.assert(
        fc.asyncProperty(
          task,
          fc.integer({ min: 1_024, max: 16_384 }),
          fc.integer({ min: 1, max: 10 }),
          async (words, maxBytes, maxPerBucket) => {
            const pack = await buildPack(context.parts, owner, {
              task: `installer ${words.join('')}`.slice(0, 1_024),
              maxBytes,
              maxPerBucket,
            })
            const size = Buffer.byteLength(JSON.stringify(pack))
            expect(size).toBeLessThanOrEqual(maxBytes)
            expect(pack.total_bytes).toBe(size)
            for (const list of Object.values(pack))
              if (Array.isArray(list)) expect(list.length).toBeLessThanOrEqual(Math.max(5, maxPerBucket))
          },
        ),
        { numRuns: name === 'SQLite' ? 40 : 5 },
      )
    })
  })
}
