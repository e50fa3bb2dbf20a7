import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../../core/json.ts'
import { touchesOf } from './index.ts'

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url))

interface Call {
  name: string
  input: unknown
}

const SHAPES: Readonly<Record<string, string>> = {
  tool_use: 'input',
  function_call: 'arguments',
  custom_tool_call: 'input',
}

/** Tool calls at any depth of a record, in the shapes of Claude Code and Codex. */
function* callsIn(value: unknown): Generator<Call> {
  if (Array.isArray(value)) for (const item of value) yield* callsIn(item)
  if (!isRecord(value)) return
  const key = SHAPES[String(value.type)]
  if (key !== undefined && typeof value.name === 'string') yield { name: value.name, input: value[key] }
  for (const item of Object.values(value)) yield* callsIn(item)
}

function* recordsOf(harness: string): Generator<unknown> {
  // The body of a skipped suite is run all the same.
  if (!existsSync(corpus)) return
  for (const name of readdirSync(corpus + harness, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue
    for (const line of readFileSync(`${corpus}${harness}/${name}`, 'utf8').split('\n')) {
      try {
        yield JSON.parse(line)
      } catch {
        // Some transcripts are damaged on purpose.
      }
    }
  }
}

// Skipped where the shared transcripts are not next to the project.
describe.skipIf(!existsSync(corpus))('touches in recorded sessions', () => {
  const calls = ['claude-code', 'codex'].flatMap((harness) =>
    [...recordsOf(harness)].flatMap((each) => [...callsIn(each)]),
  )
  const touched = calls.map((call) => ({ call, touches: touchesOf({ ...call, cwd: '/repo' }) }))

  it('are clean absolute paths, but for those of a home', () => {
    const paths = touched.flatMap(({ touches }) => touches.map((touch) => touch.path))
    expect(paths.length).toBeGreaterThan(700)
    expect(
      paths.filter(
        (path) => !/^(?:\/|~\/|[A-Z]:\/)[^\n\r\0\\*;|&`<>"]+$/.test(path) || /\/\.{1,2}(?:\/|$)|\/\//.test(path),
      ),
    ).toEqual([])
  })

  it('are the one file of every call that reads or edits one', () => {
    for (const { call, touches } of touched) {
      if (!isRecord(call.input) || typeof call.input.file_path !== 'string') continue
      expect(touches.map((touch) => touch.path)).toEqual([expect.stringMatching(/./)])
      expect(touches[0]?.path.endsWith(call.input.file_path.replace(/^\.\//, ''))).toBe(true)
    }
  })

  it('are found in every patch', () => {
    const patches = touched.filter(
      ({ call }) => call.name === 'apply_patch' && /^\*\*\* \w+ File:/m.test(`${call.input}`),
    )
    expect(patches.length).toBeGreaterThan(0)
    expect(patches.filter(({ touches }) => !touches.some((touch) => touch.via === 'patch'))).toEqual([])
  })

  it('are none for tools without files', () => {
    const idle = new Set([
      'TodoWrite',
      'TaskUpdate',
      'WebSearch',
      'update_plan',
      'write_stdin',
      'Task',
      'Skill',
      'WebFetch',
    ])
    expect(touched.filter(({ call, touches }) => idle.has(call.name) && touches.length > 0)).toEqual([])
  })
})
