/** Checks of the variable registry beyond its form (V49, V74). */

import { type Issue, registryOf, type WorkflowDefinition } from '../definition.ts'
import { schemas } from '../schema-check.ts'
import { schemaProblems } from './compile.ts'
import { issue } from './issue.ts'

export function registryIssues(definition: WorkflowDefinition): Issue[] {
  const registry = registryOf(definition)
  const problems = schemaProblems(new Map(Object.entries(registry)))
  const broken = [...problems].map(([name, problem]) =>
    issue('V49', {
      field: `variableRegistry.${name}`,
      message: `The variable "${name}" cannot be used as a schema: ${problem}`,
      remedy: 'mend its keywords as JSON Schema (draft-07)',
    }),
  )
  return broken.length > 0 ? broken : defaultIssues(registry)
}

/** Defaults that their own entry would refuse. A missing value that is written later may well start as null. */
function defaultIssues(registry: ReturnType<typeof registryOf>): Issue[] {
  return Object.entries(registry).flatMap(([name, entry]) => {
    const value = entry['default']
    if (value === undefined || value === null) return []
    const [finding] = schemas.check(entry, value)
    if (finding === undefined) return []
    const place = finding.path === '' ? '' : `${finding.path} `
    return [
      issue('V74', {
        field: `variableRegistry.${name}.default`,
        message: `The default of "${name}" does not satisfy its own entry: ${place}${finding.message}`,
        remedy: 'correct the default, or widen the entry',
      }),
    ]
  })
}
