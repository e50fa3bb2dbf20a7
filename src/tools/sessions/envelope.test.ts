import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '../../core/errors.ts'
import type { Services, Tool } from '../tool.ts'
import { fileAttention } from './file-attention/index.ts'
import { listSessions } from './list-sessions.ts'
import { open } from './open/index.ts'
import { searchSessions, searchSessionsTool } from './search-sessions.ts'
import { answer, at, plainSearch, prompt, START, type TestArchive, testArchive, textAt } from './tools.testing.ts'

const tools: Tool[] = [searchSessions, open, listSessions, fileAttention]
const RANGE = { start_datetime: '2026-04-29T00:00:00Z', end_datetime: '2026-04-30T00:00:00Z' }

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
  await archive.write({ session: 's1', events: [prompt('Fix the migration'), answer('Done')] })
})
afterEach(() => archive.close())

async function withServices(changed: Partial<Services>, run: (other: TestArchive) => Promise<void>): Promise<void> {
  const other = await testArchive({ engine: archive.engine, ...changed })
  await run(other)
}

describe('the envelope of every tool', () => {
  it('C15: answers arguments that are no object with a handled invalid_request', async () => {
    for (const tool of tools) {
      for (const args of [null, undefined, 'text', ['query'], true, 7]) {
        const result = await archive.ask(tool, args)
        expect(at(result, 'error.code')).toBe('invalid_request')
        expect(at(result, 'request')).toEqual({})
        expect(at(result, 'schema_version')).toBe('moraine.mcp.error.v1')
        expect(at(result, 'tool')).toBe(tool.name)
      }
    }
  })

  it('C17: success and error both carry structured content that fits the published schema', async () => {
    const good = await archive.ask(listSessions, RANGE)
    expect(good.isError).toBe(false)
    expect(at(good, 'schema_version')).toBe('moraine.mcp.list_sessions.v1')
    expect(at(good, 'warnings')).toEqual([])
    const bad = await archive.ask(listSessions, {})
    expect(bad.isError).toBe(true)
    expect(bad.text).toContain('start_datetime is required')
  })

  it('refuses unknown fields by name in all four tools', async () => {
    const valid: Record<string, unknown>[] = [{ query: 'x' }, { id: 'x' }, RANGE, { path: 'a.ts' }]
    for (const [place, tool] of tools.entries()) {
      const result = await archive.ask(tool, { ...valid[place], colour: 'red' })
      expect(at(result, 'error.code')).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe('colour')
    }
  })

  it('C22: keeps the failures of databases apart and hides what they say', async () => {
    const failures = [
      [Object.assign(new Error('secret table'), { code: 'SQLITE_CORRUPT' }), 'backend_failure'],
      [Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' }), 'backend_failure'],
      [Object.assign(new Error('secret'), { code: '42P01', severity: 'ERROR' }), 'backend_failure'],
      [Object.assign(new Error('secret'), { code: '53100', severity: 'ERROR' }), 'resource_exhausted'],
      [Object.assign(new Error('secret'), { code: 'SQLITE_FULL' }), 'resource_exhausted'],
      [Object.assign(new Error('secret'), { code: '57014', severity: 'ERROR' }), 'cancelled'],
      [new UserError('deadline_exceeded', 'the deadline has passed'), 'deadline_exceeded'],
      [new UserError('busy', 'too many calls'), 'busy'],
      [new TypeError('secret is undefined'), 'internal_error'],
    ] as const
    for (const [error, code] of failures) {
      const failing = searchSessionsTool(async () => {
        throw error
      })
      const result = await archive.ask(failing, { query: 'x' })
      expect(at(result, 'error.code')).toBe(code)
      expect(JSON.stringify(result.structured) + result.text).not.toContain('secret')
      if (code === 'internal_error' || code === 'backend_failure') expect(result.cause).toBe(error)
    }
  })

  it('C25: adds coverage of exactly three fields, and a warning when it is not complete', async () => {
    await withServices(
      {
        coverage: async () => ({
          state: 'partial' as const,
          reason: 'files_unread',
          observed_at_unix_ms: 5,
          host: 'secret',
        }),
      },
      async (other) => {
        const result = await other.ask(listSessions, RANGE)
        expect(at(result, 'data.coverage')).toEqual({
          state: 'partial',
          reason: 'files_unread',
          observed_at_unix_ms: 5,
        })
        expect(textAt(result, 'warnings.0')).toMatch(/^coverage_partial: .*files_unread/)
        expect(result.text).toContain('Warning: coverage_partial')
        expect(at(result, 'data.result_count')).toBe(1)
      },
    )
  })

  it('C25: stands without coverage when it cannot be had, and leaks nothing', async () => {
    const coverage = async () => {
      throw new Error('secret path')
    }
    await withServices({ coverage }, async (other) => {
      const result = await other.ask(listSessions, RANGE)
      expect(at(result, 'data.coverage.state')).toBe('unknown')
      expect(at(result, 'data.coverage.reason')).toBe('status_unavailable')
      expect(textAt(result, 'warnings.0')).toMatch(/^coverage_unknown/)
      expect(JSON.stringify(result)).not.toContain('secret')
    })
  })

  it('C31: counts elapsed time from acceptance', async () => {
    const result = await listSessions.call(archive.services, archive.caller, RANGE, START - 1234)
    expect(at(result, 'performance.elapsed_ms')).toBe(1234)
  })

  it('answers cancelled when the caller is gone before or while it works', async () => {
    const gone = { ...archive.caller, signal: AbortSignal.abort() }
    for (const tool of [searchSessions, listSessions]) {
      const result = await archive.ask(tool, tool === listSessions ? RANGE : { query: 'x' }, gone)
      expect(at(result, 'error.code')).toBe('cancelled')
    }
    const controller = new AbortController()
    const slow = searchSessionsTool(async (...args) => {
      controller.abort()
      return plainSearch(...args)
    })
    const result = await archive.ask(slow, { query: 'x' }, { ...archive.caller, signal: controller.signal })
    expect(at(result, 'error.code')).toBe('cancelled')
  })

  it('does not send long refused arguments back whole', async () => {
    const result = await archive.ask(open, { id: 'x'.repeat(100_000), cursor: { deep: 'y'.repeat(100_000) } })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.structured).length).toBeLessThan(2_000)
  })

  it('accepts null for every optional argument', async () => {
    const nulls = (tool: Tool) =>
      Object.fromEntries(
        Object.entries(tool.input.shape)
          .filter(([, schema]) => schema.safeParse(undefined).success)
          .map(([name]) => [name, null]),
      )
    const results = [
      await archive.ask(searchSessions, { ...nulls(searchSessions), query: 'migration' }),
      await archive.ask(listSessions, { ...nulls(listSessions), ...RANGE }),
      await archive.ask(fileAttention, { ...nulls(fileAttention), path: 'a.ts' }),
    ]
    for (const result of results) expect(result.isError).toBe(false)
    const session = textAt(results[0] ?? { text: '', structured: {}, isError: true }, 'data.results.0.open.session_id')
    expect((await archive.ask(open, { ...nulls(open), id: session })).isError).toBe(false)
  })
})

describe('the published schemas', () => {
  it('C18, C19: are flat objects without combinators or null types, every parameter described', async () => {
    const { z } = await import('zod')
    for (const tool of tools) {
      const schema = z.toJSONSchema(tool.describe?.(archive.services, tool.input) ?? tool.input, { io: 'input' })
      expect(schema.type).toBe('object')
      expect(JSON.stringify(schema)).not.toMatch(/"(oneOf|anyOf|allOf|\$ref)"|"null"|"type":\[/)
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        expect(typeof property === 'object' && property.description, `${tool.name}.${name}`).toBeTruthy()
      }
      const output = z.toJSONSchema(tool.output)
      expect(output.type).toBe('object')
      expect(output).not.toHaveProperty('oneOf')
    }
  })

  it('C18: name the configured sources and the harnesses', () => {
    for (const tool of [searchSessions, listSessions, fileAttention]) {
      const described = tool.describe?.(archive.services, tool.input)
      expect(described?.shape.source?.description).toContain('claude, codex')
      expect(described?.shape.harness?.description).toContain('claude-code')
    }
  })

  it('have descriptions below 700 characters, a title, and all four annotations', () => {
    for (const { description, title, annotations } of tools) {
      expect(description.length).toBeLessThan(700)
      expect(title).not.toBe('')
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
    }
  })
})
