import { describe, expect, test } from 'vitest'
import { draftsOf } from './testing.ts'

function attachment(fields: Record<string, unknown>): Record<string, unknown> {
  return { type: 'attachment', uuid: 't', sessionId: 'S', attachment: fields }
}

describe('reasoning', () => {
  const assistant = (content: unknown[]) => ({
    type: 'assistant',
    uuid: 'a',
    sessionId: 'S',
    message: { id: 'm', content },
  })

  test('is kept without its signature', () => {
    const [draft] = draftsOf(assistant([{ type: 'thinking', thinking: 'hm', signature: 'sig' }]))
    expect(draft).toMatchObject({ type: 'reasoning', text: 'hm' })
    expect(draft).not.toHaveProperty('payload')
  })

  test('that is encrypted is kept to be opened', () => {
    const drafts = draftsOf(
      assistant([
        { type: 'redacted_thinking', data: 'opaque' },
        { type: 'thinking', thinking: '', signature: 'sig' },
      ]),
    )
    expect(drafts.map(({ text, payload }) => [text, payload])).toEqual([
      ['', { encrypted: 'opaque' }],
      ['', { encrypted: 'sig' }],
    ])
  })
})

describe('notes of the client', () => {
  test('bulky records leave their size, not their content', () => {
    const shape = { type: 'api-request-shape', sessionId: 'S', shapeHash: 'h', shape: { system: 'x'.repeat(75_000) } }
    expect(draftsOf(shape)).toEqual([
      {
        session: 'S',
        type: 'system',
        text: '',
        native: { index: 0 },
        payload: { type: 'api-request-shape', shapeHash: 'h', leftOut: { shape: 75_010 } },
      },
    ])
  })

  test('a compaction boundary tolerates fields it has never seen (fault 14)', () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
      sessionId: 'S',
      compactMetadata: { post_tokens: 7 },
    }
    expect(draftsOf(boundary)[0]).toMatchObject({
      type: 'compaction',
      text: '',
      payload: { compactMetadata: { post_tokens: 7 } },
    })
    expect(draftsOf({ type: 'system', subtype: 'compact_boundary' })[0]?.type).toBe('compaction')
  })

  test('an attached file is named, not repeated', () => {
    const [draft] = draftsOf(attachment({ type: 'file', filename: '/w/a.txt', content: { text: 'secret' } }))
    expect(draft).toMatchObject({ type: 'system', text: '/w/a.txt' })
    expect(JSON.stringify(draft)).not.toContain('secret')
  })

  test('a hook that blocks says why', () => {
    const [draft] = draftsOf(
      attachment({ type: 'hook_blocking_error', blockingError: { blockingError: 'tests fail' } }),
    )
    expect(draft?.text).toBe('tests fail')
  })

  test('a queue operation keeps what was queued', () => {
    const record = { type: 'queue-operation', operation: 'enqueue', sessionId: 'S', content: 'and then commit' }
    expect(draftsOf(record)[0]).toMatchObject({
      type: 'runtime',
      text: 'and then commit',
      payload: { operation: 'enqueue' },
    })
  })

  test('a pull request is a link', () => {
    const record = { type: 'pr-link', sessionId: 'S', prNumber: 7, prUrl: 'https://example.org/pull/7' }
    expect(draftsOf(record)[0]).toMatchObject({
      type: 'system',
      text: 'https://example.org/pull/7',
      payload: { prNumber: 7 },
    })
  })
})

describe('foreign records', () => {
  test('are kept as unknown', () => {
    expect(draftsOf({ type: 'novelty', sessionId: 'S', deep: [1] })[0]).toMatchObject({
      type: 'unknown',
      text: '',
      payload: { type: 'novelty', deep: [1] },
    })
  })

  test('are bounded', () => {
    const [draft] = draftsOf({ type: 'novelty', blob: 'x'.repeat(50_000) })
    expect(draft?.payload).toEqual({ type: 'novelty', leftOut: { blob: 50_000 } })
    expect(draftsOf('x'.repeat(50_000))[0]?.payload).toEqual({ leftOut: { value: 50_000 } })
  })

  test.each([
    [null],
    [7],
    ['text'],
    [[1, 2]],
    [{}],
    [{ type: 7 }],
    [{ type: 'user' }],
    [{ type: 'user', message: null }],
    [{ type: 'user', message: { content: 7 } }],
    [{ type: 'user', message: { content: [null, 7, {}] } }],
    [{ type: 'user', message: { content: [{ type: 'tool_result' }] }, toolUseResult: 7 }],
    [{ type: 'assistant', message: { content: [null, 7, {}], usage: 7, stop_reason: 7 } }],
    [{ type: 'assistant', message: 'bare', isSidechain: true }],
    [{ type: 'assistant', message: { content: [{ type: 'tool_use' }] } }],
    [{ type: 'system', subtype: 'api_error', error: { error: { error: 7 } } }],
    [{ type: 'attachment' }],
    [{ type: 'attachment', attachment: 'x' }],
    [{ type: 'progress', data: 7 }],
    [{ type: 'summary' }],
    [{ type: 'file-history-snapshot', snapshot: 7, timestamp: 'yesterday' }],
    [{ type: 'constructor' }],
    [{ type: 'user', forkedFrom: 'x', origin: 7, uuid: 7, sessionId: 7, cwd: 7 }],
  ])('%j never throws and yields an event', (value) => {
    expect(draftsOf(value).length).toBeGreaterThan(0)
  })
})
