/** Captures a home into an archive, once; started, and killed, by the crash test. Says when it begins and ends. */

import { captureOnce } from '../../src/capture/capture.ts'
import { createRedactor } from '../../src/capture/redact/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { harnesses } from '../../src/harness/index.ts'
import { openStore } from '../../src/store/index.ts'

const [home = '', url = ''] = process.argv.slice(2)

const engine = await openStore({ url })
process.stdout.write('begins\n')
const report = await captureOnce({
  engine,
  owner: 1,
  harnesses,
  host: { home, env: {}, platform: process.platform },
  clock: systemClock,
  redactor: createRedactor({ enabled: true }),
  projects: { projectOf: () => undefined },
})
await engine.close()
process.stdout.write(`ends ${report.events}\n`)
