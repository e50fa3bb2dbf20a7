/** Captures in a thread of its own, so that the program goes on answering while transcripts are read. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CaptureSettings } from './open-capture.ts'

/** What the thread tells: a line for the program's log. */
export interface WorkerMessage {
  log: string
}

export interface CaptureWorker {
  /** Stops after the batch under way. */
  close(): Promise<void>
}

/** Milliseconds a batch under way may take before the thread is ended anyway; the store undoes what it had begun. */
const CLOSE_WITHIN = 10_000

/**
 * Starts capturing. The bundle has the thread's program beside it; run from source, where there is none, capture shares
 * the program's own thread. @param log is told what goes wrong, in one line @param openHere does there what the thread's
 * program does
 */
export async function startCaptureWorker<Settings extends CaptureSettings>(
  settings: Settings,
  log: (line: string) => void,
  openHere?: (settings: Settings, log: (line: string) => void) => Promise<CaptureWorker>,
): Promise<CaptureWorker> {
  const program = fileURLToPath(new URL('./capture-worker.js', import.meta.url))
  if (existsSync(program)) return startThread(program, settings, log)
  if (openHere) return openHere(settings, log)
  const { openCapture } = await import('./open-capture.ts')
  return openCapture(settings, log)
}

function startThread(program: string, settings: CaptureSettings, log: (line: string) => void): CaptureWorker {
  const { host } = settings
  // The environment of a process is no plain object, and only those can be handed to a thread.
  const workerData = { ...settings, host: { ...host, env: { ...host.env } } }
  const worker = new Worker(program, { workerData })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('message', (message: WorkerMessage) => log(message.log))
  worker.on('error', (error) => log(`capture ended: ${error instanceof Error ? error.message : String(error)}`))
  // The thread alone does not keep the program running.
  worker.unref()
  return {
    close: async () => {
      worker.ref()
      worker.postMessage('close')
      const timer = setTimeout(() => void worker.terminate(), CLOSE_WITHIN)
      await ended
      clearTimeout(timer)
    },
  }
}
