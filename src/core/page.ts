/** Lists that are given in pages. */

import { invalidRequest } from './errors.ts'

/** Which part of a list was given. */
export interface Page {
  /** All that match, on every page. */
  total: number
  offset: number
  limit: number
  returnedCount: number
  hasMore: boolean
  /** The offset of the next page; null on the last. */
  nextOffset: number | null
}

/** Longest page. */
export const MAX_PAGE = 100

/** Limit and offset as they hold. @throws UserError `invalid_request` outside 1 to 100, or 0 and up */
export function pageRequest(
  request: { limit?: number | undefined; offset?: number | undefined },
  usual: number,
): { limit: number; offset: number } {
  const { limit = usual, offset = 0 } = request
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw invalidRequest(`limit is a whole number from 1 to ${MAX_PAGE}`, 'limit', {
      remedy: `leave it out for ${usual}, or read further with nextOffset`,
    })
  }
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw invalidRequest('offset is a whole number from 0', 'offset', { remedy: 'pass nextOffset of the page before' })
  }
  return { limit, offset }
}

/** Describes the page that holds `returnedCount` items. */
export function describePage(total: number, limit: number, offset: number, returnedCount: number): Page {
  const end = offset + returnedCount
  const hasMore = returnedCount > 0 && end < total
  return { total, offset, limit, returnedCount, hasMore, nextOffset: hasMore ? end : null }
}
