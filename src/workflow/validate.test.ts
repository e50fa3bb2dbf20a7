import { describe, expect, it } from 'vitest'
import { ask, end, raw, start, teaWorkflow, workflow } from './definition.testing.ts'
import { parseDefinition } from './definition-schema.ts'
import { errorText, legacyValidation, resolverFor, validateDefinition, validationResult } from './validate.ts'
import { issueCodes } from './validation/codes.ts'
import { conditionCases } from './validation/condition-cases.testing.ts'
import { formCases as otherFormCases } from './validation/form-cases.testing.ts'
import { graphCases } from './validation/graph-cases.testing.ts'
import { referenceCases } from './validation/reference-cases.testing.ts'

const formCases = [...otherFormCases, ...conditionCases()]
const cases = [...formCases, ...graphCases, ...referenceCases]

describe('every check finds what is broken, and only that', () => {
  it.each(cases.map((one) => [`${one.code}: ${one.what}`, one] as const))(
    '%s',
    (_name, { code, broken, whole, nodeId, field, known }) => {
      const found = validateDefinition(broken, known).filter((issue) => issue.code === code)
      expect(found.length).toBeGreaterThan(0)
      const issue = found.find((one) => one.nodeId === nodeId && (field === undefined || one.field === field))
      expect(issue, JSON.stringify(found)).toBeDefined()
      expect(issue).toMatchObject({ type: issueCodes[code].type, severity: issueCodes[code].severity })
      expect(issue?.message.length).toBeGreaterThan(10)
      expect(issue?.remedy.length).toBeGreaterThan(5)
      if (nodeId !== undefined) expect(issue?.message).toContain(`"${nodeId}"`)
      expect(validateDefinition(whole, known).filter((one) => one.code === code)).toEqual([])
    },
  )

  it('every code has a case', () => {
    const tried = new Set(cases.map((one) => one.code))
    expect(Object.keys(issueCodes).filter((code) => !tried.has(code as keyof typeof issueCodes))).toEqual([])
  })

  it('a fault of form is one finding: no check answers for another', () => {
    for (const one of formCases.filter(({ code }) => code !== 'V1')) {
      const errors = validateDefinition(one.broken).filter((issue) => issue.severity === 'error')
      expect([...new Set(errors.map((issue) => issue.code))], `${one.code}: ${one.what}`).toEqual([one.code])
    }
  })
})

describe('the result of validation', () => {
  const broken = raw([start('x'), ask('x', 'nowhere', {}, { directive: '{{ghost}}', maxRetries: 1 }), end()])

  it('C53: every finding has type, severity, code, message and remedy; both shapes agree', () => {
    const issues = validateDefinition(broken)
    for (const issue of issues) {
      expect(issue.type).toMatch(/^(schema|structure|connection|node)$/)
      expect(issue.severity).toMatch(/^(error|warning)$/)
      expect(issue.code).toMatch(/^V\d+$/)
    }
    const unified = validationResult(issues)
    const legacy = legacyValidation(issues)
    expect(unified.valid).toBe(false)
    expect(legacy.valid).toBe(unified.valid)
    expect(legacy.errors.length + legacy.warnings.length).toBe(issues.length)
    expect(legacy.errors).toContainEqual({
      type: 'connections',
      code: 'V27',
      nodeId: 'x',
      path: 'connections.success',
      message: expect.stringContaining('nowhere'),
    })
    expect(legacy.errors).toContainEqual(expect.objectContaining({ type: 'references', code: 'V38' }))
    expect(legacy.warnings).toContainEqual(expect.objectContaining({ type: 'best-practices', code: 'V66' }))
  })

  it('warnings do not make a definition invalid (C52)', () => {
    const issues = validateDefinition(raw([start('fin'), ask('x', 'fin'), end()]))
    expect(validationResult(issues)).toMatchObject({ valid: true, issues: [{ code: 'V42', severity: 'warning' }] })
    expect(legacyValidation(issues).valid).toBe(true)
    expect(errorText(issues)).toBe('')
  })

  it('joins the errors into one line for create and edit', () => {
    const text = errorText(validateDefinition(broken))
    expect(text).toContain('; ')
    expect(text).toContain('nowhere')
    expect(text).toContain('ghost')
    expect(text).not.toContain('maxRetries')
  })

  it('C58: the findings about a note node name it and mention no other node type', () => {
    const node = { id: 'save', type: 'upsert-note', connections: { default: 'fin' } }
    const issues = validateDefinition(raw([start('save'), node, end()]))
    expect(issues.map((issue) => issue.code)).toEqual(['V26', 'V26'])
    for (const { message } of issues)
      expect(message).toMatch(/^Node "save" \(upsert-note\): (keyTemplate|value) is missing$/)
  })

  it('C60: the report’s whole example has no finding, and needs no id', () => {
    expect(validateDefinition(teaWorkflow())).toEqual([])
    expect(parseDefinition(teaWorkflow()).id).toBeUndefined()
  })

  it('parsing refuses a definition of the wrong form and says all that is wrong', () => {
    expect(() => parseDefinition({ nodes: [1] })).toThrow(
      expect.objectContaining({ code: 'WORKFLOW_INVALID', message: expect.stringContaining('metadata is missing') }),
    )
  })

  it('an adversarial definition is refused, never a crash', () => {
    const odd: unknown[] = [
      null,
      3,
      'x',
      [],
      { metadata: null, nodes: null },
      raw([null, [], 3, {}]),
      raw([start('x')], { progress: [] }),
    ]
    odd.push(raw([start('__proto__'), ask('__proto__', 'constructor'), end({ id: 'constructor' })]))
    odd.push(JSON.parse('{"__proto__":{"nodes":[]},"metadata":{"__proto__":1},"nodes":[{"__proto__":{"type":"end"}}]}'))
    for (const one of odd) expect(validationResult(validateDefinition(one)).valid, JSON.stringify(one)).toBe(false)
  })
})

describe('resolverFor', () => {
  it('reads what subgraphs lead to, each once, and no further than the limit', async () => {
    const sub = (id: string) => ({
      id: 'x',
      type: 'subgraph',
      graphId: id,
      inputMapping: {},
      outputMapping: {},
      connections: { success: 'fin' },
    })
    const asked: string[] = []
    const lookup = async (reference: string) => {
      asked.push(reference)
      const next = reference === 'a' ? 'b' : reference === 'b' ? 'a' : 'none'
      return reference === 'none' ? null : { id: reference, definition: workflow([start('x'), sub(next), end()]) }
    }
    const definition = workflow([start('x'), sub('a'), end()])
    const known = await resolverFor(definition, lookup, 'self')
    expect(asked).toEqual(['a', 'b'])
    expect(known.resolve('b')?.id).toBe('b')
    expect(known.resolve('c')).toBeNull()
    expect(validateDefinition(definition, known).map((issue) => issue.code)).toEqual(['V59'])
    asked.length = 0
    await resolverFor(definition, lookup, 'self', 1)
    expect(asked).toEqual(['a'])
  })
})
