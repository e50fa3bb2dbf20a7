/** ISO weeks, in UTC. Pure. */

const DAY = 86_400_000

export interface Week {
  /** `2026-W07` */
  name: string
  /** Monday 00:00 and the next, in milliseconds. */
  from: number
  to: number
}

/** The ISO week (ISO 8601: of the year its Thursday lies in) of a time. */
export function weekOf(at: number): Week {
  const day = Math.floor(at / DAY)
  // 1 January 1970 was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  const year = new Date((monday + 3) * DAY).getUTCFullYear()
  const firstThursday = Math.floor(Date.UTC(year, 0, 4) / DAY)
  const firstMonday = firstThursday - ((((firstThursday + 3) % 7) + 7) % 7)
  const number = (monday - firstMonday) / 7 + 1
  return { name: `${year}-W${String(number).padStart(2, '0')}`, from: monday * DAY, to: (monday + 7) * DAY }
}
