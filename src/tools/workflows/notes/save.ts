import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields } from './fields.ts'

export const save = defineAction({
  name: 'save',
  summary: 'write a note as its next version',
  input: { key: fields.key, value: fields.value, tags: fields.tags.optional() },
  example: { key: 'style', value: 'Short sentences.', tags: ['team'] },
  async run({ services, caller }, note) {
    const saved = await services.notes.save(caller, given(note))
    return json({ success: true, ...saved })
  },
})
