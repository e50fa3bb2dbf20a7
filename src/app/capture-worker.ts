/** Entry of the worker thread that captures and indexes; `capture/worker.ts` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerMessage } from '../capture/index.ts'
import { openCapturing } from './open-capturing.ts'
import type { CapturingSettings } from './settings.ts'

const port = parentPort
if (port) {
  const capture = await openCapturing(workerData as CapturingSettings, (log) => {
    port.postMessage({ log } satisfies WorkerMessage)
  })
  // Any message is the request to end; with the port closed and nothing open, the thread ends by itself.
  port.once('message', async () => {
    await capture.close()
    port.close()
  })
}
