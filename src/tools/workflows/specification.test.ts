import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../../core/json.ts'
import { listTool } from '../../mcp/listing.ts'
import { tools } from '../index.ts'

const served = tools.filter(({ toolset }) => toolset === 'workflows')
const surface = { sourceNames: [], harnesses: [], maxResults: 25 }

function published(name: string): Record<string, unknown> {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return listTool(tool, surface).inputSchema
}

/** A schema without what only people read. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare)
  if (!isRecord(schema)) return schema
  const said = Object.entries(schema).filter(
    ([name, value]) => name !== '$schema' && (name !== 'description' || typeof value !== 'string'),
  )
  return Object.fromEntries(said.map(([name, value]) => [name, bare(value)]))
}

function validator(name: string) {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(published(name))
}

describe('what the workflow tools publish', () => {
  it('T1: are the seven tools of the toolset, in order', () => {
    expect(served.map(({ name }) => name)).toEqual(['list', 'start', 'step', 'manage', 'session', 'notes', 'help'])
  })

  it('T2: every input schema is one flat, closed object, the same in draft-07', () => {
    for (const { name } of served) {
      const schema = published(name)
      expect(schema, name).toMatchObject({ type: 'object', additionalProperties: false })
      for (const word of ['oneOf', 'anyOf', 'allOf', '$ref']) expect(schema, name).not.toHaveProperty(word)
      expect(() => validator(name), name).not.toThrow()
      const known = JSON.stringify(schema)
      for (const word of ['prefixItems', 'unevaluated', '$dynamic', '$defs'])
        expect(known, name).not.toContain(`"${word}`)
    }
  })

  it('T4: every published example validates', () => {
    for (const tool of served) {
      const validate = validator(tool.name)
      expect(tool.examples?.length, tool.name).toBeGreaterThan(0)
      for (const example of tool.examples ?? []) {
        expect(validate(example), `${tool.name} ${JSON.stringify(example)}: ${JSON.stringify(validate.errors)}`).toBe(
          true,
        )
      }
    }
  })

  it('T8: only the fields every call needs are required', () => {
    const required = Object.fromEntries(served.map(({ name }) => [name, published(name)['required'] ?? []]))
    expect(required).toEqual({
      list: [],
      start: ['action'],
      step: ['processId', 'attemptId'],
      manage: ['action'],
      session: ['action'],
      notes: ['action'],
      help: [],
    })
  })

  it('T9: the actions are as many as there are to be', () => {
    const counts = served.map(({ name, actions }) => [name, actions?.length])
    expect(Object.fromEntries(counts)).toMatchObject({ start: 2, manage: 24, session: 18, notes: 6 })
  })

  it('describe every argument and stay within what clients show', () => {
    for (const { name, description } of served) {
      expect(description.length, name).toBeLessThan(700)
      for (const [field, schema] of Object.entries(published(name)['properties'] as object)) {
        expect(schema, `${name}.${field}`).toHaveProperty('description')
      }
    }
  })
})

/** The seven tools of the catalogue in its order, with those that are not served yet. */
const ORDER = [
  ...['list', 'reconciliation', 'start', 'step', 'manage', 'help', 'settings', 'token', 'communication', 'session'],
  ...['notes', 'playbooks', 'artifacts', 'lock', 'workspace'],
]

const reference = fileURLToPath(new URL('../../../../shared/spec/workflows-reference.txt', import.meta.url))

/** The JSON value that begins at a place, and where it ends. */
function readJson(text: string, from: number): { value: unknown; end: number } {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return { value: JSON.parse(text.slice(from, at + 1)), end: at + 1 }
  }
  throw new Error(`no JSON at ${from}`)
}

function readCatalogue(): Map<string, { schema: unknown; examples: unknown[] }> {
  const text = readFileSync(reference, 'utf8')
  const found = new Map<string, { schema: unknown; examples: unknown[] }>()
  let at = 0
  for (const name of ORDER) {
    at = text.indexOf('Input schema\n{', at) + 'Input schema\n'.length
    const schema = readJson(text, at)
    at = text.indexOf('\n', schema.end) + 1
    const examples: unknown[] = []
    while (text[at] === '{') {
      const example = readJson(text, at)
      examples.push(example.value)
      at = example.end
    }
    found.set(name, { schema: schema.value, examples })
  }
  return found
}

describe.skipIf(!existsSync(join(reference)))('held against the reference of the tools', () => {
  for (const { name } of served) {
    it(`${name}: the published schema says the same`, () => {
      expect(bare(published(name))).toEqual(bare(readCatalogue().get(name)?.schema))
    })

    it(`T4: ${name}: the reference's example inputs validate`, () => {
      const validate = validator(name)
      const examples = readCatalogue().get(name)?.examples ?? []
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
    })
  }
})
