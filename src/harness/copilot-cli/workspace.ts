/** `workspace.yaml` beside the events: flat lines of key and value. */

import type { Reading, SessionFacts } from '../../core/event.ts'
import { text } from '../fields.ts'
import type { SourceFile } from '../harness.ts'
import { sessionOf } from './paths.ts'

/** The session's name, which is its first prompt until a person gives another. */
export function readWorkspace(value: unknown, file: SourceFile): Reading {
  const lines = text(value).split(/\r?\n/)
  const facts: SessionFacts = { nativeId: scalarOf(lines, 'id') || sessionOf(file) }
  const title = scalarOf(lines, 'name')
  const branch = scalarOf(lines, 'branch')
  const cwd = scalarOf(lines, 'cwd')
  if (title !== '') facts.title = title
  if (branch !== '') facts.branch = branch
  if (cwd !== '') facts.cwd = cwd
  return { drafts: [], sessions: Object.keys(facts).length > 1 ? [facts] : [] }
}

/** A scalar of YAML at the top level; of a text of several lines the first. */
function scalarOf(lines: readonly string[], key: string): string {
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  const value = lines[at]?.slice(key.length + 1).trim() ?? ''
  if (/^[|>][+-]?\d?$/.test(value)) return lines[at + 1]?.trim() ?? ''
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1) return value.slice(1, -1).replaceAll("''", "'")
  return value.startsWith('"') ? unquoted(value) : value === 'null' || value === '~' ? '' : value
}

/** Double quotes are those of JSON, near enough. */
function unquoted(value: string): string {
  try {
    return text(JSON.parse(value))
  } catch {
    return value
  }
}
