/**
 * Everything of the shared corpus and of the conformance fixtures, laid out in homes and captured by the program: nothing
 * crashes, counts equal those made by other means, and every client is found again. Skipped without ../shared.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/core/event.ts'
import { harnesses } from '../../src/harness/index.ts'
import { type CorpusArchive, captureCorpus, isCopy } from './archive.ts'
import {
  ABSENT,
  DIFFERENT_COPIES,
  NO_TOKENS,
  NOT_OVER,
  SAID,
  TITLED_OTHERWISE,
  TWO_STATES,
  UNKNOWN_KINDS,
  UNREADABLE,
} from './expected.ts'
import { isThere, shared } from './layout.ts'
import { titlesIn } from './titles.ts'

if (!isThere) console.info('skipped: capture of the whole corpus, which is not beside this checkout')

interface SessionRow {
  harness: string
  source: string
  native_id: string
  title: string | null
  turns: number
  /** How its last turn ended. */
  ending: string | null
  /** A transcript it stands in. */
  path: string | null
}

interface Listed {
  data: {
    sessions: { session: { id: string; harness: string; source: string; completed: boolean } }[]
    next_cursor: string | null
  }
}

describe.skipIf(!isThere)('the whole corpus, laid out in homes', { timeout: 60_000 }, () => {
  let archive: CorpusArchive
  let sessions: SessionRow[]
  beforeAll(async () => {
    archive = await captureCorpus()
    sessions = await archive.rows<SessionRow>(
      `SELECT session.harness, session.source, session.native_id, session.title, session.turn_count AS turns, turn.ending,
          (SELECT min(path) FROM event WHERE event.session_pk = session.pk) AS path
        FROM session LEFT JOIN turn ON turn.pk = session.last_turn_pk`,
    )
  }, 180_000)
  afterAll(() => archive?.close())

  /** A path as it is below all homes, with the home's name; what the client alone can tell is left out. */
  const place = (path: string): string => {
    const pass = archive.passes.find(({ folder }) => path.startsWith(`${folder}/`))
    const below = pass ? `${pass.home}${path.slice(pass.folder.length)}` : path
    return below.replace(/(\/\.cursor\/chats\/.+)#.*/, '$1#*')
  }

  test('every file is laid out, or passed over for a reason', () => {
    const { laid, passedOver } = archive.layout
    const files = ['corpus', 'conformance/harness-fixtures'].flatMap((folder) =>
      readdirSync(join(shared, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    )
    expect(laid.length + passedOver.size).toBe(files.length)
    expect([...passedOver.values()].every((reason) => reason !== '')).toBe(true)
  })

  test('each capture finds the files and records that are counted without it', async () => {
    for (const { home, counted, report } of archive.passes) {
      const records = counted.reduce((sum, each) => sum + each.records, 0)
      expect([home, report.finished, report.files, report.records]).toEqual([home, true, counted.length, records])
    }
    const stored = await archive.rows<{ harness: string; source: string; path: string; records: number }>(
      "SELECT harness, source, path, records FROM source_file WHERE head <> 'database.'",
    )
    const read = stored.map(({ harness, source, path, records }) => `${harness} ${source} ${place(path)} ${records}`)
    const counted = archive.passes.flatMap(({ home, counted: each }) =>
      each.map(({ harness, source, path, ended }) => `${harness} ${source} ${home}/${path} ${ended}`),
    )
    expect(read.sort()).toEqual(counted.sort())
  })

  test('each capture right after another has nothing to read', () => {
    for (const { home, report, again } of archive.passes) {
      const { files } = report
      expect([home, again]).toEqual([
        home,
        expect.objectContaining({ files, unchanged: files, records: 0, events: 0, changed: 0, sessions: 0, bytes: 0 }),
      ])
    }
  })

  test('a home that comes back, or is there twice, adds nothing', () => {
    for (const report of archive.returns) expect(report).toMatchObject({ events: 0, sessions: 0 })
    expect(archive.returns.reduce((sum, { changed }) => sum + changed, 0)).toBe(TWO_STATES)
    const copies = archive.passes.filter(({ home }) => isCopy(home))
    expect(copies.length).toBeGreaterThan(1)
    for (const { report } of copies) expect(report).toMatchObject({ events: 0, sessions: 0 })
    expect(copies.reduce((sum, { report }) => sum + report.changed, 0)).toBe(DIFFERENT_COPIES)
  })

  test('what is passed over is what is broken on purpose', async () => {
    const skipped = archive.passes.flatMap(({ report }) =>
      report.skipped.map(({ reason, path, line, count }) => `${reason} ${place(path)}:${line ?? ''} ${count}`),
    )
    expect(skipped.sort()).toEqual(UNREADABLE)
    const problems = await archive.rows<{ reason: string; path: string; record_index: number }>(
      'SELECT reason, path, record_index FROM problem',
    )
    expect(problems.map((row) => `${row.reason} ${place(row.path)}:${row.record_index + 1} 1`).sort()).toEqual(
      UNREADABLE.filter((line) => line.startsWith('not-json')),
    )
  })

  test('every session that the files name is there, and no other but for subagents', () => {
    const named = archive.passes.flatMap(({ counted }) =>
      counted.flatMap(({ harness, sessions: ids }) => (ids ?? []).map((id) => `${harness} ${id}`)),
    )
    const there = new Set(sessions.map(({ harness, native_id }) => `${harness} ${native_id}`))
    expect(named.filter((session) => !there.has(session))).toEqual([])
    const told = new Set(
      archive.passes
        .flatMap(({ counted }) => counted.filter((each) => each.sessions === undefined))
        .map(({ source }) => source),
    )
    const others = sessions.filter(
      ({ harness, source, native_id }) => !named.includes(`${harness} ${native_id}`) && !told.has(source),
    )
    expect(others.filter(({ native_id }) => !native_id.includes('/'))).toEqual([])
  })

  test('every harness and source has its sessions listed under it alone', async () => {
    // One of which nothing but its name is known is not shown.
    const shown = sessions.filter(({ turns }) => turns > 0)
    expect((await listed({})).length).toBe(shown.length)
    for (const { id, sources } of harnesses) {
      const ofHarness = await listed({ harness: id })
      expect([id, ofHarness.length]).toEqual([id, shown.filter(({ harness }) => harness === id).length])
      expect(ofHarness.every(({ harness }) => harness === id)).toBe(true)
      for (const { name } of sources) {
        const ofSource = await listed({ harness: id, source: name })
        expect(ofSource.every(({ harness, source }) => harness === id && source === name)).toBe(true)
        expect([name, ofSource.length > 0]).toEqual([name, !ABSENT.has(name)])
        expect(ofSource.length).toBe(shown.filter(({ source }) => source === name).length)
      }
    }
  })

  test('what was said in every source is found in it', async () => {
    const sources = harnesses.flatMap(({ sources: each }) => each.map(({ name }) => name))
    expect(Object.keys(SAID).sort()).toEqual(sources.filter((name) => !ABSENT.has(name)).sort())
    for (const [source, words] of Object.entries(SAID)) {
      const files = archive.passes.flatMap(({ folder, counted }) =>
        counted.filter((each) => each.source === source).map(({ path }) => join(folder, path.replace(/#.*$/, ''))),
      )
      expect([source, files.some((path) => readFileSync(path).includes(words))]).toEqual([source, true])
      const { results } = await archive.ask<{ results: { session: { source: string }; snippet: string }[] }>(
        'search_sessions',
        { query: `"${words}"`, source },
      )
      expect([source, results.length > 0]).toEqual([source, true])
      expect(results.every(({ session }) => session.source === source)).toBe(true)
    }
  })

  test('every session of a scenario is completed but those whose files say otherwise', () => {
    const scenarios = sessions.filter(({ path }) => path !== null && /^[a-g]-/.test(place(path)))
    expect(scenarios.length).toBeGreaterThan(80)
    const open = scenarios.filter(({ ending }) => ending === null)
    expect(open.map(({ harness, path }) => `${harness} ${place(path ?? '').split('/')[0]}`).sort()).toEqual(NOT_OVER)
    const failed = scenarios.filter(({ ending, path }) => ending === 'failed' && place(path ?? '').startsWith('e-'))
    // The last request of that scenario was refused; Continue keeps no turn that failed.
    const clients = new Set(
      scenarios.filter(({ path }) => place(path ?? '').startsWith('e-')).map(({ harness }) => harness),
    )
    expect(new Set(failed.map(({ harness }) => harness))).toEqual(
      new Set([...clients].filter((id) => id !== 'continue')),
    )
  })

  test('no event is unknown but what nobody could know', async () => {
    const unknown = await archive.rows<{ path: string; payload: string }>(
      `SELECT path, payload FROM event WHERE type = ${EVENT_TYPES.indexOf('unknown')}`,
    )
    const kinds = unknown.filter(({ path }) => !UNREADABLE.some((line) => line.includes(place(path))))
    expect(kinds.map(({ payload }) => kindOf(payload)).sort()).toEqual(UNKNOWN_KINDS)
    expect(unknown.length - kinds.length).toBe(UNREADABLE.filter((line) => line.startsWith('not-json')).length - 1)
  })

  test('tokens are counted where clients write them, and never out of bounds', async () => {
    const usage = await archive.rows<Record<'input' | 'output' | 'cache_read' | 'cache_write' | 'reasoning', number>>(
      'SELECT input, output, cache_read, cache_write, reasoning FROM usage',
    )
    for (const { input, output, cache_read, cache_write, reasoning } of usage) {
      for (const tokens of [input, output, cache_read, cache_write, reasoning]) expect(tokens).toBeGreaterThanOrEqual(0)
      expect(reasoning).toBeLessThanOrEqual(output)
      // No window of any model in the corpus is larger.
      expect(input + cache_read + cache_write).toBeLessThan(1_100_000)
      expect(output).toBeLessThan(130_000)
    }
    const counted = await archive.rows<{ harness: string }>('SELECT DISTINCT harness FROM usage')
    const without = harnesses.map(({ id }) => id).filter((id) => !counted.some(({ harness }) => harness === id))
    expect(without.sort()).toEqual(NO_TOKENS)
  })

  test('sessions have the titles that their clients gave them', () => {
    const homes = new Map(archive.passes.map(({ home, folder }) => [home, folder]))
    const titled = [...homes.values()].flatMap((folder) => titlesIn(folder))
    expect(titled.length).toBeGreaterThan(50)
    const other = titled.filter(
      ({ harness, session, title }) =>
        sessions.find((row) => row.harness === harness && row.native_id === session)?.title !== title,
    )
    expect(other.map(({ harness, session }) => `${harness} ${session}`)).toEqual(TITLED_OTHERWISE)
  })

  /** All pages of a listing. */
  async function listed(filters: object): Promise<Listed['data']['sessions'][number]['session'][]> {
    const found = []
    const range = { start_datetime: '1970-01-01T00:00:00Z', end_datetime: '2100-01-01T00:00:00Z', limit: 50 }
    let cursor: string | null = null
    do {
      const page: Listed['data'] = await archive.ask('list_sessions', {
        ...range,
        ...filters,
        ...(cursor && { cursor }),
      })
      found.push(...page.sessions.map(({ session }) => session))
      cursor = page.next_cursor
    } while (cursor !== null)
    return found
  }
})

/** What a record nobody understands calls itself. */
function kindOf(payload: string): string {
  const { type, kind, ...rest } = JSON.parse(payload) as Record<string, unknown>
  return String(type ?? kind ?? Object.keys(rest)[0])
}
