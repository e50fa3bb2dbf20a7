/** An MCP server over standard input and output, for clients that start it themselves. */

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { LineTransport, type WriteLine } from './line-transport.ts'
import { createServerFactory, type ToolServerOptions } from './server.ts'

export interface StdioServer {
  /** Resolves when the client has gone and nothing runs any more; time to close what was opened for it. */
  closed: Promise<void>
  /** Ends the connection now and cancels what runs. */
  close(): Promise<void>
}

/** How often a server without input looks whether its client still lives, in milliseconds. */
const WATCH_INTERVAL = 500

/** How long work may go on for a client that has closed its end, in milliseconds. */
const DRAIN_LIMIT = 60_000

/** How long closing may take before the process is ended, in milliseconds. */
const EXIT_DELAY = 3_000

/**
 * Serves MCP on this process's standard input and output, both protocol eras, until the client closes its end. From here
 * on everything else that is written to standard output, such as console.log, goes to standard error. The process ends
 * when `closed` has resolved and its owner has let go of timers and watchers, and at the latest three seconds after.
 */
export function serveMcpOverStdio(options: ToolServerOptions): StdioServer {
  const transport = new LineTransport(process.stdin, takeStandardOutput())
  const watch = watchClient(() => void transport.close())
  const server = serveStdio(createServerFactory(options), {
    transport,
    onerror: (error) => console.error(`mcp: ${error.message}`),
  })
  const closed = new Promise<void>((resolve) => {
    const release = transport.onclose
    transport.onclose = () => {
      watch.stop()
      release?.()
      setTimeout(() => process.exit(), EXIT_DELAY).unref()
      resolve()
    }
  })
  return { closed, close: () => server.close() }
}

/** Keeps standard output for the protocol alone: one stray line on it breaks the connection for most clients. */
function takeStandardOutput(): WriteLine {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  // A reader that is gone is also told to the callback of the write; without a listener it would end the process.
  stdout.on('error', () => {})
  return (line, done) => {
    write(line, done)
  }
}

/**
 * A client that was killed closes our input just as one that has asked its last question. Once the input has ended, a
 * change of parent process gives it away (on Windows nothing does); past the limit nobody is waiting any more. The timer
 * also keeps the process alive until the last answer is out.
 */
function watchClient(gone: () => void): { stop(): void } {
  const parent = process.ppid
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    const since = Date.now()
    timer = setInterval(() => {
      if (process.ppid !== parent || Date.now() - since > DRAIN_LIMIT) gone()
    }, WATCH_INTERVAL)
  }
  process.stdin.once('end', begin)
  return {
    stop() {
      process.stdin.off('end', begin)
      clearInterval(timer)
    },
  }
}
