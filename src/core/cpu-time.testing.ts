/** For tests that hostile input costs no more than its length: unlike the clock, it does not hang on what else is running. */

/** Milliseconds of processor time that some work takes. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
