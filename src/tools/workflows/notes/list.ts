import { formatTime } from '../../../core/time.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields } from './fields.ts'

export const list = defineAction({
  name: 'list',
  summary: 'list notes without their texts, the last changed first, and all tags in use',
  input: {
    tag: fields.tag.optional(),
    keySearch: fields.keySearch.optional(),
    limit: fields.limit.optional(),
    offset: fields.offset.optional(),
  },
  example: { limit: 20, offset: 0 },
  async run({ services, caller }, input) {
    const { notes, tags, ...page } = await services.notes.list(caller, given(input))
    const shown = notes.map(({ createdAt, updatedAt, ...note }) => ({
      ...note,
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(updatedAt),
    }))
    return json({ notes: shown, ...page, tags })
  },
})
