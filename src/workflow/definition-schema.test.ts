import { Ajv } from 'ajv'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { raw, start, teaWorkflow } from './definition.testing.ts'
import { workflowJsonSchema } from './definition-schema.ts'
import { formCases } from './validation/form-cases.testing.ts'
import { schemaIssues } from './validation/schema-stage.ts'

describe('the published JSON Schema', () => {
  const ajv = new Ajv({ strict: false })
  const formats = addFormats as unknown as FormatsPlugin
  formats(ajv)
  const schema = workflowJsonSchema()
  const validate = ajv.compile(schema)

  it('is a draft-07 schema with a title and a description for what needs one', () => {
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Varve workflow',
      type: 'object',
    })
    expect(JSON.stringify(schema)).toContain('Milliseconds a visit may take')
  })

  it('takes what validation takes, an author’s own x- keys included', () => {
    expect(validate(teaWorkflow()), ajv.errorsText(validate.errors)).toBe(true)
    for (const { whole, what } of formCases) {
      if (schemaIssues(whole).length > 0) continue
      expect(validate(whole), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true)
    }
  })

  it('refuses what the stage of forms refuses, but for what a schema cannot say', () => {
    // Blank texts are no schema matter.
    const beyond = ['a blank name', 'a blank description']
    for (const { broken, what, code } of formCases) {
      if (schemaIssues(broken).length === 0 || beyond.includes(what)) continue
      expect(validate(broken), `${code} ${what}`).toBe(false)
    }
  })

  it('refuses an unknown key that does not begin with x-', () => {
    const node = start('fin')
    const end = { id: 'fin', type: 'end' }
    expect(validate(raw([{ ...node, 'x-mine': 1 }, end]))).toBe(true)
    expect(validate(raw([{ ...node, mine: 1 }, end]))).toBe(false)
  })
})
