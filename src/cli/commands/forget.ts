import { resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { defineCommand } from '../command.ts'
import { count } from '../numbers.ts'
import { usageError } from '../parse.ts'
import { parseSessionId } from '../session-id.ts'
import type { Terminal } from '../terminal.ts'
import { withApp } from '../with-app.ts'

type Target = Parameters<App['forget']>[0]

/** What is to go, and how a person calls it. */
interface Wish {
  targets: Target[]
  name: string
}

export const forget = defineCommand({
  name: 'forget',
  summary: 'Remove a session, a project or a source from the archive for good',
  description:
    'Its events, index entries and payloads go, and later captures do not bring it back. The transcripts themselves are\n' +
    'not touched. A session takes its subagents with it.',
  arguments: [{ name: 'ID', description: 'the session to forget' }],
  options: {
    project: { type: 'text', value: 'DIR', description: 'forget the project around this folder, worktrees included' },
    source: { type: 'text', value: 'NAME', description: 'forget everything of this source' },
    yes: { type: 'boolean', description: 'do not ask' },
    json: { type: 'boolean', description: 'print what was removed as data' },
  },
  examples: ['varve forget session:ses_01J9Q3N7W6F9A8K2M4V5R6T7Y8', 'varve forget --project ~/work/confidential --yes'],
  async run({ arguments: [id], options }, terminal) {
    const { project, source, yes, json } = options
    if ([id, project, source].filter((each) => each !== undefined).length !== 1) {
      throw usageError('give one of ID, --project and --source', 'forget')
    }
    return withApp(terminal, async (app) => {
      if ((await app.status()).archive.sample) {
        throw new UserError('not_found', 'there is nothing to forget: this is the sample, it goes by itself')
      }
      const wish = await toWish(app, terminal, { id, project, source })
      if (!yes) await confirm(terminal, wish.name)
      const total = { sessions: 0, turns: 0, events: 0, touches: 0, problems: 0 }
      for (const target of wish.targets) {
        const counts = await app.forget(target)
        for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key]
      }
      if (total.sessions === 0) throw new UserError('not_found', `the archive holds nothing of ${wish.name}`)
      if (json) terminal.print(JSON.stringify(total))
      else terminal.print(`Forgotten: ${count(total.sessions, 'session')}, ${count(total.events, 'event')}.`)
      return 0
    })
  },
})

interface Given {
  id: string | undefined
  project: string | undefined
  source: string | undefined
}

async function toWish(app: App, terminal: Terminal, { id, project, source }: Given): Promise<Wish> {
  if (id !== undefined) return { targets: [{ session: parseSessionId(id) }], name: `session ${id}` }
  if (source !== undefined) return { targets: [{ source }], name: `source ${source}` }
  const directory = resolve(terminal.cwd, project ?? '.')
  const found = (await app.projects()).projectOf(directory)
  // The folder too: its sessions may be older than the repository in it.
  const targets: Target[] = [{ directory }]
  if (found?.projectId.startsWith('git:')) targets.push({ projectId: found.projectId })
  return { targets, name: `project ${found?.root ?? directory}` }
}

/** @throws UserError when the person says no, or there is none to ask */
async function confirm(terminal: Terminal, name: string): Promise<void> {
  const answer = await terminal.ask(`Forget ${name} for good? Type yes: `)
  if (answer === undefined) throw usageError('nobody can be asked here; give --yes to forget without asking', 'forget')
  if (answer.trim().toLowerCase() !== 'yes') throw new UserError('cancelled', 'nothing was forgotten')
}
