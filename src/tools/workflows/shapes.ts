/** Shapes that several of the workflow tools share. */

import { z } from 'zod'

/** What every list says about the page it gives. */
export const pageFields = {
  total: z.number().describe('All that match, on every page.'),
  offset: z.number(),
  limit: z.number(),
  returnedCount: z.number(),
  hasMore: z.boolean(),
  nextOffset: z.number().nullable().describe('Pass it as offset for the next page; null on the last.'),
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** An object without the members that are undefined: an absent argument and one that is undefined are the same. */
export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>
}
