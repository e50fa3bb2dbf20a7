import { describe, expect, it } from 'vitest'
import { improveLabels } from './improve.ts'
import type { SessionEvidence } from './label.ts'
import { labelsOf } from './rules.ts'

const session: SessionEvidence = {
  harness: 'chatgpt',
  prompts: ['Tea or coffee for the meeting?', 'Then coffee it is, "strong" please.'],
  answers: ['Both are fine.'],
  promptCount: 2,
  proseBytes: 70,
  toolCalls: {},
  filesChanged: [],
  filesRead: [],
  decisions: [],
}
const rules = labelsOf(session, { documents: 0, frequencyOf: () => undefined })

const answer = {
  title: 'Drinks for the meeting',
  summary: 'Coffee was chosen.',
  domain: 'business',
  intent: 'decision',
  quality: 'medium',
  topics: ['Coffee', 'coffee', ' meeting  drinks '],
  decisions: [
    { text: 'Coffee for the meeting', quote: 'Then coffee it is, "strong" please.' },
    { text: 'No tea', quote: 'Then no tea at all.' },
  ],
}

describe('labels with a model', () => {
  it('are its own, without decisions whose quote nobody said', async () => {
    const asked: unknown[] = []
    const { labels, failure } = await improveLabels(
      async (request) => {
        asked.push(request)
        return `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``
      },
      session,
      rules,
    )
    expect(failure).toBeUndefined()
    expect(labels).toEqual({
      title: 'Drinks for the meeting',
      summary: 'Coffee was chosen.',
      domain: 'business',
      intent: 'decision',
      quality: 'medium',
      topics: ['coffee', 'meeting drinks'],
      decisions: ['Coffee for the meeting'],
      labelSource: 'provider',
    })
    expect(asked).toMatchObject([{ user: expect.stringContaining('User: Tea or coffee'), schema: { type: 'object' } }])
  })

  it('stay those of the rules when the model fails or answers something else', async () => {
    const failing = improveLabels(() => Promise.reject(new Error('no network')), session, rules)
    expect(await failing).toEqual({ labels: rules, failure: 'provider_failed' })
    for (const text of [
      '',
      'no json',
      '{}',
      '[1]',
      JSON.stringify({ ...answer, domain: 'sports' }),
      JSON.stringify({ ...answer, decisions: [{ text: 'x' }] }),
    ]) {
      expect(await improveLabels(async () => text, session, rules)).toEqual({
        labels: rules,
        failure: 'invalid_answer',
      })
    }
    expect(rules.labelSource).toBe('rules')
  })

  it('send the head and the tail of a long session, and end when they are told to', async () => {
    let sent = ''
    const long = { ...session, prompts: ['first words', 'x'.repeat(100_000), 'last words \ud800'] }
    await improveLabels(
      async ({ user }) => {
        sent = user
        return ''
      },
      long,
      rules,
    )
    expect(sent.length).toBeLessThan(40_000)
    expect(sent).toContain('first words')
    expect(sent).toContain('last words')
    expect(/\p{Cs}/u.test(sent)).toBe(false)
    const aborted = improveLabels(
      () => Promise.reject(new Error('x')),
      session,
      rules,
      AbortSignal.abort(new Error('enough')),
    )
    await expect(aborted).rejects.toThrow('enough')
  })
})
