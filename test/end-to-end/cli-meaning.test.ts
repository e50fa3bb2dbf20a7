import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NEVER, startServer, type TestServer } from '../../src/models/server.testing.ts'
import { type Machine, makeMachine } from './recording-terminal.ts'
import { sentence, transcript } from './varve.ts'

const TRANSCRIPT = `.claude/projects/-home-me-project/${transcript.sessionId}.jsonl`

let machine: Machine
let server: TestServer
beforeEach(async () => {
  server = await startServer(NEVER)
  machine = makeMachine({
    env: {
      VARVE_CONTEXT_MEANING_PROVIDER: 'http',
      VARVE_CONTEXT_MEANING_URL: `${server.url}/v1/embeddings`,
      VARVE_CONTEXT_MEANING_MODEL: 'm',
    },
  })
})
afterEach(async () => {
  await server.close()
  machine.remove()
})

describe('the command line with a model that never answers', () => {
  test('answers from keywords, says so, and waits for nothing when it ends (statement 28)', async () => {
    machine.write(TRANSCRIPT, transcript.text)
    const { code, out, err } = await machine.run(['pack', 'sediment', '--json'])
    expect([code, err]).toEqual([0, expect.not.stringContaining('failed')])
    const pack: unknown = JSON.parse(out)
    expect(pack).toMatchObject({ mode: 'lexical', degraded: true, degraded_reason: 'embed_timeout' })
    expect(out).toContain(sentence)
    // One question was sent, and no stored text: somebody waited for this answer.
    expect(server.requests.map(({ body }) => body)).toMatchObject([{ input: ['sediment'] }])
  })

  test('tells of it in `varve doctor`', async () => {
    machine.write(TRANSCRIPT, transcript.text)
    const { out } = await machine.run(['doctor'])
    expect(out).toContain(`search by meaning: m at ${server.url}/v1/embeddings. 0 vectors are stored.`)
    expect(out).toContain('It does not answer: embed_timeout')
  })
})
