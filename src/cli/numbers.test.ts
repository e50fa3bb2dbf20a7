import { expect, test } from 'vitest'
import { bytes, count, duration } from './numbers.ts'
import { progressText } from './progress.ts'

test('sizes, counts and spans read as people write them', () => {
  expect([0, 999, 1_000, 12_345, 3_400_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '3.4 GB'])
  expect([count(1, 'file'), count(1_234, 'file')]).toEqual(['1 file', '1,234 files'])
  expect([0.4, 89, 90, 5_399, 7_200].map(duration)).toEqual(['0 s', '89 s', '2 min', '90 min', '2 h'])
})

test('progress shows the share, the rate and the time left, cut to the width of the terminal', () => {
  const progress = { filesTotal: 40, filesDone: 12, bytesTotal: 200_000_000, bytesDone: 50_000_000, events: 0 }
  expect(progressText(progress, 2, 200)).toBe(
    '[#####---------------]   25 %  50 MB of 200 MB  25 MB/s  6 s left  12 of 40 files',
  )
  expect(progressText(progress, 2, 30)).toHaveLength(29)
  expect(progressText({ ...progress, bytesDone: 0 }, 0, 200)).not.toContain('left')
})
