import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { bundled } from './bundled.ts'

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/workflow.schema.json'), 'utf8'))
const accepts = new Ajv({ strict: false, allErrors: true }).compile(schema)

test.each(bundled)('the published JSON Schema takes $slug', ({ definition }) => {
  expect(accepts(definition), JSON.stringify(accepts.errors)).toBe(true)
})

test('it refuses what the program refuses', () => {
  const [first] = bundled
  const definition = structuredClone(first?.definition)
  expect(accepts({ ...definition, colour: 'green' })).toBe(false)
  expect(accepts({ ...definition, metadata: { name: 'x', version: '1', description: 'y' } })).toBe(false)
  expect(
    accepts({
      ...definition,
      nodes: [
        { id: 'a', type: 'dance' },
        { id: 'b', type: 'end' },
      ],
    }),
  ).toBe(false)
  expect(accepts({ ...definition, nodes: definition?.nodes.map((node) => ({ ...node, 'x-place': [1, 2] })) })).toBe(
    true,
  )
})
