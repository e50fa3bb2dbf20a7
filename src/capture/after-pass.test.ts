import { expect, test } from 'vitest'
import { createAfterPass } from './after-pass.ts'

/** Work that waits to be let go on. */
function held() {
  const waiting: (() => void)[] = []
  let most = 0
  return {
    runs: 0,
    most: () => most,
    waiting,
    async work(this: void) {
      counted.runs++
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        most = Math.max(most, waiting.length)
      })
    },
  }
}
let counted = held()

test('asked for while it is under way, work is done once more after it, never twice at a time', async () => {
  counted = held()
  const after = createAfterPass(counted.work, () => {}, new AbortController().signal)
  after.due()
  after.due()
  after.due()
  expect(counted.runs).toBe(1)
  counted.waiting.shift()?.()
  await Promise.resolve()
  await Promise.resolve()
  expect(counted.runs).toBe(2)
  counted.waiting.shift()?.()
  await after.ended()
  expect(counted.runs).toBe(2)
  expect(counted.most()).toBe(1)
  after.due()
  expect(counted.runs).toBe(3)
  counted.waiting.shift()?.()
  await after.ended()
})

test('what it throws is told, and the next time is tried', async () => {
  const lines: string[] = []
  const after = createAfterPass(
    () => Promise.reject(new Error('disk full')),
    lines.push.bind(lines),
    new AbortController().signal,
  )
  after.due()
  after.due()
  await after.ended()
  expect(lines).toEqual(['indexing failed: disk full', 'indexing failed: disk full'])
})

test('nothing is begun once capture is closing, and an abort is no failure', async () => {
  const closing = new AbortController()
  const lines: string[] = []
  let runs = 0
  const after = createAfterPass(
    async (signal) => {
      runs++
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
    (line) => lines.push(line),
    closing.signal,
  )
  after.due()
  after.due()
  closing.abort()
  await after.ended()
  after.due()
  expect({ runs, lines }).toEqual({ runs: 1, lines: [] })
})
