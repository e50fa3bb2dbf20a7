/** Serves the fixtures of the conformance suite on the product's own HTTP stack; prints the address and waits to be ended. */

import { createMcpEndpoint } from '../../src/mcp/http.ts'
import { MAX_BODY } from '../../src/web/app.ts'
import { startWebServer } from '../../src/web/server.ts'
import { createFixtureServer } from './fixture-server.ts'
import { withSessions } from './sessions.ts'

const endpoint = withSessions(createFixtureServer, createMcpEndpoint(createFixtureServer, MAX_BODY))
const server = await startWebServer({
  port: 0,
  mcp: { '/mcp': endpoint.fetch },
  call: () => Promise.reject(new Error('there are no tools behind the page here')),
  status: async () => ({}),
  onFailure: (place, cause) => console.error(place, cause),
})
console.log(`${server.url}/mcp`)
