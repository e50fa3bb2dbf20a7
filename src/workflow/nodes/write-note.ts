import * as z from 'zod'
import { isRecord } from '../../core/json.ts'
import { readScope } from '../template-scope.ts'
import { nodeIssue } from '../validation/issue.ts'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType, Outcome, Visit } from './node-type.ts'
import {
  noteResult,
  noteText,
  type PlannedNote,
  planNote,
  renderAll,
  singleReference,
  sourceText,
} from './note-text.ts'

export const writeNoteSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('write-note'),
  key: text.optional().describe('A template; required unless batchMode.'),
  source: text.describe('A template; exactly one {{reference}} stores the value itself. In batchMode a context path.'),
  tags: z.array(z.string()).optional().describe('Templates; absent: a note that exists keeps its tags.'),
  batchMode: z.boolean().optional().describe('The source is a list of {key, value, tags?}; each becomes a note.'),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type WriteNoteNode = z.infer<typeof writeNoteSchema>

/** Saves one note, or one per item of a list. */
export const writeNoteType: NodeType<WriteNoteNode> = {
  type: 'write-note',
  title: 'Write note',
  waits: false,
  external: false,
  schema: writeNoteSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: (node) => [
    ...(node.key === undefined ? [] : [{ field: 'key', text: node.key }]),
    { field: 'source', text: node.source },
    ...(node.tags ?? []).map((tag, index) => ({ field: `tags[${index}]`, text: tag })),
  ],
  check(node) {
    if (node.batchMode === true || node.key !== undefined) return []
    return [
      nodeIssue('V26', node, {
        field: 'key',
        message: 'without batchMode a key is needed',
        remedy: 'add key, or set batchMode to true and let source lead to a list of {key, value}',
      }),
    ]
  },
  run: async (node, visit) =>
    node.batchMode === true ? writeList(node, visit) : written([await writeOne(node, visit)]),
}

async function writeOne(node: WriteNoteNode, visit: Visit): Promise<PlannedNote> {
  const key = await visit.render(node.key ?? '')
  const value = await sourceText(node.source, visit)
  const tags = node.tags === undefined ? {} : { tags: await renderAll(node.tags, visit) }
  return planNote({ key, value, ...tags }, visit, [])
}

async function writeList(node: WriteNoteNode, visit: Visit): Promise<Outcome> {
  const path = singleReference(node.source) ?? node.source.trim()
  const items = readScope(visit.scope, path)
  if (!Array.isArray(items)) {
    const message = `source "${path}" leads to no list; batchMode needs a list of {key, value, tags?}`
    return { kind: 'fail', message }
  }
  const nodeTags = node.tags === undefined ? undefined : await renderAll(node.tags, visit)
  const planned: PlannedNote[] = []
  for (const item of items) {
    if (!isRecord(item) || typeof item['key'] !== 'string' || item['value'] === undefined) continue
    const tags = tagList(item['tags']) ?? nodeTags
    const note = { key: item['key'], value: noteText(item['value']), ...(tags === undefined ? {} : { tags }) }
    planned.push(await planNote(note, visit, planned))
  }
  return written(planned)
}

function tagList(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : undefined
}

function written(notes: PlannedNote[]): Outcome {
  return { kind: 'continue', edge: 'default', own: { writeNoteResults: notes.map(noteResult) }, notes }
}
