import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'

export const stats = defineAction({
  name: 'stats',
  summary: 'see how many notes there are and how much room is left',
  input: {},
  example: {},
  async run({ services, caller }) {
    const { notes, versions, bytes, limits } = await services.notes.stats(caller)
    return json({
      totalNotes: notes,
      totalVersions: versions,
      totalSize: bytes,
      storageLimit: limits.userBytes,
      storageUsedPercent: Math.round((bytes / limits.userBytes) * 1000) / 10,
      maxNoteSize: limits.noteBytes,
      maxVersions: limits.versions,
    })
  },
})
