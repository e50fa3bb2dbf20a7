import * as z from 'zod'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'
import { noteResult, planNote, renderAll, sourceText } from './note-text.ts'
import { noteFilter } from './read-note.ts'

export const upsertNoteSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('upsert-note'),
  search: z
    .strictObject({ tag: z.string().optional(), keyPattern: z.string().optional() })
    .optional()
    .describe('Templates; the first match, by key, is the note to update.'),
  keyTemplate: text.describe('A template: the key to write when the search finds nothing.'),
  value: text.describe('A template; exactly one {{reference}} stores the value itself.'),
  tags: z.array(z.string()).optional().describe('Templates; absent: a note that exists keeps its tags.'),
  outputVariable: text.optional().describe('A second name for the result among the node’s own results.'),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type UpsertNoteNode = z.infer<typeof upsertNoteSchema>

/** Updates the note a search finds, or writes one under the key. */
export const upsertNoteType: NodeType<UpsertNoteNode> = {
  type: 'upsert-note',
  title: 'Upsert note',
  waits: false,
  external: false,
  schema: upsertNoteSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: (node) => [
    ...(node.search?.tag === undefined ? [] : [{ field: 'search.tag', text: node.search.tag }]),
    ...(node.search?.keyPattern === undefined ? [] : [{ field: 'search.keyPattern', text: node.search.keyPattern }]),
    { field: 'keyTemplate', text: node.keyTemplate },
    { field: 'value', text: node.value },
    ...(node.tags ?? []).map((tag, index) => ({ field: `tags[${index}]`, text: tag })),
  ],
  async run(node, visit) {
    const [found] = node.search === undefined ? [] : await visit.reads.notes(await noteFilter(node.search, visit))
    const key = found?.key ?? (await visit.render(node.keyTemplate))
    const value = await sourceText(node.value, visit)
    const tags = node.tags === undefined ? {} : { tags: await renderAll(node.tags, visit) }
    const planned = await planNote({ key, value, ...tags }, visit, [])
    const result = noteResult(planned)
    const own = {
      upsertNoteResult: result,
      ...(node.outputVariable === undefined ? {} : { [node.outputVariable]: result }),
    }
    return { kind: 'continue', edge: 'default', own, notes: [planned] }
  },
}
