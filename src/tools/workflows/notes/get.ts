import { formatTime } from '../../../core/time.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'

export const get = defineAction({
  name: 'get',
  summary: 'read a note, the newest version or an older one',
  input: { key: fields.key, version: fields.version.optional() },
  example: { key: 'style' },
  async run({ services, caller }, { key, version }) {
    const { createdAt, updatedAt, ...note } = await services.notes.get(caller, key, version)
    return json({ ...note, createdAt: formatTime(createdAt), updatedAt: formatTime(updatedAt) })
  },
})
