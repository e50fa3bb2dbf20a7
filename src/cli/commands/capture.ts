import type { CaptureReport } from '../../app.ts'
import { defineCommand } from '../command.ts'
import { bytes, count, duration } from '../numbers.ts'
import { progressLine } from '../progress.ts'
import type { Terminal } from '../terminal.ts'
import { withApp } from '../with-app.ts'

/** Things passed over that are named one by one; the rest is counted. */
const SHOWN = 20

export const capture = defineCommand({
  name: 'capture',
  summary: 'Read what is new in the transcripts into the archive',
  description:
    'Without --once it keeps watching. Only one process reads at a time; while another does, this one fails.',
  arguments: [{ name: 'PATH', description: 'read only these files, or what lies below these folders', repeated: true }],
  options: {
    once: { type: 'boolean', description: 'read what there is, then end' },
    source: { type: 'text', value: 'NAME', description: 'read only this source', repeated: true },
    json: { type: 'boolean', description: 'print what was done as one JSON object' },
  },
  examples: ['varve capture --once', 'varve capture --once --source codex --json'],
  async run({ arguments: paths, options }, terminal) {
    const stopped = terminal.stopped()
    const controller = new AbortController()
    void stopped.then(() => controller.abort())
    return withApp(terminal, async (app) => {
      const progress = progressLine(terminal)
      const report = await app.capture({
        ...(options.source.length > 0 && { sources: options.source }),
        ...(paths.length > 0 && { paths }),
        signal: controller.signal,
        onProgress: progress.show,
      })
      progress.done()
      if (options.json) terminal.print(JSON.stringify(report))
      else for (const line of reportLines(report, terminal)) terminal.print(line)
      if (options.once || controller.signal.aborted) return report.finished ? 0 : 1
      terminal.say('Watching for more. Ctrl-C ends it.')
      await app.startCapture(terminal.say)
      await stopped
      return 0
    })
  },
})

function reportLines(report: CaptureReport, terminal: Terminal): string[] {
  const { files, unchanged, records, events, sessions, skipped, redactions, seconds } = report
  const secrets = Object.values(redactions).reduce((sum, each) => sum + each, 0)
  return [
    `Read ${count(records, 'record')} (${bytes(report.bytes)}) of ${count(files, 'file')} in ${duration(seconds)}; ${unchanged} had nothing new.`,
    `New: ${count(events, 'event')}, ${count(sessions, 'session')}.${secrets > 0 ? ` ${count(secrets, 'secret')} replaced.` : ''}`,
    ...skipped
      .slice(0, SHOWN)
      .map(({ path, line, reason, count: times, detail }) =>
        terminal.paint(
          'yellow',
          `  ${path}${line === undefined ? '' : `:${line}`}: ${reason}${times > 1 ? ` (${times} times)` : ''}${detail ? `, ${detail}` : ''}`,
        ),
      ),
    ...(skipped.length > SHOWN ? [`  and ${count(skipped.length - SHOWN, 'place')} more`] : []),
    ...(report.finished ? [] : ['Stopped before the end; the next capture goes on from here.']),
  ]
}
