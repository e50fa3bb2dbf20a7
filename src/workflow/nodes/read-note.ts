import * as z from 'zod'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType, NoteFilter, NoteRecord, Visit } from './node-type.ts'

export const readNoteSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('read-note'),
  outputVariable: text.describe('The result is read as <node id>.<outputVariable>.'),
  filter: z
    .strictObject({
      tag: z.string().optional(),
      keyPattern: z.string().optional(),
      keySearch: z.string().optional().describe('Part of the key; comes before keyPattern, which means the same.'),
    })
    .optional()
    .describe('Templates; absent: all notes.'),
  singleMode: z.boolean().optional().describe('When exactly one note matches, the note itself instead of a list.'),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type ReadNoteNode = z.infer<typeof readNoteSchema>

/** Loads the owner's notes into the node's own results. */
export const readNoteType: NodeType<ReadNoteNode> = {
  type: 'read-note',
  title: 'Read notes',
  waits: false,
  external: false,
  schema: readNoteSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: (node) =>
    Object.entries(node.filter ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [{ field: `filter.${name}`, text: value }],
    ),
  async run(node, visit) {
    const notes = (await visit.reads.notes(await noteFilter(node.filter ?? {}, visit))).map(readable)
    const [first] = notes
    const result = node.singleMode === true && first !== undefined && notes.length === 1 ? first : notes
    return { kind: 'continue', edge: 'default', own: { [node.outputVariable]: result } }
  },
}

/** The rendered filter of a note node. */
export async function noteFilter(
  filter: { tag?: string | undefined; keyPattern?: string | undefined; keySearch?: string | undefined },
  visit: Visit,
): Promise<NoteFilter> {
  const search = filter.keySearch ?? filter.keyPattern
  return {
    ...(filter.tag === undefined ? {} : { tag: await visit.render(filter.tag) }),
    ...(search === undefined ? {} : { keySearch: await visit.render(search) }),
  }
}

function readable(note: NoteRecord) {
  return {
    key: note.key,
    value: note.value,
    tags: note.tags,
    version: note.version,
    createdAt: new Date(note.createdAt).toISOString(),
    updatedAt: new Date(note.updatedAt).toISOString(),
  }
}
