/** Entry of the thread that the encoder computes in; `encoder.ts` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import type { EncodeAnswer, EncodeRequest } from './encoder.ts'
import { loadEncoder } from './encoder-packages.ts'

const port = parentPort
if (port) {
  const loaded = loadEncoder(String(workerData))
  port.on('message', async ({ id, texts }: EncodeRequest) => {
    let answer: EncodeAnswer
    try {
      answer = { id, vectors: await (await loaded)(texts) }
    } catch (error) {
      answer = { id, error: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(answer)
  })
}
