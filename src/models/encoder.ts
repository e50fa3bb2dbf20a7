/** The installed sentence encoder, in a thread of its own: it computes without pause, and its memory ends with the thread. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { checkVectors, type Embedder } from './embedder.ts'
import { ENCODER_DIMENSIONS, ENCODER_MODEL, type Encode, loadEncoder } from './encoder-packages.ts'

/** Megabytes of the thread's own heap; the encoder's numbers lie outside of it. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }

export interface EncodeRequest {
  id: number
  texts: readonly string[]
}

export type EncodeAnswer = { id: number } & ({ vectors: Float32Array[] } | { error: string })

/** Texts at a time: more are hardly quicker, and the memory of the largest batch stays taken. */
const BATCH = 2

/** Milliseconds without a text after which the thread ends; it is started again in half a second. */
const IDLE = 60_000

/** The encoder found in `folder`. The bundle has the thread's program beside it; run from source, this thread computes. */
export function encoderIn(folder: string): Embedder {
  const program = fileURLToPath(new URL('./encoder-thread.js', import.meta.url))
  return encoderOf(existsSync(program) ? threadEncode(program, folder) : ownEncode(folder))
}

/** An encoder around anything that encodes. */
export function encoderOf({ encode, close }: { encode: Encode; close(): Promise<void> }): Embedder {
  return {
    model: ENCODER_MODEL,
    dimensions: ENCODER_DIMENSIONS,
    batch: BATCH,
    async embed(texts, signal) {
      signal.throwIfAborted()
      if (texts.length === 0) return []
      const vectors = await encode(texts)
      signal.throwIfAborted()
      checkVectors(texts.length, vectors, ENCODER_DIMENSIONS)
      return vectors
    },
    close,
  }
}

function ownEncode(folder: string): Parameters<typeof encoderOf>[0] {
  let loaded: Promise<Encode> | undefined
  return {
    async encode(texts) {
      loaded ??= loadEncoder(folder)
      return (await loaded)(texts)
    },
    close: async () => {},
  }
}

interface Waiting {
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

function threadEncode(program: string, folder: string): Parameters<typeof encoderOf>[0] {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last = 0

  const end = async (reason: string): Promise<void> => {
    const ended = thread
    thread = undefined
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
    await ended?.terminate()
  }
  const start = (): Worker => {
    const started = new Worker(program, { workerData: folder, resourceLimits: HEAP })
    started.on('message', (answer: EncodeAnswer) => {
      const asked = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('vectors' in answer) asked?.resolve(answer.vectors)
      else asked?.reject(new Error(answer.error))
      if (waiting.size > 0) return
      // With nothing to wait for, the thread alone does not keep the program running.
      started.unref()
      idle = setTimeout(() => void end('idle'), IDLE).unref()
    })
    const lost = (reason: string): void => {
      if (thread === started) void end(`the encoder ended: ${reason}`)
    }
    started.on('error', (error) => lost(error instanceof Error ? error.message : String(error)))
    started.on('exit', (code) => lost(`code ${code}`))
    return started
  }
  return {
    encode: (texts) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        thread ??= start()
        thread.ref()
        const id = ++last
        waiting.set(id, { resolve, reject })
        thread.postMessage({ id, texts } satisfies EncodeRequest)
      }),
    close: () => end('closed'),
  }
}
