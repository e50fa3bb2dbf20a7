import { expect, test } from 'vitest'
import { hashedUuid, isUuid, timeOrderedUuid } from './uuid.ts'

test('time-ordered ids are UUIDs of version 7, in the order of their times', () => {
  const times = [0, 1, 1_000, Date.UTC(2026, 10, 30), Date.UTC(2100, 0, 1)]
  const ids = times.map(timeOrderedUuid)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(isUuid(id)).toBe(true)
  }
  expect([...ids].sort()).toEqual(ids)
  expect(Number.parseInt((ids[3] ?? '').replaceAll('-', '').slice(0, 12), 16)).toBe(times[3])
})

test('ids of the same moment differ', () => {
  expect(new Set(Array.from({ length: 5_000 }, () => timeOrderedUuid(1))).size).toBe(5_000)
})

test('an id made of a hash is the same every time', () => {
  const hash = Buffer.alloc(32, 0xff)
  expect(hashedUuid(hash)).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff')
  expect(hash).toEqual(Buffer.alloc(32, 0xff))
})

test('only the spelling Varve writes is an id', () => {
  for (const text of ['', 'x', 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF', '{ffffffff-ffff-4fff-bfff-ffffffffffff}']) {
    expect(isUuid(text)).toBe(false)
  }
})
