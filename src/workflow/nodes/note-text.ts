/** How note nodes turn context values into a note's text. */

import { UserError } from '../../core/errors.ts'
import { readScope } from '../template-scope.ts'
import type { NoteDraft, NoteRecord, Visit } from './node-type.ts'

/** A template that is one reference and nothing else: `{{collect.metrics}}`. */
const SINGLE_REFERENCE = /^\s*\{\{\s*([A-Za-z_][\w.[\]-]*)\s*\}\}\s*$/

/** The path inside a template that is one reference and nothing else; null for any other text. */
export function singleReference(text: string): string | null {
  return SINGLE_REFERENCE.exec(text)?.[1] ?? null
}

/** A context value as a note's text: strings as they are, anything else as JSON; a missing value is `null`. */
export function noteText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** The text to store for a source: the value itself for a single reference, otherwise the rendered template. */
export async function sourceText(source: string, visit: Visit): Promise<string> {
  const path = singleReference(source)
  return path === null ? visit.render(source) : noteText(readScope(visit.scope, path))
}

export async function renderAll(texts: readonly string[], visit: Visit): Promise<string[]> {
  return Promise.all(texts.map((text) => visit.render(text)))
}

export interface PlannedNote {
  note: NoteDraft
  baseVersion: number
}

/** A note's write as the node reports it. */
export interface NoteResult {
  key: string
  version: number
  created: boolean
}

/**
 * Plans a write on top of what is stored. Tags that the workflow does not give stay as they were.
 * @throws UserError `NODE_FAILED` when the library would refuse the note.
 */
export async function planNote(
  note: { key: string; value: string; tags?: string[] },
  visit: Visit,
  planned: readonly PlannedNote[],
): Promise<PlannedNote> {
  const earlier = planned.findLast((one) => one.note.key === note.key)
  const stored: Pick<NoteRecord, 'tags' | 'version'> | null =
    earlier === undefined
      ? await visit.reads.note(note.key)
      : { tags: earlier.note.tags, version: earlier.baseVersion + 1 }
  const draft = { key: note.key, value: note.value, tags: note.tags ?? stored?.tags ?? [] }
  const pending = planned.length === 0 ? visit.pendingNotes : [...visit.pendingNotes, ...planned.map((one) => one.note)]
  const problem = await visit.reads.refuseNote(draft, pending)
  if (problem !== null) throw new UserError('NODE_FAILED', `the note "${note.key}" cannot be saved: ${problem}`)
  return { note: draft, baseVersion: stored?.version ?? 0 }
}

export function noteResult({ note, baseVersion }: PlannedNote): NoteResult {
  return { key: note.key, version: baseVersion + 1, created: baseVersion === 0 }
}
