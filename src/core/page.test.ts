import { expect, test } from 'vitest'
import { describePage, pageRequest } from './page.ts'

test('T13, T313: a page has 1 to 100 items and begins at 0 or later', () => {
  expect(pageRequest({}, 20)).toEqual({ limit: 20, offset: 0 })
  for (const limit of [1, 100]) expect(pageRequest({ limit, offset: 7 }, 20)).toEqual({ limit, offset: 7 })
  for (const limit of [0, 101, 1.5, Number.NaN]) expect(() => pageRequest({ limit }, 20)).toThrow(/from 1 to 100/)
  for (const offset of [-1, 0.5]) expect(() => pageRequest({ offset }, 20)).toThrow(/from 0/)
})

test('T16 to T19: a page knows the next one, and that there is none', () => {
  expect(describePage(25, 10, 10, 10)).toEqual({
    total: 25,
    limit: 10,
    offset: 10,
    returnedCount: 10,
    hasMore: true,
    nextOffset: 20,
  })
  expect(describePage(25, 10, 20, 5)).toMatchObject({ hasMore: false, nextOffset: null })
  expect(describePage(20, 10, 10, 10)).toMatchObject({ hasMore: false, nextOffset: null })
  expect(describePage(25, 10, 99, 0)).toMatchObject({ returnedCount: 0, hasMore: false, nextOffset: null })
})
