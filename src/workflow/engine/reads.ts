/** What a run may read of the world, through a connection: its owner's notes and the workflows the owner may see. */

import { readNote, readNotes, refuseNote } from '../../library/notes-library.ts'
import type { Queryable } from '../../store/index.ts'
import type { Reads } from '../nodes/node-type.ts'
import { resolveWorkflow } from './catalog.ts'
import type { EngineContext } from './context.ts'

export function readsOf(ctx: EngineContext, db: Queryable, owner: number): Reads {
  return {
    note: (key) => readNote(db, owner, key),
    notes: (filter) => readNotes(db, owner, filter),
    refuseNote: (note, pending) => refuseNote(db, owner, note, pending),
    async workflow(reference) {
      const row = await resolveWorkflow(ctx, db, owner, reference)
      return row ? { id: row.id, definition: await ctx.definitions.load(db, row.owner, row.hash) } : null
    },
  }
}
