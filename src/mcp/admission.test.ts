import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { createAdmission } from './admission.ts'

/** Work that ends when told to. */
function job() {
  const state = { begun: false, end: () => {}, fail: () => {} }
  const promise = new Promise<string>((resolve, reject) => {
    state.end = () => resolve('done')
    state.fail = () => reject(new Error('broken'))
  })
  const work = (): Promise<string> => {
    state.begun = true
    return promise
  }
  return { state, work }
}

describe('admission', () => {
  it('C26: runs as many as allowed, lets as many wait, and refuses the rest at once', async () => {
    const admission = createAdmission({ executing: 2, queued: 1 })
    const jobs = [job(), job(), job(), job()]
    const runs = jobs.map(({ work }) => admission.run(work))
    const refusal = await runs[3]?.catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UserError)
    expect(refusal).toMatchObject({ code: 'busy', details: { reason: 'queue_full', max_executing: 2, max_queued: 1 } })
    await delay(0)
    expect(jobs.map(({ state }) => state.begun)).toEqual([true, true, false, false])
    for (const { state } of jobs) state.end()
    await expect(Promise.all(runs.slice(0, 3))).resolves.toEqual(['done', 'done', 'done'])
  })

  it('C27: admits in the order of arrival, and nobody may jump in when a place falls free', async () => {
    const admission = createAdmission({ executing: 1, queued: 10 })
    const order: number[] = []
    const run = (number: number) => admission.run(async () => void order.push(number))
    const first = job()
    const running = admission.run(first.work)
    const waiting = [1, 2, 3].map(run)
    first.state.end()
    waiting.push(run(4))
    await Promise.all([running, ...waiting])
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('C29: never runs what was cancelled while it waited, and gives its place in the queue away', async () => {
    const admission = createAdmission({ executing: 1, queued: 1 })
    const first = job()
    const second = job()
    const third = job()
    const running = admission.run(first.work)
    const controller = new AbortController()
    const waiting = admission.run(second.work, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    const next = admission.run(third.work)
    first.state.end()
    third.state.end()
    await expect(Promise.all([running, next])).resolves.toEqual(['done', 'done'])
    expect(second.state.begun).toBe(false)
  })

  it('C30: frees the place of work that failed', async () => {
    const admission = createAdmission({ executing: 1, queued: 1 })
    const first = job()
    const running = admission.run(first.work)
    const waiting = admission.run(async () => 'next')
    first.state.fail()
    await expect(running).rejects.toThrow('broken')
    await expect(waiting).resolves.toBe('next')
  })
})
