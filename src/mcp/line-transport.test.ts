import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LineTransport } from './line-transport.ts'

async function setup() {
  const input = new PassThrough()
  const written: Record<string, unknown>[] = []
  const received: Record<string, unknown>[] = []
  const state = { closed: false, broken: false }
  const transport = new LineTransport(input, (line, done) => {
    if (!state.broken) written.push(JSON.parse(line))
    done(state.broken ? new Error('EPIPE') : null)
  })
  transport.onmessage = (message) => void received.push(message)
  transport.onclose = () => {
    state.closed = true
  }
  await transport.start()
  const settled = async () => {
    for (let round = 0; round < 5; round++) await turn()
  }
  return { input, written, received, state, transport, settled }
}

const request = (id: number | string, method = 'tools/call', params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const cancel = (requestId: number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

describe('LineTransport', () => {
  it('puts messages together again, however they were cut, even inside a character', async () => {
    const { input, received, settled } = await setup()
    for (const byte of Buffer.from(`${request('日本')}\r\n\n${request(2)}\n`)) input.write(Buffer.from([byte]))
    await settled()
    expect(received.map((message) => message['id'])).toEqual(['日本', 2])
  })

  it('takes a last line without an end', async () => {
    const { input, received, settled } = await setup()
    input.end(request(1))
    await settled()
    expect(received).toHaveLength(1)
  })

  it('answers what is no message, naming the request when it can', async () => {
    const { input, written, settled } = await setup()
    input.write('{"a":\n[1]\n{"jsonrpc":"2.0","id":3,"method":7}\n{"id":"x","method":"m"}\n')
    await settled()
    expect(written.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [null, -32700],
      [null, -32600],
      [3, -32600],
      ['x', -32600],
    ])
  })

  it('refuses a line that is too long without keeping it, and reads the next', async () => {
    const { input, written, received, settled } = await setup()
    for (let round = 0; round < 17; round++) input.write(Buffer.alloc(1024 * 1024, 'x'))
    input.write(`\n${request(1)}\n`)
    await settled()
    expect(written).toMatchObject([{ id: null, error: { code: -32600 } }])
    expect(received).toHaveLength(1)
  })

  it('stays open after the input has ended until every request is answered', async () => {
    const { input, state, transport, settled } = await setup()
    input.end(`${request(1)}\n${request(2)}\n`)
    await settled()
    await transport.send({ jsonrpc: '2.0', id: 2, result: {} })
    await settled()
    expect(state.closed).toBe(false)
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    await settled()
    expect(state.closed).toBe(true)
  })

  it('waits neither for what was cancelled nor for subscriptions, which are never answered', async () => {
    const { input, state, settled } = await setup()
    input.end(`${request(1)}\n${request(2, 'subscriptions/listen')}\n${cancel(1)}\n`)
    await settled()
    expect(state.closed).toBe(true)
  })

  it('C30: takes a failed write for a client that is gone', async () => {
    const { input, state, transport, settled } = await setup()
    input.write(`${request(1)}\n`)
    await settled()
    state.broken = true
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('EPIPE')
    expect(state.closed).toBe(true)
    expect(input.destroyed).toBe(true)
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('gone')
  })
})
