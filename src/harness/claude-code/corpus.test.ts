/** Reads the shared corpus of real transcripts, 1.0 to 2.1; passes, and says so, where it is missing. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft, SessionFacts } from '../../core/event.ts'
import {
  corpusFile,
  jsonlFiles,
  parseFile,
  readRecords,
  sharedCorpus,
  type Turn,
  totalUsage,
  turnsOf,
} from './testing.ts'

const corpus = sharedCorpus()
const files = corpus === undefined ? [] : jsonlFiles(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => {
    expect(files.length).toBeGreaterThan(40)
  })

  test.each(files.map((path) => [path.slice(corpus?.length), path]))(
    '%s yields a draft for every record',
    (_name, path) => {
      const readings = readRecords(parseFile(path), corpusFile(path))
      expect(readings.every(({ drafts }) => drafts.length > 0)).toBe(true)
      for (const { drafts } of readings) {
        expect(drafts.map(({ native }) => native.index)).toEqual(drafts.map((_draft, index) => index))
      }
    },
  )

  test.each(files.map((path) => [path.slice(corpus?.length), path]))('%s reads in halves as at once', (_name, path) => {
    const records = parseFile(path)
    const file = corpusFile(path)
    const whole = readRecords(records, file)
    for (const part of [0.13, 0.5, 0.87]) {
      expect(readRecords(records, file, Math.floor(records.length * part))).toEqual(whole)
    }
  })

  test('leaves unknown only what is no transcript: journal lines, prompt history and an MCP log', () => {
    const unknown = new Set<string>()
    for (const path of files) {
      for (const { drafts } of readRecords(parseFile(path), corpusFile(path))) {
        for (const { type, payload } of drafts) if (type === 'unknown') unknown.add(kindOf(payload))
      }
    }
    expect([...unknown].sort()).toEqual([
      'at dir m',
      'display pastedContents project sessionId timestamp',
      'result',
      'started',
    ])
  })

  test('keeps base64 and whole records out of texts and payloads', () => {
    for (const path of files) {
      for (const { drafts } of readRecords(parseFile(path), corpusFile(path))) {
        for (const draft of drafts) {
          expect(draft.text).not.toMatch(/[A-Za-z0-9+/]{5000}/)
          expect(JSON.stringify(draft.payload ?? '').length).toBeLessThan(draft.type === 'unknown' ? 25_000 : 8_000)
        }
      }
    }
  })

  test('a growing file reads as a prefix of what it becomes', () => {
    const states = files.filter((path) => path.includes('growth-'))
    expect(states).toHaveLength(5)
    const readings = states.map((path) =>
      readRecords(parseFile(path), { ...corpusFile(path), relative: 'p/growing.jsonl' }),
    )
    const last = readings[readings.length - 1] ?? []
    for (const earlier of readings) expect(last.slice(0, earlier.length)).toEqual(earlier)
  })
})

function kindOf(payload: unknown): string {
  const record = payload as Record<string, unknown>
  return typeof record['type'] === 'string' ? record['type'] : Object.keys(record).sort().join(' ')
}

interface Scenario {
  drafts: Draft[]
  facts: SessionFacts[]
  turns: (session?: string) => Turn[]
}

function scenario(name: string): Scenario {
  const paths = jsonlFiles(join(corpus ?? '', 'generated', 'claude-code-2.1.332', name)).filter((path) =>
    path.replaceAll('\\', '/').includes('/.claude/projects/'),
  )
  const readings = paths.flatMap((path) => readRecords(parseFile(path), corpusFile(path)))
  const drafts = readings.flatMap((reading) => reading.drafts)
  const main = drafts.find(({ session }) => !session.includes('/'))?.session
  return {
    drafts,
    facts: readings.flatMap(({ sessions }) => sessions ?? []),
    turns: (session = main) => turnsOf(drafts.filter((draft) => draft.session === session)),
  }
}

describe.skipIf(corpus === undefined)('the scenarios of client 2.1.332', () => {
  test('a: two turns, the second resumed in the same file', () => {
    const { drafts, turns } = scenario('a-two-turns')
    expect(turns()).toEqual([
      {
        prompt: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
        ending: 'answered',
        tools: ['Bash 0', 'ToolSearch', 'TaskCreate', 'Write', 'Read', 'Edit', 'Bash 3'],
      },
      {
        prompt: 'What does the script do now, and how long is it? (ref A2)',
        ending: 'answered',
        tools: ['Bash 0', 'Bash 0'],
      },
    ])
    // The client's own total (its last cost-state record) says the same.
    expect(totalUsage(drafts)).toEqual({ input: 40796, output: 448, cacheRead: 168323, cacheWrite: 23237 })
  })

  test('b: an answer cut short, a command cut short, and an answer', () => {
    const { drafts, turns } = scenario('b-interrupt')
    expect(turns()).toEqual([
      { prompt: 'Explain at length how a greeting script works. (ref B1)', ending: 'interrupted', tools: [] },
      { prompt: 'Run the slow check. (ref B2)', ending: 'interrupted', tools: ['Bash failed'] },
      { prompt: 'Continue after the interruption, briefly. (ref B3)', ending: 'answered', tools: [] },
    ])
    expect(totalUsage(drafts)).toEqual({ input: 24204, output: 53, cacheRead: 35645, cacheWrite: 6650 })
  })

  test('c: a subagent is a session of its own below the call that started it', () => {
    const { drafts, facts, turns } = scenario('c-subagent')
    const parent = '36dafe14-eb82-40ed-9c99-b80c424c9826'
    const child = `${parent}/agent-a13f1e30e6d5a404b`
    expect(new Set(drafts.map(({ session }) => session))).toEqual(new Set([parent, child]))
    expect(turns(parent)).toEqual([
      {
        prompt: 'Have a helper count the lines of notes.txt and tell me the number. (ref C1)',
        ending: 'answered',
        tools: ['Agent'],
      },
    ])
    expect(turns(child)).toEqual([
      {
        prompt: 'Count the lines of the file notes.txt in the current folder and report only the number. (ref C2)',
        ending: 'answered',
        tools: ['Bash 0'],
      },
    ])
    expect(facts).toContainEqual({
      nativeId: child,
      parent: { nativeId: parent, relation: 'subagent', callId: 'toolu_01eoysdlKcbU6Zn8RtoUhOOn' },
    })
    const own = (session: string) => totalUsage(drafts.filter((draft) => draft.session === session))
    expect(own(parent)).toEqual({ input: 21986, output: 93, cacheRead: 17865, cacheWrite: 4428 })
    expect(own(child)).toEqual({ input: 12536, output: 42, cacheRead: 10471, cacheWrite: 2556 })
  })

  test('d: a compaction is no turn', () => {
    const { drafts, turns } = scenario('d-compact')
    expect(turns()).toEqual([
      { prompt: 'Show me notes.txt and say what it holds. (ref D1)', ending: 'answered', tools: ['Bash 0'] },
      { prompt: 'And how many words does it have? (ref D2)', ending: 'answered', tools: ['Bash 0'] },
      { prompt: 'Thanks. One last line, please. (ref D3)', ending: 'answered', tools: [] },
    ])
    const compactions = drafts.filter(({ type }) => type === 'compaction')
    expect(compactions.map(({ text }) => text.slice(0, 32))).toEqual([
      'Conversation compacted',
      'This session is being continued ',
    ])
    expect(totalUsage(drafts)).toEqual({ input: 226195, output: 996, cacheRead: 41588, cacheWrite: 6643 })
  })

  test('e: a retried request is answered, a refused one fails', () => {
    const { drafts, turns } = scenario('e-error')
    expect(turns()).toEqual([
      { prompt: 'Say hello after a hiccup. (ref E1)', ending: 'answered', tools: [] },
      { prompt: 'Say hello again. (ref E2)', ending: 'failed', tools: [] },
    ])
    expect(drafts.filter(({ ends }) => ends === 'failed').map(({ text }) => text)).toEqual([
      'Failed to authenticate. API Error: 401 invalid api key (scripted)',
    ])
    expect(totalUsage(drafts)).toEqual({ input: 19744, output: 14, cacheRead: 0, cacheWrite: 2194 })
  })

  test('f: MCP tools carry their server', () => {
    const { drafts, turns } = scenario('f-mcp')
    expect(turns()).toEqual([
      {
        prompt: 'Use the probe server: echo a word, add two numbers, then call its failing tool. (ref F1)',
        ending: 'answered',
        tools: ['ToolSearch', 'probe/echo', 'ToolSearch', 'probe/add', 'ToolSearch', 'probe/fail failed'],
      },
    ])
    const outputs = drafts.filter(({ type }) => type === 'tool_response').map(({ text }) => text)
    expect(outputs).toEqual([
      'mcp__probe__echo',
      'echo: hello probe',
      'mcp__probe__add',
      '{"sum":42}',
      'mcp__probe__fail',
      'this tool always fails',
    ])
    expect(totalUsage(drafts)).toEqual({ input: 33386, output: 183, cacheRead: 108528, cacheWrite: 15769 })
  })

  test('g: a terminal session with Escape and a compact command', () => {
    const { drafts, turns, facts } = scenario('g-terminal')
    expect(turns()).toEqual([
      { prompt: 'Show me notes.txt, please. (ref G1)', ending: 'answered', tools: ['Bash 0'] },
      { prompt: 'Explain at length how to keep notes. (ref G2)', ending: 'interrupted', tools: [] },
      { prompt: 'Thanks, that is enough. (ref G3)', ending: 'answered', tools: [] },
    ])
    expect(facts[0]).toEqual({
      nativeId: '1d2b301c-37e6-4f90-b43d-2b532c5952f0',
      cwd: '/home/dev1/work/demo',
      branch: 'main',
      cliVersion: '2.1.332',
    })
    expect(totalUsage(drafts)).toEqual({ input: 27812, output: 55, cacheRead: 56366, cacheWrite: 9352 })
  })
})
