/** One line of the bench's table: a figure, what it is held against, and what we aim at. */

export interface Row {
  name: string
  /** What was measured, with its unit. */
  figure: string
  /** What it is compared with, measured in the same run on the same data. */
  baseline: string
  /** Figure over baseline (or its inverse where more is better, so that `aim` says which way). */
  ratio: number
  /** Holds when `ratio` is on the right side of the number; absent for rows that only report. */
  aim?: { most: number } | { least: number }
}

export function holds({ ratio, aim }: Row): boolean | undefined {
  if (!aim) return undefined
  return 'most' in aim ? ratio <= aim.most : ratio >= aim.least
}

/** The value below which a share of the samples lies; `share` from 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Milliseconds each call takes, one after the other. */
export async function timeEach<T>(items: readonly T[], work: (item: T) => unknown): Promise<number[]> {
  const times: number[] = []
  for (const item of items) {
    const started = performance.now()
    await work(item)
    times.push(performance.now() - started)
  }
  return times
}

export function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
