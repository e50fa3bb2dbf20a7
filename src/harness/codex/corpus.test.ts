/** Real rollouts of 2025 to 2026, and what 0.171 wrote when driven by a scripted model. */

import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../../core/json.ts'
import { fields } from './fields.ts'
import { readFile, readRecords, recordsOf, sourceFile, type Turn, turnsOf, usageOf } from './testing.ts'

const SHARED = fileURLToPath(new URL('../../../../shared/', import.meta.url))
const CORPUS = join(SHARED, 'corpus/codex')
const CONFORMANCE = join(SHARED, 'conformance/harness-fixtures/codex')
const SCENARIOS = join(CORPUS, 'generated/codex-0.171.0')

function rollouts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => join(folder, path))
    .sort()
}

/** `type` of a record, with the types inside it. */
function kindOf(value: unknown): string {
  const record = fields(value)
  const payload = fields(record.payload)
  const kinds = [record.type, payload.type, fields(payload.item).type ?? payload.role]
  return kinds.filter((kind) => kind !== undefined).join(' ')
}

function count(values: readonly unknown[], ...kinds: string[]): number {
  return values.filter((value) => kinds.includes(kindOf(value))).length
}

/** Cuts that are the same in every run. */
function cutsOf(length: number): Set<number> {
  return new Set(Array.from({ length: 8 }, (_, n) => (n * 7919 + 13) % Math.max(length, 1)))
}

describe.skipIf(!existsSync(CORPUS))('every rollout of the corpus (skipped without ../shared)', () => {
  const files = existsSync(CORPUS) ? [...rollouts(CORPUS), ...rollouts(CONFORMANCE)] : []

  it('makes at least one draft of each record, and knows all but what is no rollout', () => {
    const unknown: Record<string, number> = {}
    for (const file of files) {
      const values = recordsOf(file)
      readRecords(values, sourceFile(basename(file))).records.forEach((drafts, index) => {
        expect(drafts.length, `${file} ${index}`).toBeGreaterThan(0)
        if (!drafts.some(({ type }) => type === 'unknown')) return
        const kind = `${basename(file)} ${kindOf(values[index])}`.trim()
        unknown[kind] = (unknown[kind] ?? 0) + 1
      })
    }
    // What MCP servers were sent, prompts as typed, and the index of thread names: files beside rollouts.
    expect(unknown).toEqual({ 'mcp-messages.jsonl': 22, 'history.jsonl': 3, 'session_index.jsonl': 1 })
  })

  it('reads in pieces what it reads at once', () => {
    for (const file of files) {
      const values = recordsOf(file)
      const source = sourceFile(basename(file))
      const pieces = readRecords(values, source, cutsOf(values.length))
      expect(pieces, file).toEqual(readRecords(values, source))
    }
  })

  it('keeps what it remembers small', () => {
    for (const file of files) expect(JSON.stringify(readFile(file).state).length, file).toBeLessThan(12_000)
  })

  it('finds each genuine prompt once', () => {
    // Rollouts without events; prompts of which only one has an event; a task given by a parent agent.
    const others: Record<string, number> = {
      'interleaved_stream.jsonl': 2,
      'text_only_stream.jsonl': 1,
      'tool_call_stream.jsonl': 1,
      'codex-session.jsonl': 1,
      'session_branch.jsonl': 1,
      'session_simple.jsonl': 1,
      'session_toolcall.jsonl': 1,
      'schema_drift.jsonl': 1,
      'large.jsonl': 6,
      'rollout-2026-11-30T18-30-31-01a22db9-0ceb-7e82-86fe-5a375ceba34e.jsonl': 1,
    }
    let prompts = 0
    for (const file of files) {
      const values = recordsOf(file)
      const found = readFile(file).drafts.filter(({ opensTurn, copied }) => opensTurn && !copied).length
      const shown = count(values, 'event_msg user_message', 'event_msg item_completed UserMessage')
      expect(found, file).toBe(others[basename(file)] ?? shown)
      prompts += found
    }
    expect(prompts).toBe(98)
  })

  it('finds each answer and each call once', () => {
    for (const file of files.filter((path) => /EntityProcess|Python-AI|generated.*rollout-/.test(path))) {
      const values = recordsOf(file)
      const { drafts } = readFile(file)
      const summaries = values.filter((value) => fields(fields(value).metadata).compaction_output === true).length
      const answers = count(values, 'response_item message assistant') - summaries
      expect(drafts.filter(({ type }) => type === 'assistant_response').length, file).toBe(answers)
      const scripted = values.filter((value) => {
        const { id } = fields(fields(fields(value).payload).item)
        return typeof id === 'string' && id.startsWith('exec-')
      }).length
      const calls = ['function_call', 'custom_tool_call', 'tool_search_call', 'web_search_call']
      const direct = count(values, ...calls.map((kind) => `response_item ${kind}`))
      expect(drafts.filter(({ type }) => type === 'tool_call').length, file).toBe(direct + scripted)
    }
  })

  it('counts as many tokens as the client did in the end', () => {
    let checked = 0
    for (const file of files.filter((path) => /EntityProcess|Python-AI|generated.*rollout-/.test(path))) {
      const totals = recordsOf(file).flatMap((value) => {
        const usage = fields(fields(fields(value).payload).info).total_token_usage
        return isRecord(usage) ? [usage] : []
      })
      const last = totals.at(-1)
      if (!last) continue
      const { input, cacheRead, cacheWrite, output, reasoning } = usageOf(readFile(file).drafts)
      expect([input + cacheRead + cacheWrite, cacheRead, output, reasoning], file).toEqual([
        last.input_tokens,
        last.cached_input_tokens,
        last.output_tokens,
        last.reasoning_output_tokens,
      ])
      checked++
    }
    expect(checked).toBe(26)
  })

  it('knows the exit code of every command that told one', () => {
    const codes: Record<string, number> = {}
    for (const file of files.filter((path) => path.includes('EntityProcess'))) {
      for (const { type, tool } of readFile(file).drafts) {
        if (type === 'tool_response') codes[`${tool?.exitCode}`] = (codes[`${tool?.exitCode}`] ?? 0) + 1
      }
    }
    // 663 outputs say so in their first lines; the others were cut short, or go on in the background.
    expect(codes).toEqual({ 0: 631, 1: 18, 2: 9, 8: 1, 22: 1, 128: 1, 130: 2, undefined: 133 })
  })
})

/** A turn in short: prompt and answer by their beginning. */
function short({ prompt, ending, answer, calls }: Turn): unknown[] {
  return [prompt?.replace(/^.*\(ref (\w+)\)$/s, '$1'), ending, answer?.slice(0, 30), calls]
}

describe.skipIf(!existsSync(SCENARIOS))('scenarios of Codex 0.171 (skipped without ../shared)', () => {
  function scenario(name: string, place = 0) {
    const file = rollouts(join(SCENARIOS, name)).filter((path) => basename(path).startsWith('rollout-'))[place] ?? ''
    const { drafts, sessions } = readFile(file)
    return { turns: turnsOf(drafts).map(short), usage: usageOf(drafts), drafts, sessions }
  }

  it('a: two turns, the second one resumed', () => {
    const plain = scenario('a-two-turns')
    expect(plain.turns).toEqual([
      [
        'A1',
        'answered',
        'I wrote `greet.py` and changed',
        ['exec_command 0', 'apply_patch 0', 'exec_command 0', 'apply_patch 0', 'exec_command 3'],
      ],
      ['A2', 'answered', 'It prints "Good day" and the n', ['exec_command 0', 'exec_command 0']],
    ])
    expect(plain.usage).toEqual({ input: 16546, output: 364, cacheRead: 66188, cacheWrite: 0, reasoning: 53 })
    const scripted = scenario('a-two-turns@gpt-6.2-sol')
    expect(scripted.turns).toEqual([
      [
        'A1',
        'answered',
        'I wrote `greet.py` and changed',
        [
          'exec',
          'exec_command 0',
          'exec',
          'apply_patch',
          'exec',
          'exec_command 0',
          'exec',
          'apply_patch',
          'exec',
          'exec_command 3',
        ],
      ],
      ['A2', 'answered', 'It prints "Good day" and the n', ['exec', 'exec', 'exec_command 0', 'exec_command 0']],
    ])
    expect(scripted.usage).toEqual({ input: 26115, output: 493, cacheRead: 104450, cacheWrite: 0, reasoning: 53 })
    const changes = scripted.drafts.flatMap(({ tool }) =>
      tool?.name === 'apply_patch' && tool.input ? [tool.input] : [],
    )
    expect(changes.map((input) => Object.keys(fields(fields(input).changes)))).toEqual([
      ['/home/dev1/work/demo/greet.py'],
      ['/home/dev1/work/demo/greet.py'],
    ])
  })

  it('b: two interrupts, and the exit code that came after the second', () => {
    const { turns, usage, drafts } = scenario('b-interrupt')
    expect(turns).toEqual([
      ['B1', 'interrupted', undefined, []],
      ['B2', 'interrupted', undefined, ['exec_command']],
      ['B3', 'answered', 'In short: it reads a name and ', []],
    ])
    expect(usage).toEqual({ input: 3953, output: 44, cacheRead: 15812, cacheWrite: 0, reasoning: 0 })
    expect(drafts.filter(({ tool }) => tool?.exitCode === 137).map(({ type }) => type)).toEqual(['runtime'])
  })

  it('c: a subagent with a file of its own, in both generations', () => {
    const parent = scenario('c-subagent', 0)
    expect(parent.turns).toEqual([
      ['C1', 'answered', 'The helper counted three lines', ['tool_search', 'spawn_agent', 'tool_search', 'wait_agent']],
    ])
    expect(parent.usage).toEqual({ input: 11591, output: 180, cacheRead: 46364, cacheWrite: 0, reasoning: 18 })
    const child = scenario('c-subagent', 1)
    expect(child.turns).toEqual([['C2', 'answered', 'notes.txt has 3 lines.', ['exec_command 0']]])
    expect(child.usage).toEqual({ input: 3817, output: 36, cacheRead: 15267, cacheWrite: 0, reasoning: 8 })
    expect(child.sessions).toMatchObject([
      {
        nativeId: '01a22db6-43a2-72d2-b890-cedf4b98fced',
        parent: { nativeId: '01a22db6-42ea-7a71-ac4a-3e4e002c0f79', relation: 'subagent' },
      },
    ])
    expect(child.drafts.some(({ copied }) => copied)).toBe(false)

    const asker = scenario('c-subagent@gpt-6.2-sol', 0)
    expect(asker.turns).toEqual([['C1', 'answered', 'The helper counted three lines', ['spawn_agent', 'wait_agent']]])
    expect(asker.usage).toEqual({ input: 9370, output: 107, cacheRead: 37479, cacheWrite: 0, reasoning: 9 })
    const fork = scenario('c-subagent@gpt-6.2-sol', 1)
    expect(fork.turns).toMatchObject([
      [expect.stringContaining('NEW_TASK'), 'answered', 'notes.txt has 3 lines.', ['exec', 'exec_command 0']],
    ])
    expect(fork.usage).toEqual({ input: 6761, output: 53, cacheRead: 27047, cacheWrite: 0, reasoning: 8 })
    expect(fork.sessions).toMatchObject([
      {
        nativeId: '01a22db9-0ceb-7e82-86fe-5a375ceba34e',
        parent: { nativeId: '01a22db9-0c88-7270-9645-aeeaeaf9fc24', relation: 'subagent' },
      },
    ])
    expect(fork.drafts.filter(({ copied }) => copied)).toHaveLength(17)
  })

  it('d: a compaction in the middle of a turn neither opens nor ends one', () => {
    const plain = scenario('d-compact')
    expect(plain.turns).toEqual([
      ['D1', 'answered', 'notes.txt holds three short no', ['exec_command 0']],
      ['D2', 'answered', 'It has nine words.', ['exec_command 0']],
      ['D3', 'answered', 'You are welcome.', []],
    ])
    expect(plain.usage).toEqual({ input: 209438, output: 1035, cacheRead: 35751, cacheWrite: 0, reasoning: 8 })
    const scripted = scenario('d-compact@gpt-6.2-sol')
    expect(scripted.turns).toEqual([
      ['D1', 'answered', 'notes.txt holds three short no', ['exec', 'exec_command 0']],
      ['D2', 'answered', 'It has nine words.', ['exec', 'exec_command 0']],
      ['D3', 'answered', 'You are welcome.', []],
    ])
    expect(scripted.usage).toEqual({ input: 214581, output: 1051, cacheRead: 56326, cacheWrite: 0, reasoning: 8 })
    for (const { drafts } of [plain, scripted])
      expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  })

  it('e: a retry that leaves no trace, and an error that ends a turn', () => {
    const { turns, usage } = scenario('e-error')
    expect(turns).toEqual([
      ['E1', 'answered', 'Hello. The first try failed, t', []],
      ['E2', 'failed', undefined, []],
    ])
    expect(usage).toEqual({ input: 1909, output: 14, cacheRead: 7634, cacheWrite: 0, reasoning: 0 })
  })

  it('f: tools of an MCP server, called directly and from a script', () => {
    const plain = scenario('f-mcp')
    expect(plain.turns).toEqual([
      [
        'F1',
        'answered',
        'The echo came back, the sum is',
        ['tool_search', 'probe/echo', 'probe/add', 'probe/fail failed'],
      ],
    ])
    expect(plain.usage).toEqual({ input: 10576, output: 135, cacheRead: 42302, cacheWrite: 0, reasoning: 18 })
    const scripted = scenario('f-mcp@gpt-6.2-sol')
    expect(scripted.turns).toEqual([
      [
        'F1',
        'answered',
        'The echo came back, the sum is',
        ['exec', 'probe/echo', 'exec', 'probe/add', 'exec', 'probe/fail failed'],
      ],
    ])
    expect(scripted.usage).toEqual({ input: 12590, output: 134, cacheRead: 50362, cacheWrite: 0, reasoning: 9 })
  })

  it('g: a terminal session, whose compact command is no turn of the conversation', () => {
    const { turns, usage, drafts } = scenario('g-terminal@gpt-6.2-sol')
    expect(turns).toEqual([
      ['G1', 'answered', 'That is all.', ['exec', 'exec_command 0']],
      ['G2', 'interrupted', undefined, []],
      ['G3', 'answered', 'You are welcome.', []],
    ])
    expect(usage).toEqual({ input: 12614, output: 330, cacheRead: 50459, cacheWrite: 0, reasoning: 8 })
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  })
})
