import { formatTime } from '../../../core/time.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'

export const history = defineAction({
  name: 'history',
  summary: 'list the versions kept of a note, the newest first',
  input: { key: fields.key },
  example: { key: 'style' },
  async run({ services, caller }, { key }) {
    const { deletedAt, versions } = await services.notes.history(caller, key)
    return json({
      key,
      deletedAt: deletedAt === null ? null : formatTime(deletedAt),
      total: versions.length,
      versions: versions.map(({ createdAt, ...version }) => ({ ...version, createdAt: formatTime(createdAt) })),
    })
  },
})
