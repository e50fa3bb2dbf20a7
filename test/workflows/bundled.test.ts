import { describe, expect, test } from 'vitest'
import { connectionsOf, type WorkflowDefinition } from '../../src/workflow/definition.ts'
import { validateDefinition } from '../../src/workflow/validate.ts'
import { bundled } from './bundled.ts'

test('the bundled workflows are there', () => {
  expect(bundled.map(({ slug }) => slug)).toEqual([
    'bug-hunt',
    'code-review',
    'development',
    'document',
    'quick-task',
    'release',
    'research',
    'workflow-authoring',
  ])
})

describe.each(bundled)('$slug', ({ slug, definition }) => {
  test('validates without an error or a warning', () => {
    expect(validateDefinition(definition)).toEqual([])
  })

  test('carries its catalogue data, a reminder and a picture of its progress', () => {
    expect(definition).toMatchObject({ slug, visibility: 'public', metadata: { author: 'Varve' } })
    expect(definition.systemReminder?.length).toBeGreaterThan(20)
    expect(definition.progress?.nodes.length).toBeGreaterThan(3)
    const ids = new Set(definition.nodes.map((node) => node.id))
    expect(definition.progress?.nodes.map((block) => block.id).filter((id) => !ids.has(id))).toEqual([])
  })

  test('stays small', () => {
    expect(definition.nodes.length).toBeLessThan(60)
    expect(directives(definition).length).toBeLessThanOrEqual(20)
    expect(directives(definition).filter(({ directive }) => directive.length > 1600)).toEqual([])
  })

  test('every step asks for content: something is required, no text may be empty', () => {
    for (const { id, inputSchema } of directives(definition)) {
      const required = inputSchema?.['required']
      expect(Array.isArray(required) && required.length, id).toBeGreaterThan(0)
      expect(emptyTexts(inputSchema), id).toEqual([])
    }
    for (const [name, entry] of Object.entries(definition.variableRegistry ?? {})) {
      expect(emptyTexts(entry), name).toEqual([])
    }
  })

  test('there is a way out and a way to ask from everywhere, and every end hands something out', () => {
    const teleports = definition.nodes.flatMap((node) => (node.type === 'teleport' ? [node.id] : []))
    expect(teleports.sort()).toEqual(['ask-user', 'stop'])
    const ends = definition.nodes.flatMap((node) => (node.type === 'end' ? [node] : []))
    expect(ends.length).toBeGreaterThanOrEqual(2)
    for (const end of ends) expect(end.finalOutput?.length, end.id).toBeGreaterThan(0)
  })

  test('the user decides somewhere, in their own words', () => {
    const asking = directives(definition).filter(({ inputSchema }) => namesOf(inputSchema).includes('user_words'))
    expect(asking.length).toBeGreaterThanOrEqual(2)
  })

  test('every loop passes a counter or a step in which the user decides', () => {
    const gates = new Set(
      definition.nodes.flatMap((node) => {
        if (node.type === 'expression')
          return node.expressions.some((line) => /= \w+ \+ 1$/.test(line)) ? [node.id] : []
        return node.type === 'agent-directive' && namesOf(node.inputSchema).includes('user_words') ? [node.id] : []
      }),
    )
    expect(loopWithout(definition, gates)).toBeNull()
  })
})

function directives(definition: WorkflowDefinition) {
  return definition.nodes.flatMap((node) => (node.type === 'agent-directive' || node.type === 'teleport' ? [node] : []))
}

function namesOf(schema: Record<string, unknown> | undefined): unknown[] {
  const names = schema?.['globalInputs']
  return Array.isArray(names) ? names : []
}

/** Where a schema takes a text that says nothing. */
function emptyTexts(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one, index) => emptyTexts(one, `${path}[${index}]`))
  const record = schema as Record<string, unknown>
  const bounded = ['minLength', 'enum', 'pattern', 'const'].some((keyword) => Object.hasOwn(record, keyword))
  const here = record['type'] === 'string' && !bounded ? [path] : []
  return [...here, ...Object.entries(record).flatMap(([key, value]) => emptyTexts(value, `${path}.${key}`))]
}

/** A way around that passes none of the gates; null when there is none. */
function loopWithout(definition: WorkflowDefinition, gates: ReadonlySet<string>): string[] | null {
  const next = new Map(definition.nodes.map((node) => [node.id, Object.values(connectionsOf(node))]))
  const cleared = new Set<string>()
  const search = (id: string, way: readonly string[]): string[] | null => {
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id]
    if (gates.has(id) || cleared.has(id)) return null
    for (const to of next.get(id) ?? []) {
      const loop = search(to, [...way, id])
      if (loop !== null) return loop
    }
    cleared.add(id)
    return null
  }
  for (const { id } of definition.nodes) {
    const loop = search(id, [])
    if (loop !== null) return loop
  }
  return null
}
