import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../../../core/caller.ts'
import { DimensionMismatch, type Embedder } from '../../../models/index.ts'
import { prompt, START, TEST_ENGINES, writeSession } from '../../../store/archive.testing.ts'
import { type Engine, forget } from '../../../store/index.ts'
import { searchPassages } from '../../passages.ts'
import type { MeaningRequest } from '../lane.ts'
import { embedPassages } from './embed-passages.ts'
import { quantise } from './quantise.ts'
import { createQuestionVectors } from './question-vectors.ts'
import { createVectorLane, type VectorLaneOptions } from './vector-lane.ts'
import { openVectorMemory } from './vector-memory.ts'
import { DIMENSIONS, topicEmbedder, topicVector } from './vectors.testing.ts'

const never = new AbortController().signal
const ME: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
const LATER = START + 86_400_000

for (const { name, open } of TEST_ENGINES) {
  describe(`the lane of vectors on ${name}`, () => {
    let engine: Engine
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    const say = (session: string, texts: readonly string[], more = {}) =>
      writeSession(engine, { session, events: texts.map((text) => prompt(text)), ...more })
    const embed = (embedder: Embedder = topicEmbedder(), owner = LOCAL_OWNER) =>
      embedPassages({ engine, owner, embedder, clock: () => LATER, signal: never })
    const lane = (more: Partial<VectorLaneOptions> = {}) =>
      createVectorLane({ engine, embedder: topicEmbedder(), clock: () => LATER, ...more })
    const asking = (text: string, more: Partial<MeaningRequest> = {}): MeaningRequest => ({
      text,
      owner: LOCAL_OWNER,
      of: ['event', 'passage'],
      limit: 10,
      ...more,
    })
    const keys = async (asked = lane(), request = asking('which ship')) => {
      const answer = await asked.search(request, never)
      if ('degraded' in answer) throw new Error(answer.degraded)
      return answer.matches.map(({ key }) => key)
    }

    it('finds what says the same in other words, and search counts it as found by meaning', async () => {
      await say('s1', ['the harbour was full', 'an apple a day'])
      await embed()
      expect(await keys()).toEqual(['event:1'])
      const request = { query: 'which ship', limit: 5, now: LATER }
      const { hits, mode, degraded } = await searchPassages(engine, ME, request, never, { meaning: lane() })
      expect([mode, degraded]).toEqual(['hybrid', undefined])
      expect(hits.map(({ passage, method }) => [passage.text, method])).toEqual([['the harbour was full', 'vector']])
    })

    it('answers nothing, and is not degraded, while there are no vectors', async () => {
      await say('s1', ['the harbour was full'])
      expect(await lane().search(asking('which ship'), never)).toEqual({ matches: [] })
    })

    it('never holds a question against vectors of another model or length', async () => {
      await say('s1', ['the harbour was full'])
      await embed(topicEmbedder('others', 20))
      expect(await lane().search(asking('which ship'), never)).toEqual({ matches: [] })
      const longer = lane({ embedder: { ...topicEmbedder('others'), dimensions: undefined } })
      expect(await longer.search(asking('which ship'), never)).toEqual({ degraded: 'dimension_mismatch' })
      const refused: Embedder = {
        ...topicEmbedder(),
        embed: () => Promise.reject(new DimensionMismatch(DIMENSIONS, 3)),
      }
      expect(await lane({ embedder: refused }).search(asking('which ship'), never)).toEqual({
        degraded: 'dimension_mismatch',
      })
    })

    it('sees what is embedded later, and at once no longer what was forgotten (statement 111)', async () => {
      await say('s1', ['the harbour was full'])
      await embed()
      const asked = lane()
      expect(await keys(asked)).toEqual(['event:1'])
      await say('s2', ['a boat came in'], { source: 'codex' })
      await embed()
      expect((await keys(asked)).sort()).toEqual(['event:1', 'event:2'])
      await forget(engine, LOCAL_OWNER, { source: 'claude' }, () => LATER)
      expect(await keys(asked)).toEqual(['event:2'])
    })

    it('shows each owner their own', async () => {
      await say('s1', ['the harbour was full'])
      await say('s2', ['a boat came in'], { owner: 2 })
      await embed()
      await embed(topicEmbedder(), 2)
      const asked = lane()
      expect(await keys(asked)).toEqual(['event:1'])
      expect(await keys(asked, asking('which ship', { owner: 2 }))).toEqual(['event:2'])
      expect(await keys(asked, asking('which ship', { owner: 3 }))).toEqual([])
    })

    it('looks only where it is asked to, and names no more than is wanted', async () => {
      await say('s1', ['a ship, a ship, a ship', 'a ship and a boat', 'an apple on a ship'])
      await embed()
      expect(await keys(lane(), asking('which ship', { of: ['passage'] }))).toEqual([])
      expect((await keys(lane(), asking('which ship', { limit: 2 }))).sort()).toEqual(['event:1', 'event:2'])
    })

    it('says so when the vectors cannot be read', async () => {
      await say('s1', ['the harbour was full'])
      await embed()
      const broken: Engine = { ...engine, all: () => Promise.reject(new Error('no such table')) }
      const asked = lane({ engine: broken })
      expect(await asked.search(asking('which ship'), never)).toEqual({ degraded: 'vector_index_unavailable' })
    })

    it('keeps to its memory: of more vectors than fit, those made last', async () => {
      await say('s1', ['a harbour'])
      await embed()
      await say(
        's2',
        Array.from({ length: 5 }, (_, place) => `boat ${place}`),
      )
      await embed()
      const space = { model: 'topics', dimensions: DIMENSIONS }
      const memory = openVectorMemory(engine, LOCAL_OWNER, space, DIMENSIONS * 4)
      const near = () => memory.nearest(quantise(topicVector('which ship')), { of: ['event'], limit: 10 }, never)
      const first = (await near()).map(({ pk }) => pk)
      expect(first).toHaveLength(4)
      expect(first).not.toContain(1)
      await say('s3', ['a vessel'])
      await embed()
      const second = (await near()).map(({ pk }) => pk)
      expect(second).toHaveLength(4)
      expect(second).toContain(7)
    })
  })
}

describe('the vector of a question', () => {
  let now = 0
  const clock = () => now
  beforeEach(() => {
    now = 1_000_000
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const pass = async (milliseconds: number) => {
    now += milliseconds
    await vi.advanceTimersByTimeAsync(milliseconds)
  }

  /** An embedder whose answers a test gives. */
  function slow() {
    const waiting: { text: string; give(): void; fail(): void }[] = []
    const embedder: Embedder = {
      model: 'slow',
      dimensions: 2,
      batch: 1,
      embed: ([text = '']) =>
        new Promise((resolve, reject) => {
          waiting.push({ text, give: () => resolve([Float32Array.of(1, 0)]), fail: () => reject(new Error('broken')) })
        }),
      close: async () => {},
    }
    return { waiting, questions: createQuestionVectors({ embedder, clock, deadline: 1_500 }) }
  }
  const failing = () => {
    let asked = 0
    const embedder: Embedder = {
      model: 'failing',
      dimensions: 2,
      batch: 1,
      embed: () => {
        asked++
        return Promise.reject(new Error('broken'))
      },
      close: async () => {},
    }
    return { asked: () => asked, questions: createQuestionVectors({ embedder, clock, deadline: 1_500 }) }
  }

  it('is made once', async () => {
    const { waiting, questions } = slow()
    const first = questions.of('a')
    waiting[0]?.give()
    expect(await first).toEqual({ vector: Float32Array.of(1, 0) })
    expect(await questions.of('a')).toEqual({ vector: Float32Array.of(1, 0) })
    expect(waiting).toHaveLength(1)
  })

  it('is waited for 1,500 ms; when it comes late it is there for the next time', async () => {
    const { waiting, questions } = slow()
    const first = questions.of('a')
    await pass(1_500)
    expect(await first).toEqual({ degraded: 'embed_timeout' })
    waiting[0]?.give()
    await pass(0)
    expect(await questions.of('a')).toEqual({ vector: Float32Array.of(1, 0) })
    expect(waiting).toHaveLength(1)
  })

  it('is waited for once by all searches of one answer, which fail once', async () => {
    const { waiting, questions } = slow()
    for (const text of ['a', 'b']) {
      const first = questions.of(text)
      await pass(1_500)
      expect(await first).toEqual({ degraded: 'embed_timeout' })
      for (let more = 0; more < 3; more++) {
        const again = questions.of(text)
        await pass(0)
        expect(await again).toEqual({ degraded: 'embed_timeout' })
      }
    }
    expect(waiting.map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it('is not sent twice while the model still works on it', async () => {
    const { waiting, questions } = slow()
    void questions.of('a')
    await pass(5_000)
    const again = questions.of('a')
    await pass(1_000)
    waiting[0]?.give()
    expect(await again).toEqual({ vector: Float32Array.of(1, 0) })
    expect(waiting).toHaveLength(1)
  })

  it('is not asked for during 60 s after 3 failures in a row', async () => {
    const { asked, questions } = failing()
    for (const text of ['a', 'b', 'c']) expect(await questions.of(text)).toEqual({ degraded: 'embed_error' })
    await pass(3_000)
    expect(await questions.of('d')).toEqual({ degraded: 'lane_disabled_after_errors' })
    await pass(56_000)
    expect(await questions.of('e')).toEqual({ degraded: 'lane_disabled_after_errors' })
    expect(asked()).toBe(3)
    await pass(1_001)
    expect(await questions.of('f')).toEqual({ degraded: 'embed_error' })
    expect(asked()).toBe(4)
    // One more failure in a row is enough.
    await pass(3_000)
    expect(await questions.of('g')).toEqual({ degraded: 'lane_disabled_after_errors' })
  })

  it('counts failures anew after one that came in time', async () => {
    const { waiting, questions } = slow()
    for (const [place, works] of [false, false, true, false, false, true].entries()) {
      const asked = questions.of(`question ${place}`)
      if (works) waiting[place]?.give()
      else waiting[place]?.fail()
      expect(await asked).toEqual(works ? { vector: Float32Array.of(1, 0) } : { degraded: 'embed_error' })
      await pass(3_000)
    }
  })
})
