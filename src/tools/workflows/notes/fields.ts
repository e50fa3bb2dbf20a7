/** Every field of notes, declared once: actions pick from here. */

import { z } from 'zod'
import { wholeNumber } from '../../fields.ts'

export const fields = {
  tag: z.string().describe('list: only notes with this tag.'),
  keySearch: z.string().describe('list: only notes whose key contains this.'),
  limit: wholeNumber(1, 100).describe('list: how many to return, 1 to 100; 50 when left out.'),
  offset: wholeNumber(0).describe('list: how many to skip; nextOffset of the page before.'),
  key: z.string().describe('The key of the note: 1 to 100 letters, digits, "_" and "-".'),
  version: wholeNumber().describe('get: an older version, from history.'),
  value: z.string().describe('save: the text, at most 100 KB.'),
  tags: z.array(z.string()).describe('save: at most 10 tags; when left out a note keeps the tags it has.'),
}
