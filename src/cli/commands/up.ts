import type { App } from '../../app.ts'
import { programFile } from '../../installation.ts'
import { defineCommand } from '../command.ts'
import { archivePlace, count } from '../numbers.ts'
import { hasBrowser, openBrowser } from '../open-browser.ts'
import { progressLine } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { withApp } from '../with-app.ts'

export const up = defineCommand({
  name: 'up',
  summary: 'Read transcripts, serve the page and MCP over HTTP, and keep watching',
  arguments: [],
  options: {
    port: { type: 'number', description: 'port to listen on; 0 takes a free one' },
    host: { type: 'text', value: 'H', description: 'loopback address to listen on' },
    'no-token': { type: 'boolean', description: 'let every program of this machine in, for tests' },
    'no-open': { type: 'boolean', description: 'do not open the page in a browser' },
  },
  async run({ options }, terminal) {
    const stopped = terminal.stopped()
    await withApp(terminal, async (app) => {
      const { startHttp } = await import('../http.ts')
      const server = await startHttp(app, {
        host: options.host ?? app.config.http.host,
        port: options.port ?? app.config.http.port,
        withToken: !options['no-token'],
        log: terminal.say,
      })
      terminal.print(`Varve is at ${server.url}\n`)
      const progress = progressLine(terminal)
      const capturing = app.config.capture.enabled ? await app.startCapture(terminal.say, progress.show) : undefined
      await Promise.race([capturing?.caughtUp, stopped])
      progress.done()
      for (const line of await introduction(app, server.signInUrl, terminal)) terminal.print(line)
      if (!options['no-open'] && hasBrowser(terminal)) openBrowser(server.signInUrl, terminal.platform)
      await stopped
      terminal.say('\nClosing.')
      await server.close()
    })
    return 0
  },
})

/** What was read, where it can be seen, and how to connect an agent. */
async function introduction(app: App, url: string, terminal: Terminal): Promise<string[]> {
  const { archive, sessions, events, sources, coverage } = await app.status()
  const read = sources.filter(({ files }) => files > 0)
  const heading = (text: string) => terminal.paint('bold', text)
  return [
    `${heading('Archive')}   ${count(sessions, 'session')}, ${count(events, 'event')} in ${archivePlace(archive)}`,
    ...read.map(
      (source) =>
        `          ${source.source}: ${count(source.sessions, 'session')} from ${count(source.files, 'file')}`,
    ),
    ...(archive.sample ? [terminal.paint('yellow', `          ${coverage.reason}`)] : []),
    '',
    `${heading('Page')}      ${url}`,
    '',
    heading('Connect your agents'),
    `  Claude Code   claude mcp add --scope user varve -- node ${quoted(programFile)} mcp`,
    `  Codex         codex mcp add varve -- node ${quoted(programFile)} mcp`,
    '',
    app.config.capture.enabled
      ? 'Watching for new transcripts. Ctrl-C ends it.'
      : 'Reading transcripts is switched off (capture.enabled). Ctrl-C ends it.',
  ]
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path)
}
