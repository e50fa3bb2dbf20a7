import { expect, test } from 'vitest'
import type { CaptureStatus } from '../store/index.ts'
import { type CoverageFacts, judgeCoverage } from './coverage.ts'

const now = Date.UTC(2026, 10, 30, 12)

const read: CaptureStatus = {
  running: false,
  filesTotal: 3,
  filesDone: 3,
  bytesTotal: 300,
  bytesDone: 300,
  startedAt: now - 2_000,
  finishedAt: now - 1_000,
  holder: { name: 'here:1:x', pid: 1 },
  problems: 0,
  unreadable: [],
}

const judge = (facts: Partial<CoverageFacts>) =>
  judgeCoverage({ status: read, capturing: true, enabled: true, sample: false, now, ...facts })

test('an archive that is watched and read to the end is complete', () => {
  expect(judge({})).toEqual({
    state: 'complete',
    reason: 'transcripts are watched; all were read at 2026-11-30T11:59:59.000Z',
    observed_at_unix_ms: now,
  })
})

test('an archive that was read a moment ago is complete; later nobody knows', () => {
  expect(judge({ capturing: false }).state).toBe('complete')
  expect(judge({ capturing: false, now: now + 120_000 }).state).toBe('unknown')
})

test('an archive is partial while it is filled', () => {
  const status = { ...read, running: true, filesDone: 1, finishedAt: null }
  expect(judge({ status })).toMatchObject({
    state: 'partial',
    reason: 'transcripts are being read: 1 of 3 files with something new',
  })
})

test('an archive whose first reading died is partial', () => {
  expect(judge({ status: { ...read, running: true, finishedAt: null }, capturing: false }).state).toBe('partial')
})

test('an archive nothing was read into is partial, or unknown where reading is switched off', () => {
  expect(judge({ status: undefined, capturing: false }).state).toBe('partial')
  expect(judge({ status: undefined, capturing: false, enabled: false }).state).toBe('unknown')
})

test('an archive that lacks what may not be read is partial and names it', () => {
  const status = { ...read, unreadable: [{ path: '/home/me/.codex/sessions', reason: 'permission' }] }
  expect(judge({ status })).toMatchObject({
    state: 'partial',
    reason: '1 place cannot be read, such as /home/me/.codex/sessions (permission)',
  })
})

test('the sample is never taken for the real thing', () => {
  expect(judge({ sample: true })).toMatchObject({ state: 'partial', reason: expect.stringContaining('sample data') })
})
