import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../../core/caller.ts'
import { answer, call, prompt, START, TEST_ENGINES, writeSession } from '../../../store/archive.testing.ts'
import { deleteItems, type Engine, findItem, forget, vectorProgress, writeItem } from '../../../store/index.ts'
import { type EmbedWork, embedPassages, partsOf } from './embed-passages.ts'
import { DIMENSIONS, topicEmbedder } from './vectors.testing.ts'

const never = new AbortController().signal
const LATER = START + 86_400_000

interface Row {
  owner: number
  kind: string
  pk: number
  part: number
  start: number
  model: string
  dimensions: number
  scale: number
  bytes: Buffer
}

for (const { name, open } of TEST_ENGINES) {
  describe(`vectors of what is stored, on ${name}`, () => {
    let engine: Engine
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    const embed = (more: Partial<EmbedWork> = {}) =>
      embedPassages({
        engine,
        owner: LOCAL_OWNER,
        embedder: topicEmbedder(),
        clock: () => LATER,
        signal: never,
        ...more,
      })
    const rows = () => engine.all<Row>('SELECT * FROM vector ORDER BY kind, pk, part')

    const say = (session: string, texts: readonly string[], more = {}) =>
      writeSession(engine, { session, events: texts.map((text) => prompt(text)), ...more })

    const document = (content: string, path = 'a.md') =>
      engine.transaction((tx) =>
        writeItem(
          engine,
          tx,
          LOCAL_OWNER,
          {
            id: path,
            kind: 'document',
            stable_key: `document:00000000:${path}`,
            source: 'documents',
            project_id: 'git:1',
            root: '/home/me/project',
            path,
            title: path,
            role: 'document',
            state: 'tracked',
            hash: Buffer.alloc(16),
            meta: '{}',
            at: START,
            content,
          },
          [{ heading: '', slug: '', start: 0, line: 1, text: content }],
          START,
        ),
      )

    it('are made of prompts, answers and passages, and of nothing else', async () => {
      await writeSession(engine, {
        session: 's1',
        events: [
          prompt('the harbour'),
          call('Read', { path: 'x' }),
          answer('the vessel'),
          prompt('copied', { copied: true }),
          prompt('   '),
        ],
      })
      await document('the orchard')
      const embedder = topicEmbedder()
      expect(await embed({ embedder })).toEqual({ vectors: 3, complete: true })
      const stored = await rows()
      expect(stored.map(({ kind, pk, part, start }) => [kind, pk, part, start])).toEqual([
        ['event', 1, 0, 0],
        ['event', 3, 0, 0],
        ['passage', 1, 0, 0],
      ])
      for (const { owner, model, dimensions, scale, bytes } of stored) {
        expect([owner, model, dimensions, bytes.length]).toEqual([LOCAL_OWNER, 'topics', DIMENSIONS, DIMENSIONS])
        expect(scale).toBeGreaterThan(0)
      }
      const asked = embedder.asked.length
      expect(await embed({ embedder })).toEqual({ vectors: 0, complete: true })
      expect(embedder.asked.length).toBe(asked)
    })

    it('of a long text are those of its stretches, each with its place', async () => {
      const sentences = Array.from({ length: 90 }, (_, place) => `Sentence ${place} is about the harbour of the town.`)
      const text = sentences.join(' ')
      await say('s1', [text])
      await embed()
      const stored = await rows()
      expect(stored.length).toBeGreaterThan(3)
      expect(stored.map(({ start }) => start)).toEqual(partsOf(text).map(({ start }) => start))
      for (const part of partsOf(text)) expect(text.slice(part.start, part.start + part.text.length)).toBe(part.text)
      expect(partsOf(text.repeat(9)).length).toBe(12)
    })

    it('come newest first, then whatever was added, and go on where a run ended', async () => {
      await say(
        's1',
        Array.from({ length: 40 }, (_, place) => `prompt number ${place}`),
      )
      const first = topicEmbedder()
      // Time is up as soon as something has been embedded.
      const clock = () => LATER + (first.asked.some((text) => text.startsWith('prompt')) ? 1_000 : 0)
      const { vectors, complete } = await embed({ embedder: first, clock, budget: 500 })
      expect([vectors, complete]).toEqual([16, false])
      expect(first.asked).toContain('prompt number 39')
      expect(first.asked).not.toContain('prompt number 3')
      await say('s2', ['something new'])
      const second = topicEmbedder()
      expect(await embed({ embedder: second })).toEqual({ vectors: 25, complete: true })
      expect(second.asked[0]).toBe('something new')
      expect(second.asked).toHaveLength(25)
      expect(await rows()).toHaveLength(41)
    })

    it('are lost to no run that is broken off, and doubled by none', async () => {
      await say(
        's1',
        Array.from({ length: 40 }, (_, place) => `prompt number ${place}`),
      )
      const broken = topicEmbedder()
      let calls = 0
      const embedder = {
        ...broken,
        embed: (texts: readonly string[], signal: AbortSignal) =>
          ++calls % 3 === 0 ? Promise.reject(new Error('broken off')) : broken.embed(texts, signal),
      }
      let runs = 0
      while (
        !(await embed({ embedder }).then(
          ({ complete }) => complete,
          () => false,
        ))
      ) {
        if (++runs > 50) throw new Error('does not come to an end')
      }
      expect(runs).toBeGreaterThan(0)
      expect(new Set((await rows()).map(({ pk }) => pk)).size).toBe(40)
      expect(await rows()).toHaveLength(40)
      expect(await embed()).toEqual({ vectors: 0, complete: true })
    })

    it('stop between two batches when that is asked for', async () => {
      await say('s1', ['one', 'two'])
      expect(await embed({ signal: AbortSignal.abort() })).toEqual({ vectors: 0, complete: false })
      expect(await rows()).toEqual([])
    })

    it('of another model or length take the place of those there were', async () => {
      await say('s1', ['the harbour', 'the orchard'])
      await embed()
      await embed({ embedder: topicEmbedder('topics', 20) })
      expect((await rows()).map(({ dimensions }) => dimensions)).toEqual([20, 20])
      await embed({ embedder: topicEmbedder('others', 20) })
      expect((await rows()).map(({ model }) => model)).toEqual(['others', 'others'])
      await embed()
      expect((await rows()).map(({ model, dimensions }) => `${model} ${dimensions}`)).toEqual([
        `topics ${DIMENSIONS}`,
        `topics ${DIMENSIONS}`,
      ])
      expect(await vectorProgress(engine, LOCAL_OWNER)).toMatchObject({ model: 'topics', event: { from: 0, to: 2 } })
    })

    it('are made anew of an event that was rewritten, when its session is quiet', async () => {
      const write = (text: string) =>
        writeSession(engine, { session: 's1', events: [prompt('steady', { key: 'a' }), answer(text, { key: 'b' })] })
      await write('the harbour')
      await embed()
      await write('the orchard')
      expect(await embed({ clock: () => START })).toEqual({ vectors: 0, complete: true })
      const embedder = topicEmbedder()
      expect(await embed({ embedder })).toEqual({ vectors: 1, complete: true })
      expect(embedder.asked).toEqual(['the orchard'])
      expect(await embed()).toEqual({ vectors: 0, complete: true })
      expect(await rows()).toHaveLength(2)
    })

    it('111: go with what they are of', async () => {
      await say('s1', ['the harbour'])
      await say('s2', ['the orchard'])
      await document('the furnace')
      await embed()
      const session = await engine.get<{ id: Buffer }>("SELECT id FROM session WHERE native_id = 's1'")
      await forget(engine, LOCAL_OWNER, { session: session?.id ?? Buffer.alloc(0) }, () => LATER)
      expect((await rows()).map(({ kind, pk }) => [kind, pk])).toEqual([
        ['event', 2],
        ['passage', 1],
      ])
      await document('the ember')
      expect((await rows()).map(({ kind }) => kind)).toEqual(['event'])
      await embed()
      const me = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
      const item = await findItem(engine, me, 'document', 'a.md')
      await engine.transaction((tx) => deleteItems(engine, tx, LOCAL_OWNER, [item?.pk ?? 0]))
      expect((await rows()).map(({ kind }) => kind)).toEqual(['event'])
    })

    it('are not written of what was forgotten while they were made', async () => {
      await say('s1', ['the harbour'])
      const plain = topicEmbedder()
      const embedder = {
        ...plain,
        async embed(texts: readonly string[], signal: AbortSignal) {
          if (texts.includes('the harbour')) await forget(engine, LOCAL_OWNER, { source: 'claude' }, () => LATER)
          return plain.embed(texts, signal)
        },
      }
      expect(await embed({ embedder })).toEqual({ vectors: 0, complete: true })
      expect(await rows()).toEqual([])
    })

    it('belong to their owner', async () => {
      await say('s1', ['the harbour'])
      await say('s2', ['the orchard'], { owner: 2 })
      await embed()
      expect((await rows()).map(({ owner }) => owner)).toEqual([LOCAL_OWNER])
      await embed({ owner: 2 })
      expect((await rows()).map(({ owner }) => owner).sort()).toEqual([LOCAL_OWNER, 2])
    })
  })
}
