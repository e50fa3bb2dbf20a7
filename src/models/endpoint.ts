/** Asking an OpenAI-compatible server: on this machine (Ollama, LM Studio, llama.cpp) or the owner's provider. */

import { Buffer } from 'node:buffer'

export interface Endpoint {
  /** The whole address a request is posted to. */
  url: string
  /** Sent as a bearer token; never part of a message. */
  key?: string
}

export interface AskOptions {
  /** Milliseconds until the whole answer must be there. */
  timeout: number
  /** Bytes of an answer that are read at most. */
  maxBytes: number
  signal: AbortSignal
}

/** Characters of a refusal that are passed on. */
const DETAIL = 200

/**
 * Posts JSON and returns the JSON that comes back. Redirects are not followed: the text and the key go to the host that
 * was named and to no other.
 * @throws Error that says in one line what went wrong; what `signal` was aborted with
 */
export async function postJson(endpoint: Endpoint, body: unknown, options: AskOptions): Promise<unknown> {
  const { timeout, maxBytes, signal } = options
  const place = placeOf(endpoint.url)
  const late = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, late]),
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new Refusal('answers with a redirect, which is not followed')
    }
    const text = await readText(response, maxBytes)
    if (!response.ok) throw new Refusal(`answers ${response.status}: ${text}`)
    try {
      return JSON.parse(text)
    } catch {
      throw new Refusal('answers with something that is no JSON')
    }
  } catch (error) {
    signal.throwIfAborted()
    const reason = late.aborted ? `gave no answer in ${timeout} ms` : reasonOf(error)
    // No cause: the errors of `fetch` may quote the address and headers.
    throw new Error(withoutKey(`${place} ${reason}`, endpoint.key))
  }
}

/** The address without what may hold a secret: user, password and query. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** What the server said of itself, rather than what went wrong on the way. */
class Refusal extends Error {}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new Refusal(`answers with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return oneLine(error.message)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? `cannot be reached (${code})` : 'cannot be reached'
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, DETAIL)
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined ? text : text.replaceAll(key, '[REDACTED]')
}
