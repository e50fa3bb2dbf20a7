import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeCaptureLease } from '../../src/capture/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/store/index.ts'
import { type Machine, makeMachine } from './recording-terminal.ts'
import { sentence, transcript } from './varve.ts'

const TRANSCRIPT = `.claude/projects/-home-me-project/${transcript.sessionId}.jsonl`

let machine: Machine
beforeEach(() => {
  machine = makeMachine()
})
afterEach(() => machine.remove())

/** Runs a command that must succeed and reads its output as JSON. */
async function json<Data = Record<string, unknown>>(...words: string[]): Promise<Data> {
  const { code, out, err } = await machine.run(words)
  expect(code, err).toBe(0)
  return JSON.parse(out) as Data
}

interface Found {
  data: { result_count: number; results: { id: string; session: { id: string; source: string } }[] }
  warnings: string[]
}

const search = (query: string) => json<Found>('search', query, '--json')

describe('usage', () => {
  test('help lists every command, and explains each', async () => {
    const { code, out } = await machine.run(['help'])
    expect(code).toBe(0)
    for (const name of ['up', 'mcp', 'capture', 'search', 'call', 'status', 'doctor', 'export', 'forget']) {
      expect(out).toContain(`  ${name}`)
      expect((await machine.run([name, '--help'])).out).toContain(`varve ${name}`)
    }
  })

  test('--version prints the version alone', async () => {
    expect(await machine.run(['--version'])).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    })
  })

  test.each([
    ['nothing at all', [], 2],
    ['an unknown command', ['dig'], 2],
    ['a name every object has', ['constructor'], 2],
    ['an unknown option', ['status', '--loud'], 2],
    ['a missing argument', ['search'], 2],
    ['a tool that is none', ['call', 'dig'], 2],
    ['JSON that is none', ['call', 'open', '{id}'], 2],
    ['arguments that are no object', ['call', 'open', '[]'], 2],
    ['a toolset that is none', ['mcp', '--toolsets', 'sessions,digs'], 2],
    ['a source that is none', ['capture', '--once', '--source', 'dig'], 2],
    ['a path that is not there', ['capture', '--once', '/no/such/place'], 2],
  ])('%s', async (what, words, code) => {
    const outcome = await machine.run(words)
    if (what === 'nothing at all') expect(outcome).toMatchObject({ code: 2, out: expect.stringContaining('Usage:') })
    else expect(outcome).toMatchObject({ code, out: '', err: expect.stringMatching(/^varve: .+\n {2}\S/) })
  })

  test('a bad setting ends the program with its place', async () => {
    machine.write('.varve/config.toml', '[http]\nprot = 1\n')
    expect(await machine.run(['status'])).toMatchObject({ code: 2, err: expect.stringContaining('http.prot') })
  })
})

describe('a machine without transcripts', () => {
  test('answers from the sample and says so', async () => {
    const status = await json<{ archive: { sample: boolean }; sessions: number }>('status', '--json')
    expect(status).toMatchObject({ archive: { sample: true }, sessions: 8 })
    const found = await search('clocks went back')
    expect(found.data.result_count).toBeGreaterThan(0)
    expect(found.warnings.join()).toContain('sample data')
  })

  test('has an empty archive of its own', async () => {
    expect(await json('capture', '--once', '--json')).toMatchObject({ files: 0, records: 0, events: 0, sessions: 0 })
  })

  test('answers from the sample no more once there is a transcript', async () => {
    expect((await search('sediment')).data.result_count).toBe(0)
    machine.write(TRANSCRIPT, transcript.text)
    expect((await search('sediment')).data.result_count).toBe(1)
    expect((await search('clocks went back')).data.result_count).toBe(0)
    expect(await json('status', '--json')).toMatchObject({ archive: { sample: false }, sessions: 1 })
  })

  test('has no sample where it is switched off', async () => {
    machine.env['VARVE_SAMPLE_ENABLED'] = 'false'
    expect(await json('status', '--json')).toMatchObject({ archive: { sample: false }, sessions: 0 })
  })

  test('has nothing to forget', async () => {
    expect(await machine.run(['forget', '--source', 'claude', '--yes'])).toMatchObject({ code: 1 })
  })
})

describe('a machine with a transcript', () => {
  beforeEach(() => machine.write(TRANSCRIPT, transcript.text))

  test('captures it once', async () => {
    const first = await json('capture', '--once', '--json')
    expect(first).toMatchObject({ files: 1, records: 4, sessions: 1, skipped: [], bytes: transcript.text.length })
    expect(first).toHaveProperty('seconds')
    expect(first['events']).toBeGreaterThanOrEqual(4)
    expect(await json('capture', '--once', '--json')).toMatchObject({ files: 1, records: 0, events: 0 })
  })

  test('names what it passed over, with its line', async () => {
    machine.write(TRANSCRIPT, `${transcript.text}{"broken\n`)
    const report = await json<{ skipped: object[] }>('capture', '--once', '--json')
    expect(report.skipped).toEqual([expect.objectContaining({ reason: 'not-json', line: 5, count: 1 })])
    const { out } = await machine.run(['doctor'])
    expect(out).toContain('line 5: not-json')
  })

  test('finds it, opens it, lists it and knows what it touched', async () => {
    const { data } = await search('sediment core')
    const [hit] = data.results
    const { code, out } = await machine.run(['open', hit?.id ?? ''])
    expect(code).toBe(0)
    expect(out).toContain(sentence)
    expect((await machine.run(['sessions'])).out).toContain(hit?.session.id)
    expect((await machine.run(['touched', 'core.ts'], { cwd: '/home/me/project' })).out).toContain(hit?.session.id)
    expect((await machine.run(['search', 'sediment'])).out).toContain(hit?.id)
  })

  test('says on stderr what a tool refuses, with exit code 1', async () => {
    expect(await machine.run(['open', 'session:nonsense'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('invalid_id'),
    })
  })

  test('call prints structured content, and refuses with exit code 1', async () => {
    expect(await json('call', 'search_sessions', '{"query": "sediment"}')).toMatchObject({
      schema_version: 'moraine.mcp.search_sessions.v1',
      data: { result_count: 1, coverage: { state: 'complete' } },
    })
    const { code, out } = await machine.run(['call', 'search_sessions', '{"query": " "}'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'invalid_request' } })
  })

  test('call --project-only sees nothing outside the project it stands in', async () => {
    const words = ['call', 'search_sessions', '{"query": "sediment"}', '--project-only']
    const { out } = await machine.run(words, { cwd: machine.home })
    expect(JSON.parse(out)).toMatchObject({ data: { result_count: 0 } })
    const inside = await machine.run(words, { cwd: '/home/me/project' })
    expect(JSON.parse(inside.out)).toMatchObject({ data: { result_count: 1 } })
  })

  test('leaves excluded folders out', async () => {
    machine.write('.varve/config.toml', '[capture]\nexclude = ["/home/me/project"]\n')
    expect(await json('capture', '--once', '--json')).toMatchObject({ files: 1, events: 0, sessions: 0 })
  })

  test('reads further sources under their own name', async () => {
    const folder = join(machine.home, 'laptop')
    machine.write('laptop/-home-me-project/other.jsonl', transcript.text.replaceAll(transcript.sessionId, 'other'))
    machine.write(
      '.varve/config.toml',
      `[[sources]]\nname = "laptop"\nharness = "claude-code"\npath = ${JSON.stringify(folder)}\n`,
    )
    expect(await json('capture', '--once', '--source', 'laptop', '--json')).toMatchObject({ files: 1, sessions: 1 })
    expect((await search('sediment')).data.results.map(({ session }) => session.source).sort()).toContain('laptop')
  })

  test('captures the paths it is given', async () => {
    const report = await json('capture', '--once', '--json', join(machine.home, TRANSCRIPT))
    expect(report).toMatchObject({ files: 1, sessions: 1 })
  })

  test('does not capture, and still answers, while another process does', async () => {
    await json('capture', '--once', '--json')
    const engine = await openStore({ url: join(machine.home, '.varve', 'varve.db') })
    const lease = await takeCaptureLease({ engine, owner: 1, holder: 'elsewhere:7:x', clock: systemClock })
    try {
      expect(await machine.run(['capture', '--once'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('process 7 on elsewhere reads transcripts already'),
      })
      expect((await search('sediment')).data.result_count).toBe(1)
    } finally {
      await lease?.release()
      await engine.close()
    }
  })

  test('does not capture by itself where that is switched off', async () => {
    machine.env['VARVE_CAPTURE_ENABLED'] = 'false'
    expect((await search('sediment')).data.result_count).toBe(0)
    await json('capture', '--once', '--json')
    expect((await search('sediment')).data.result_count).toBe(1)
  })
})

describe('export', () => {
  beforeEach(async () => {
    machine.write(TRANSCRIPT, transcript.text)
    await json('capture', '--once', '--json')
  })

  test('holds nothing of what was said or done unless asked to', async () => {
    const { code, out } = await machine.run(['export'])
    expect(code).toBe(0)
    const rows = out.trim().split('\n')
    expect(rows.map((row) => (JSON.parse(row) as { kind: string }).kind)).toEqual(
      expect.arrayContaining(['session', 'event']),
    )
    for (const secret of ['sediment', 'core', '/home/me', transcript.sessionId]) expect(out).not.toContain(secret)
  })

  test('holds everything when asked to', async () => {
    const { out } = await machine.run(['export', '--include-sensitive'])
    expect(out).toContain(sentence)
    expect(out).toContain('/home/me/project')
  })

  test('is readable as Markdown', async () => {
    const { out } = await machine.run(['export', '--format', 'markdown', '--include-sensitive'])
    expect(out).toMatch(/^# /)
    expect(out).toContain(`\n${sentence}\n`)
    expect((await machine.run(['export', '--format', 'markdown'])).out).not.toContain('sediment')
  })

  test('is narrowed by filters', async () => {
    expect(await machine.run(['export', '--source', 'codex'])).toMatchObject({ code: 1, out: '' })
    expect(await machine.run(['export', '--since', '2027-01-01'])).toMatchObject({ code: 1 })
    expect(await machine.run(['export', '--since', 'soon'])).toMatchObject({ code: 2 })
    expect(await machine.run(['export', '--project', '/home/me/project'])).toMatchObject({ code: 0 })
    expect(await machine.run(['export', '--project', '/home/me/other'])).toMatchObject({ code: 1 })
  })
})

describe('forget', () => {
  let session: string
  beforeEach(async () => {
    machine.write(TRANSCRIPT, transcript.text)
    session = (await search('sediment')).data.results[0]?.session.id ?? ''
  })

  test.each([
    ['a session', () => [session]],
    ['a project', () => ['--project', '/home/me/project']],
    ['a source', () => ['--source', 'claude']],
  ])('removes %s, and later captures do not bring it back', async (_what, words) => {
    expect(await machine.run(['forget', ...words(), '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 session'),
    })
    expect((await search('sediment')).data.result_count).toBe(0)
    writeFileSync(join(machine.home, TRANSCRIPT), transcript.text.repeat(2))
    await json('capture', '--once', '--json')
    expect((await search('sediment')).data.result_count).toBe(0)
  })

  test('asks first, and takes anything but yes for a no', async () => {
    expect(await machine.run(['forget', session])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await machine.run(['forget', session], { answer: 'no' })).toMatchObject({ code: 1 })
    expect((await search('sediment')).data.result_count).toBe(1)
    expect(await machine.run(['forget', session], { answer: 'yes' })).toMatchObject({ code: 0 })
    expect((await search('sediment')).data.result_count).toBe(0)
  })

  test('needs exactly one thing to forget', async () => {
    expect(await machine.run(['forget', '--yes'])).toMatchObject({ code: 2 })
    expect(await machine.run(['forget', session, '--source', 'claude', '--yes'])).toMatchObject({ code: 2 })
    expect(await machine.run(['forget', 'event:evt_00000000000000000000000000', '--yes'])).toMatchObject({ code: 1 })
    expect(await machine.run(['forget', '--source', 'codex', '--yes'])).toMatchObject({ code: 1 })
  })
})
