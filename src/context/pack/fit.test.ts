import { describe, expect, it } from 'vitest'
import { type Draft, fill, sizeOf } from './fit.ts'

const base: Draft = {
  task: 'task',
  intent: 'blended',
  decisions: [],
  constraints: [],
  examples: [],
  rules: [],
  note: 'n',
  degraded: false,
}

const file = (name: string) => (draft: Draft) => ({
  ...draft,
  recommended_live_files: [...(draft.recommended_live_files ?? []), name],
})

describe('filling a pack', () => {
  it('26: takes what fits, passes over what does not, and only then is truncated', () => {
    const small = fill(base, [[file('a')], [file('x'.repeat(5_000))], [file('b')]], 1_024)
    expect(small.recommended_live_files).toEqual(['a', 'b'])
    expect(small.truncated).toBe(true)
    expect(fill(base, [[file('a')]], 1_024).truncated).toBe(false)
  })

  it('26: takes a shorter form before it drops a thing, and says so', () => {
    const pack = fill(base, [[file('x'.repeat(5_000)), file('short')]], 1_024)
    expect([pack.recommended_live_files, pack.truncated]).toEqual([['short'], true])
  })

  it('misses nothing that has no place in the draft', () => {
    expect(fill(base, [[() => undefined]], 1_024).truncated).toBe(false)
  })

  it('15: cuts an echo that would leave no room, by whole characters, with an ellipsis', () => {
    const { task, total_bytes } = fill({ ...base, task: '😀\u0001'.repeat(512) }, [], 1_024)
    expect(task).toMatch(/^(?:😀\u0001)+😀?…$/u)
    expect(total_bytes).toBeLessThanOrEqual(1_024)
    expect(fill({ ...base, task: 'x'.repeat(400) }, [], 1_024).task).toHaveLength(400)
  })

  it('13: leaves out a long path or reason that would break the cap', () => {
    const scope = (length: number) => ({ root: `/${'é'.repeat(length)}`, conversations: 1 })
    for (const [coverage, length] of [
      ['c'.repeat(900), 10],
      ['c', 900],
      ['c'.repeat(900), 900],
    ] as const) {
      const pack = fill({ ...base, task: 't'.repeat(2_000), coverage, project_scope: scope(length) }, [], 1_024)
      expect(pack.total_bytes).toBeLessThanOrEqual(1_024)
      expect(pack.truncated).toBe(true)
    }
  })

  it('27: writes down its exact size, also where that changes its number of digits', () => {
    for (let length = 0; length < 400; length++) {
      const pack = fill({ ...base, note: 'n'.repeat(length + 650) }, [], 16_384)
      expect(pack.total_bytes).toBe(sizeOf(pack))
    }
  })
})
