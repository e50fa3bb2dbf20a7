/** Definitions from files, and those that come with Varve. No server and no database is asked. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { workflowsFolder } from '../../installation.ts'
import type { WorkflowDefinition } from '../../workflow/definition.ts'
import { parseDefinition } from '../../workflow/definition-schema.ts'

/** Bundled workflows are listed under this handle, as `varve/quick-task`. */
export const BUNDLED_HANDLE = 'varve'

export interface ReadDefinition {
  /** How it was asked for. */
  reference: string
  /** Not checked. */
  json: unknown
}

/** Slugs of the workflows that come with Varve, in order. */
export function bundledSlugs(): string[] {
  return readdirSync(workflowsFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))
    .sort()
}

/**
 * Reads a definition by the slug of a bundled one (`quick-task`, `varve/quick-task`) or from a file.
 * @throws UserError `not_found`, or `WORKFLOW_INVALID` for a file that is not JSON.
 */
export function readDefinition(reference: string, cwd: string): ReadDefinition {
  return { reference, json: readJson(bundledFile(reference) ?? resolve(cwd, reference), reference) }
}

/** The same, with its form checked. @throws UserError `not_found`, `WORKFLOW_INVALID`. */
export function readParsed(reference: string, cwd: string): WorkflowDefinition {
  return parseDefinition(readDefinition(reference, cwd).json)
}

function bundledFile(reference: string): string | null {
  const slug = reference.startsWith(`${BUNDLED_HANDLE}/`) ? reference.slice(BUNDLED_HANDLE.length + 1) : reference
  return bundledSlugs().includes(slug) ? join(workflowsFolder, `${slug}.json`) : null
}

/** @throws UserError `not_found`, or `WORKFLOW_INVALID` when it is not JSON. */
export function readJson(file: string, reference: string): unknown {
  if (!existsSync(file)) {
    throw new UserError('not_found', `there is no file '${reference}'`, {
      remedy: `name a file, or one of the bundled workflows: ${bundledSlugs().join(', ')}`,
    })
  }
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UserError('WORKFLOW_INVALID', `'${reference}' is not JSON: ${error.message}`, {
      remedy: 'mend the text there: a missing or trailing comma, a quote that is not closed, a comment',
    })
  }
}
