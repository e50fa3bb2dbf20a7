import type { Status } from '../../app.ts'
import { defineCommand } from '../command.ts'
import { archivePlace, bytes, count } from '../numbers.ts'
import type { Terminal } from '../terminal.ts'
import { withApp } from '../with-app.ts'

export const status = defineCommand({
  name: 'status',
  summary: 'Say what the archive holds and how far each source has been read',
  arguments: [],
  options: { json: { type: 'boolean', description: 'print it as data' } },
  async run({ options }, terminal) {
    const current = await withApp(terminal, (app) => app.status())
    if (options.json) terminal.print(JSON.stringify(current, null, 2))
    else for (const line of statusLines(current, terminal)) terminal.print(line)
    return 0
  },
})

/** The status as lines for a person. */
export function statusLines(current: Status, terminal: Terminal): string[] {
  const { archive, sessions, turns, events, sources, capture, coverage } = current
  const names = sources.map(({ source }) => source.length)
  const width = Math.max(...names, 6)
  return [
    `Varve ${current.version}`,
    '',
    `Archive   ${archivePlace(archive)}`,
    `Holds     ${count(sessions, 'session')}, ${count(turns, 'turn')}, ${count(events, 'event')}`,
    `Coverage  ${terminal.paint(coverage.state === 'complete' ? 'green' : 'yellow', coverage.state)}: ${coverage.reason}`,
    `Reading   ${capture.holder === null ? 'no process reads transcripts now' : `process ${capture.holder}`}`,
    '',
    ...sources.map(
      ({ source, sessions: held, files, unreadable, problems, bytes: size, bytes_read: read, present }) =>
        `${source.padEnd(width)}  ${count(held, 'session')} from ${count(files, 'file')}` +
        (size > read ? `, ${bytes(size - read)} unread` : '') +
        (unreadable > 0 ? `, ${count(unreadable, 'file')} unreadable` : '') +
        (problems > 0 ? `, ${count(problems, 'bad record')}` : '') +
        (files === 0 && !present ? ' (not on this machine)' : ''),
    ),
  ]
}
