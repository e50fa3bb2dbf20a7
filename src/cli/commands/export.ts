import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { parseTime } from '../../core/time.ts'
import { defineCommand } from '../command.ts'
import { toMarkdown } from '../markdown.ts'
import { usageError } from '../parse.ts'
import { parseSessionId } from '../session-id.ts'
import { withApp } from '../with-app.ts'

/** Characters gathered before they are written out. */
const CHUNK = 64 * 1024

type Filter = Parameters<App['export']>[0]

export const exportSessions = defineCommand({
  name: 'export',
  summary: 'Write sessions out as JSON lines or Markdown',
  description:
    'Without --include-sensitive there are only shapes, times and counts: nothing of what was said or done, no titles and\n' +
    'no paths. Secrets that were replaced at capture stay replaced.',
  arguments: [],
  options: {
    format: { type: 'text', choices: ['jsonl', 'markdown'], description: 'jsonl unless said otherwise' },
    session: { type: 'text', value: 'ID', description: 'only this session' },
    project: { type: 'text', value: 'DIR', description: 'only sessions of the project around this folder' },
    source: { type: 'text', value: 'NAME', description: 'only this source' },
    harness: { type: 'text', value: 'ID', description: 'only this harness' },
    since: { type: 'text', value: 'TIME', description: 'only sessions written to since then, as 2026-04-29T00:00:00Z' },
    'include-sensitive': { type: 'boolean', description: 'with texts, titles, arguments, payloads and paths' },
  },
  examples: [
    'varve export > shape.jsonl',
    'varve export --format markdown --include-sensitive --project . > sessions.md',
  ],
  async run({ options }, terminal) {
    return withApp(terminal, async (app) => {
      const { project, session, source, harness, since } = options
      const filter: Filter = {
        sensitive: options['include-sensitive'],
        ...(session !== undefined && { session: parseSessionId(session) }),
        ...(source !== undefined && { source }),
        ...(harness !== undefined && { harness }),
        ...(since !== undefined && { since: toTime(since) }),
        ...(project !== undefined && (await projectFilter(app, resolve(terminal.cwd, project)))),
      }
      const toText = options.format === 'markdown' ? toMarkdown : toJsonLine
      let text = ''
      let rows = 0
      for await (const row of app.export(filter)) {
        rows++
        text += toText(row)
        if (text.length < CHUNK) continue
        await terminal.write(text)
        text = ''
      }
      await terminal.write(text)
      if (rows > 0) return 0
      throw new UserError('not_found', 'no session matches', { remedy: 'see `varve sessions` for what there is' })
    })
  },
})

function toJsonLine(row: object): string {
  return `${JSON.stringify(row)}\n`
}

async function projectFilter(app: App, directory: string): Promise<Partial<Filter>> {
  const project = (await app.projects()).projectOf(directory)
  return project?.projectId.startsWith('git:') ? { projectId: project.projectId } : { directory }
}

function toTime(text: string): number {
  const at = parseTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
  if (at === undefined) throw usageError(`--since must be a time such as 2026-04-29T00:00:00Z, not '${text}'`, 'export')
  return at
}
