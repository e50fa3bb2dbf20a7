import { isRecord } from '../../core/json.ts'
import type { Issue } from '../../workflow/definition.ts'
import { validateDefinition, validationResult } from '../../workflow/validate.ts'
import { count } from '../numbers.ts'
import type { Terminal } from '../terminal.ts'
import { printJson, type WorkflowAction } from './action.ts'
import { type ReadDefinition, readDefinition } from './read-definition.ts'

export const validate: WorkflowAction = {
  name: 'validate',
  summary: 'every error and warning; the exit code is 1 when there is an error',
  takes: { least: 1, most: Number.POSITIVE_INFINITY },
  async run(references, options, terminal) {
    const results = references.map((reference) => {
      const read = readDefinition(reference, terminal.cwd)
      return { read, ...validationResult(validateDefinition(read.json)) }
    })
    const valid = results.every((result) => result.valid)
    if (options.json) {
      const workflows = results.map(({ read, issues, valid: each }) => ({
        workflow: read.reference,
        valid: each,
        issues,
      }))
      printJson(terminal, { valid, workflows })
    } else for (const { read, issues } of results) printFindings(terminal, read, issues)
    return valid ? 0 : 1
  },
}

function printFindings(terminal: Terminal, read: ReadDefinition, issues: readonly Issue[]): void {
  for (const issue of issues) {
    const colour = issue.severity === 'error' ? 'red' : 'yellow'
    const place = issue.nodeId === undefined && issue.field !== undefined ? ` ${issue.field}:` : ''
    terminal.print(`${terminal.paint(colour, issue.severity)} ${issue.code}${place} ${issue.message}`)
    terminal.print(`    ${issue.remedy}`)
  }
  const errors = issues.filter((issue) => issue.severity === 'error').length
  const warnings = issues.length - errors
  const found = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ].join(', ')
  const verdict = errors > 0 ? 'not valid' : 'valid'
  terminal.print(`${read.reference}: ${verdict}${sizeOf(read.json)}${found === '' ? '' : `, ${found}`}`)
}

function sizeOf(json: unknown): string {
  return isRecord(json) && Array.isArray(json['nodes']) ? `, ${count(json['nodes'].length, 'node')}` : ''
}
