/** One question to an OpenAI-compatible `/v1/chat/completions`, with the schema its answer has to fit. */

import { z } from 'zod'
import { type Endpoint, postJson } from './endpoint.ts'

export interface HttpChatOptions extends Endpoint {
  model: string
  /** Milliseconds an answer may take. */
  timeout?: number
}

export interface ChatRequest {
  system: string
  user: string
  schema: Readonly<Record<string, unknown>>
  signal?: AbortSignal
}

/** A model on a laptop's processor reads 32 KB for a while. */
const TIMEOUT = 120_000
const MAX_BYTES = 1024 * 1024

const answerSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

/** Asks a model and gives back the text of its answer. The function throws, in one line and without the key. */
export function httpChat(options: HttpChatOptions): (request: ChatRequest) => Promise<string> {
  const { model, timeout = TIMEOUT, ...endpoint } = options
  return async ({ system, user, schema, signal = new AbortController().signal }) => {
    const body = {
      model,
      temperature: 0,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'labels', strict: true, schema } },
    }
    const answer = answerSchema.safeParse(await postJson(endpoint, body, { timeout, maxBytes: MAX_BYTES, signal }))
    const content = answer.data?.choices[0]?.message.content
    if (content === undefined) throw new Error(`${model} answers in another form than /v1/chat/completions has`)
    return content
  }
}
