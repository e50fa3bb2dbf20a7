/** The fake tools on standard input and output: what tests start as a process of its own. */

import { homedir } from 'node:os'
import { createAdmission } from '../../src/mcp/admission.ts'
import { createDispatch } from '../../src/mcp/dispatch.ts'
import { offerTools } from '../../src/mcp/listing.ts'
import { serveMcpOverStdio } from '../../src/mcp/stdio.ts'
import { fakeTools, services, surface } from './fake-tools.ts'

const admission = createAdmission()

const { closed } = serveMcpOverStdio({
  version: '0.0.0',
  tools: offerTools(fakeTools, surface),
  dispatch: createDispatch({
    services: async () => services,
    admission: () => admission,
    clock: Date.now,
    onFailure: (tool, cause) => console.error(tool, cause),
  }),
  caller: { owner: 1, admin: true, launchDirectory: homedir() },
})
// Something that would keep the process alive for ever, as a watcher does.
if (process.argv.includes('--leak')) setInterval(() => {}, 1_000)
await closed
