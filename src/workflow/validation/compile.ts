import { schemas } from '../schema-check.ts'

/** Keywords whose meaning depends on where a schema stands. */
const placedKeywords = ['"$ref"', '"$id"', '"$dynamicRef"']

/**
 * Which of some named schemas cannot be used, and why. Compiling costs a millisecond or more each, so that they are
 * tried together first; one that refers to itself has to be tried alone.
 */
export function schemaProblems(named: ReadonlyMap<string, Record<string, unknown>>): Map<string, string> {
  const alone = [...named].filter(([, schema]) => isPlaced(schema))
  const together = [...named].filter(([, schema]) => !isPlaced(schema))
  const whole = { type: 'object', allOf: together.map(([, schema]) => schema) }
  const suspects = together.length === 0 || schemas.problem(whole) === null ? alone : [...alone, ...together]
  const problems = new Map<string, string>()
  for (const [name, schema] of suspects) {
    const problem = schemas.problem(schema)
    if (problem !== null) problems.set(name, problem)
  }
  return problems
}

function isPlaced(schema: Record<string, unknown>): boolean {
  const text = JSON.stringify(schema)
  return placedKeywords.some((keyword) => text.includes(keyword))
}
