/**
 * JSON-RPC over two pipes, one message a line. Unlike the SDK's own, it treats the end of the input as what it is, a
 * client that has nothing more to ask: work already accepted is finished and answered before the connection closes.
 */

import type { Readable } from 'node:stream'
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { isRecord } from '../core/json.ts'

/** Longest line accepted, in bytes. */
const MAX_LINE = 16 * 1024 * 1024

const NEWLINE = 0x0a

/** Writes one line; the callback hears of a reader that is gone. */
export type WriteLine = (line: string, done: (error?: Error | null) => void) => void

export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void

  private readonly input: Readable
  private readonly write: WriteLine
  /** Requests accepted and not answered yet. */
  private readonly open = new Set<RequestId>()
  /** The beginning of a line whose end has not come yet. */
  private partial: Buffer[] = []
  private partialBytes = 0
  private ended = false
  private closed = false

  constructor(input: Readable, write: WriteLine) {
    this.input = input
    this.write = write
  }

  async start(): Promise<void> {
    this.input.on('data', this.onData)
    this.input.once('end', this.onEnd)
    this.input.once('close', this.onEnd)
    this.input.once('error', this.onEnd)
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed) {
        reject(new Error('the client is gone'))
        return
      }
      this.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) {
          // A client that cannot be written to will read no further answer either.
          void this.close()
          reject(error)
          return
        }
        if (!('method' in message) && message.id !== undefined) this.settle(message.id)
        resolve()
      })
    })
  }

  /** Stops reading; whatever still runs is cancelled by those who listen to `onclose`. */
  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    this.input.off('data', this.onData)
    this.input.destroy()
    this.onclose?.()
  }

  private readonly onData = (chunk: Buffer): void => {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end))
      this.finishLine()
      start = end + 1
    }
    this.keep(chunk.subarray(start))
  }

  private readonly onEnd = (): void => {
    if (this.ended) return
    this.ended = true
    this.finishLine()
    this.closeWhenDone()
  }

  private keep(piece: Buffer): void {
    this.partialBytes += piece.length
    // The rest of a line that is too long is dropped; its end answers it.
    if (this.partialBytes <= MAX_LINE) this.partial.push(piece)
  }

  private finishLine(): void {
    const tooLong = this.partialBytes > MAX_LINE
    const line = Buffer.concat(this.partial).toString('utf8')
    this.partial = []
    this.partialBytes = 0
    if (tooLong) this.refuse(ProtocolErrorCode.InvalidRequest, `a message may have ${MAX_LINE} bytes at most`)
    else if (line.trim() !== '') this.receive(line)
  }

  private receive(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.refuse(ProtocolErrorCode.ParseError, 'a line is one JSON-RPC message, and this one is no JSON')
      return
    }
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(value)
    } catch {
      this.refuse(ProtocolErrorCode.InvalidRequest, 'not a JSON-RPC 2.0 message', usableId(value))
      return
    }
    this.track(message)
    this.onmessage?.(message)
  }

  /** Counts what has to be answered. A subscription never is: it lasts as long as the connection. */
  private track(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') this.open.add(message.id)
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId']
      if (typeof id === 'string' || typeof id === 'number') this.settle(id)
    }
  }

  private settle(id: RequestId): void {
    this.open.delete(id)
    this.closeWhenDone()
  }

  private closeWhenDone(): void {
    // Later, so that the notification that cancels the last request is delivered before the connection goes.
    if (this.ended && this.open.size === 0) setImmediate(() => void this.close())
  }

  private refuse(code: number, message: string, id: RequestId | null = null): void {
    // JSON-RPC 2.0, section 5: an error about a message whose id is unknown has the id null.
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`, () => {})
  }
}

function usableId(value: unknown): RequestId | null {
  const id = isRecord(value) && 'method' in value ? value['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
