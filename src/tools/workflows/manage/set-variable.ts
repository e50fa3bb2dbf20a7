import { UserError } from '../../../core/errors.ts'
import { registryOf, type WorkflowDefinition } from '../../../workflow/definition.ts'
import type { SchemaChecker } from '../../../workflow/schema-check.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { changeWorkflow } from './change-workflow.ts'
import { fields } from './fields.ts'
import { showSaved } from './show.ts'

export const setVariable = defineAction({
  name: 'set-variable',
  summary: 'set the default of a declared variable, or declare a new one of the type of the value',
  input: {
    workflowId: fields.workflowId,
    variableName: fields.variableName,
    variableValue: fields.variableValue,
  },
  example: { workflowId: 'my-workflow', variableName: 'cups', variableValue: 2 },
  async run(call, { workflowId, variableName, variableValue }) {
    const { schemas } = await import('../../../workflow/schema-check.ts')
    const { saved, facts } = await changeWorkflow(call, workflowId, (definition) =>
      withDefault(definition, variableName, variableValue, schemas),
    )
    return json({
      ...showSaved(saved),
      variableName,
      oldValue: facts.oldValue ?? null,
      newValue: variableValue,
      declared: facts.declared,
      message: facts.declared
        ? `Variable "${variableName}" declared as ${facts.type}; describe it with manage edit`
        : `Runs started from now on begin with the new value of "${variableName}"`,
    })
  },
})

function withDefault(definition: WorkflowDefinition, name: string, value: unknown, schemas: SchemaChecker) {
  const registry = registryOf(definition)
  const known = Object.hasOwn(registry, name) ? registry[name] : undefined
  if (known !== undefined) refuseUnfit(name, known, value, schemas)
  const type = known?.type ?? typeOf(value)
  const entry = known ?? { type, description: `Declared with the value ${JSON.stringify(value)}`.slice(0, 200) }
  return {
    definition: { ...definition, variableRegistry: { ...registry, [name]: { ...entry, default: value } } },
    facts: { oldValue: known?.['default'], declared: known === undefined, type },
  }
}

function refuseUnfit(name: string, declaration: Record<string, unknown>, value: unknown, schemas: SchemaChecker): void {
  const { default: _default, ...schema } = declaration
  const [finding] = schemas.check(schema, value)
  if (finding === undefined) return
  throw new UserError('invalid_request', `the value does not fit the variable "${name}": ${finding.message}`, {
    field: 'variableValue',
    expected: schema,
    remedy: 'give a value that fits its declaration, or change the declaration with manage edit',
  })
}

function typeOf(value: unknown): 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'string') return 'string'
  return 'object'
}
