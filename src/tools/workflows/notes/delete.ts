import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'

export const deleteNote = defineAction({
  name: 'delete',
  summary: 'take a note away; its versions can still be read through history and get',
  input: { key: fields.key },
  example: { key: 'style' },
  run: async ({ services, caller }, { key }) =>
    json({ success: true, deleted: true, ...(await services.notes.delete(caller, key)) }),
})
