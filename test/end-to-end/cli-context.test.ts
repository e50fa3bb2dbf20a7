import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Machine, makeMachine } from './recording-terminal.ts'
import { sentence, transcript } from './varve.ts'

const TRANSCRIPT = `.claude/projects/-home-me-project/${transcript.sessionId}.jsonl`

let machine: Machine
beforeEach(() => {
  machine = makeMachine()
})
afterEach(() => machine.remove())

async function ok(...words: string[]): Promise<string> {
  const { code, out, err } = await machine.run(words)
  expect(code, err).toBe(0)
  return out
}

describe('varve pack', () => {
  test('shows what is known, with its place and without JSON', async () => {
    machine.write(TRANSCRIPT, transcript.text)
    const out = await ok('pack', 'the', 'sediment', 'core')
    expect(out).toMatch(/^Conversations\n/)
    expect(out).toContain(`> ${sentence}`)
    expect(out).toMatch(/varve open session:ses_/)
    expect(out).not.toMatch(/[{}]/)
    expect(await ok('pack', 'zebra crossing')).toContain('Nothing that is held bears on this task.')
  })

  test('prints the answer as data, never larger than asked', async () => {
    machine.write(TRANSCRIPT, transcript.text)
    const data = JSON.parse(await ok('pack', 'sediment', '--max-bytes', '1024', '--json')) as object
    expect(data).toMatchObject({ task: 'sediment', intent: 'blended', examples: [{ source: 'claude_code' }] })
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(1_024)
    expect(await machine.run(['pack', 'sediment', '--max-bytes', '100'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('max_bytes'),
    })
  })

  test('quotes the files of the project one stands in, as they are now', async () => {
    const state = '# State\n\n## Decisions\n\n- 2026-11-02: Decided to cut the sediment core at ten metres.\n'
    machine.write('project/PROJECT_STATE.md', state)
    machine.write('project/AGENTS.md', '# Rules for the sediment project\n\nNever cut the core twice.\n')
    const home = machine.home.replaceAll('\\', '/')
    machine.write(TRANSCRIPT, transcript.text.replaceAll('/home/me/project', `${home}/project`))
    await ok('capture', '--once')
    const cwd = join(machine.home, 'project')
    const ask = async () =>
      JSON.parse((await machine.run(['pack', 'cut the sediment core', '--json'], { cwd })).out) as object
    expect(await ask()).toMatchObject({
      project_scope: { conversations: 1 },
      decisions: [
        { text: expect.stringContaining('Decided to cut the sediment core'), source_path: 'PROJECT_STATE.md:5' },
      ],
      rules: [{ source_path: 'AGENTS.md' }],
    })
    machine.write('project/PROJECT_STATE.md', `\n\n${state}`)
    expect(await ask()).toMatchObject({ decisions: [{ source_path: 'PROJECT_STATE.md:7' }] })
  })
})

test('a machine without transcripts is answered from the sample, and told so', async () => {
  const data = JSON.parse(await ok('pack', 'why did the clocks go wrong', '--json')) as object
  expect(data).toMatchObject({ coverage: expect.stringContaining('sample data') })
  expect(await ok('pack', 'why did the clocks go wrong')).toContain('sample data')
})

describe('varve remember', () => {
  test('keeps a note and a decision that packs and searches find at once', async () => {
    const words = ['remember', 'Install checks run in a VM', '--decision', 'Docker is rejected for install checks']
    expect(await ok(...words, '--topic', 'installer', '--key', 'vm')).toBe('Kept.\n')
    expect(await ok(...words, '--key', 'vm')).toContain('kept already')
    const out = await ok('pack', 'Should install checks use Docker?')
    expect(out).toContain('> Docker is rejected for install checks')
    const found = JSON.parse(await ok('call', 'rift_search', '{"query": "install checks VM"}')) as object
    expect(found).toMatchObject({ results: [{ source: 'varve', tier: 'hot' }] })
  })

  test('refuses to keep nothing', async () => {
    expect(await machine.run(['remember', ' '])).toMatchObject({ code: 1, err: expect.stringContaining('summary') })
    expect(await machine.run(['remember'])).toMatchObject({ code: 2 })
  })
})
