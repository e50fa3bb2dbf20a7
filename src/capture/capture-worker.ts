/** Entry of the worker thread that captures; `worker.ts` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import { type CaptureSettings, openCapture } from './open-capture.ts'

/** What the thread tells: a line for the program's log. */
export interface WorkerMessage {
  log: string
}

const port = parentPort
if (port) {
  const capture = await openCapture(workerData as CaptureSettings, (log) => {
    port.postMessage({ log } satisfies WorkerMessage)
  })
  // Any message is the request to end; with the port closed and nothing open, the thread ends by itself.
  port.once('message', async () => {
    await capture.close()
    port.close()
  })
}
