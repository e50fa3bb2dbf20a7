/** Numbers and sizes as people read them. */

import type { Status } from '../app.ts'

/** `1,234 files` */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `12.3 MB` */
export function bytes(number: number): string {
  let value = number
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

/** `45 s`, `3 min`, `2 h` */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** `/home/me/.varve/varve.db (sqlite, 12 MB)`; the sample has no size. */
export function archivePlace({ place, engine, bytes: size, sample }: Status['archive']): string {
  return sample ? place : `${place} (${engine}, ${bytes(size)})`
}
