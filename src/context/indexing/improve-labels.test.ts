import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, forget, loadLabels } from '../../store/index.ts'
import { answer, ME, prompt, START, TEST_ENGINES, writeSession } from '../context.testing.ts'
import type { LabelProvider } from '../labels/index.ts'
import { improveStoredLabels } from './improve-labels.ts'
import { deriveLabels } from './labels.ts'
import { deriveStatements } from './statements.ts'

const NOW = START + 86_400_000
const never = new AbortController().signal

const LABELS = {
  title: 'A table of oak',
  summary: 'They built a table.',
  domain: 'creative',
  intent: 'build',
  quality: 'high',
  topics: ['carpentry'],
  decisions: [{ text: 'Oak it is', quote: 'We decided to use oak' }],
}

describe.each(TEST_ENGINES)('labels improved by a model, on %s', (_name, open) => {
  let engine: Engine
  let asked: string[]

  beforeEach(async () => {
    engine = await open()
    asked = []
    for (const session of ['s1', 's2']) await write(session, 'We decided to use oak for the table.')
    await label()
  })
  afterEach(() => engine.close())

  const write = (session: string, text: string, at = START) =>
    writeSession(engine, {
      session,
      at,
      facts: { cwd: '/demo', projectId: 'git:1' },
      events: [prompt(`${session}: ${text}`), answer('Done.')],
    })
  const label = async () => {
    await deriveStatements({ engine, owner: 1, now: NOW, signal: never })
    await deriveLabels({ engine, owner: 1, now: NOW })
  }
  const saying =
    (text: string): LabelProvider =>
    async ({ user }) => {
      asked.push(user.slice(6, 8))
      return text
    }
  const improve = (provider: LabelProvider, clock = () => NOW) =>
    improveStoredLabels({ engine, owner: 1, clock, provider, signal: never })
  const sources = async () => [...(await loadLabels(engine, ME, [1, 2])).values()].map((each) => each.label_source)
  const stale = async () =>
    (await engine.all<{ stale: number }>('SELECT stale FROM context_session ORDER BY session_pk')).map(
      (row) => row.stale,
    )

  it('take the place of those of the rules, the newest session first, each once', async () => {
    await engine.run('UPDATE context_session SET stale = 0')
    expect(await improve(saying(JSON.stringify(LABELS)))).toBe(2)
    expect(asked).toEqual(['s2', 's1'])
    expect((await loadLabels(engine, ME, [1])).get(1)).toMatchObject({
      title: 'A table of oak',
      domain: 'creative',
      decisions: expect.arrayContaining(['Oak it is']),
      label_source: 'provider',
      seen_event_pk: 2,
    })
    // The digest of their week is due.
    expect(await stale()).toEqual([2, 2])
    expect(await improve(saying('{}'))).toBe(0)
    expect(asked).toHaveLength(2)
  })

  it('are asked for again when a session has grown, and not before its own labels are made', async () => {
    await improve(saying(JSON.stringify(LABELS)))
    await write('s1', 'And now the chair.', START + 1_000)
    await deriveStatements({ engine, owner: 1, now: NOW, signal: never })
    expect(await improve(saying(JSON.stringify(LABELS)))).toBe(0)
    await label()
    expect(await sources()).toEqual(['rules', 'provider'])
    expect(await improve(saying(JSON.stringify(LABELS)))).toBe(1)
  })

  it('stay those of the rules when the answer is of no use, and the model is not asked again', async () => {
    expect(await improve(saying('I would rather not.'))).toBe(0)
    expect(await sources()).toEqual(['rules', 'rules'])
    expect(asked).toHaveLength(2)
    expect(await improve(saying(JSON.stringify(LABELS)))).toBe(0)
    expect(asked).toHaveLength(2)
  })

  it('stay those of the rules when the model cannot be asked, and it is asked again', async () => {
    await expect(improve(() => Promise.reject(new Error('not running')))).rejects.toThrow('not running')
    expect(await sources()).toEqual(['rules', 'rules'])
    expect(await improve(saying(JSON.stringify(LABELS)))).toBe(2)
  })

  it('are dropped when the session has grown or was forgotten while the model thought', async () => {
    const provider: LabelProvider = async ({ user }) => {
      if (user.startsWith('User: s1')) {
        await write('s1', 'And now the chair.', START + 1_000)
        await deriveStatements({ engine, owner: 1, now: NOW, signal: never })
      } else {
        const session = await engine.get<{ id: Buffer }>("SELECT id FROM session WHERE native_id = 's2'")
        await forget(engine, 1, { session: session?.id ?? Buffer.alloc(0) }, () => NOW)
      }
      return JSON.stringify(LABELS)
    }
    expect(await improve(provider)).toBe(0)
    expect(await sources()).toEqual(['rules'])
  })

  it('go on in the next run when time is up', async () => {
    let now = NOW
    const slow: LabelProvider = async () => {
      now += 30_000
      return JSON.stringify(LABELS)
    }
    expect(await improve(slow, () => now)).toBe(1)
    expect(await improve(slow, () => now)).toBe(1)
    expect(await sources()).toEqual(['provider', 'provider'])
  })
})
