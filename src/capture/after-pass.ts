/** Work that follows passes of capture while capture itself goes on: one run at a time, and never one too few. */

export interface AfterPass {
  /** There is something to do: now, or once more when what is under way has ended. */
  due(): void
  /** When nothing is under way. */
  ended(): Promise<void>
}

/** @param log is told what the work threw, unless it was aborted */
export function createAfterPass(
  work: ((signal: AbortSignal) => Promise<void>) | undefined,
  log: (line: string) => void,
  signal: AbortSignal,
): AfterPass {
  let running: Promise<void> | undefined
  let again = false
  const run = async (wanted: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    do {
      again = false
      try {
        await wanted(signal)
      } catch (error) {
        if (!signal.aborted) log(`indexing failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    } while (again && !signal.aborted)
    running = undefined
  }
  return {
    due() {
      if (!work || signal.aborted) return
      if (running) again = true
      else running = run(work)
    },
    ended: async () => running,
  }
}
