/** The smallest harness: a made-up agent that writes `<name>.jsonl` with lines such as {"who": "me", "said": "hello"}. */

import { basename } from 'node:path'
import { z } from 'zod'
import { defineHarness, defineLayout, everyFile, jsonLines } from '../../src/harness/harness.ts'

const Line = z.object({ who: z.enum(['me', 'toy']), said: z.string() })

const transcript = defineLayout<{ session: string }>({
  matches: everyFile,
  format: jsonLines,
  open: (file) => ({ session: basename(file.path, '.jsonl') }),
  read({ value }, { session }) {
    const line = Line.safeParse(value)
    const native = { index: 0 }
    if (!line.success) return { drafts: [{ session, type: 'unknown', text: '', payload: value, native }] }
    const { who, said } = line.data
    return {
      drafts: [
        who === 'me'
          ? { session, type: 'user_input', text: said, native, opensTurn: true }
          : { session, type: 'assistant_response', text: said, native, ends: 'answered' },
      ],
    }
  },
})

export const toy = defineHarness({
  id: 'toy',
  title: 'Toy',
  sources: [
    {
      name: 'toy',
      roots: ({ home }) => [`${home}/.toy`],
      matches: (path) => path.endsWith('.jsonl'),
    },
  ],
  layouts: [transcript],
})
