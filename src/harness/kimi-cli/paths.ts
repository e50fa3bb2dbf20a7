/** Where Kimi CLI and Kimi Code keep transcripts, and what a transcript's path says about its session. */

import { createHash } from 'node:crypto'
import { dirname, join, posix, win32 } from 'node:path'
import type { Reading } from '../../core/event.ts'
import { fields, list, text } from '../fields.ts'
import type { Host, Sidecar, SourceDefinition, SourceFile } from '../harness.ts'

/** Kimi CLI: `<md5 of the project's path>/<session>/wire.jsonl`, and one of each subagent below `subagents/<agent>/`. */
const WIRE = /^[^/]+\/[^/]+\/(?:subagents\/[^/]+\/)?wire\.jsonl$/

/** The history the model sees, beside each; older copies are numbered. */
const CONTEXT = /^[^/]+\/[^/]+\/(?:subagents\/[^/]+\/)?context(?:_(?:\d+|sub_\d+))?\.jsonl$/

/** The first clients wrote it alone: `<md5>/<session>.jsonl`, and `<session>_read_1.jsonl` for a subagent. */
const FIRST = /^[0-9a-f]{32}\/[0-9a-f-]{36}(?:_[a-z]+)?(?:_\d+)?\.jsonl$/

/** Kimi Code: `<project>/<session>/agents/<agent>/wire.jsonl`. */
const CODE = /^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/

export const sources: readonly SourceDefinition[] = [
  {
    name: 'kimi-cli',
    roots: (host) => [sessionsIn(host, 'KIMI_SHARE_DIR', '.kimi')],
    matches: (path) => WIRE.test(path) || CONTEXT.test(path) || FIRST.test(path),
  },
  {
    name: 'kimi-code',
    roots: (host) => [sessionsIn(host, 'KIMI_CODE_HOME', '.kimi-code')],
    matches: (path) => CODE.test(path),
  },
]

/** The variable stands in for the program's whole folder. */
function sessionsIn(host: Host, variable: string, folder: string): string {
  const path = host.platform === 'win32' ? win32 : posix
  return path.join(host.env[variable]?.trim() || path.join(host.home, folder), 'sessions')
}

export const isCodeWire = ({ relative }: SourceFile): boolean => CODE.test(relative)
export const isContext = ({ relative }: SourceFile): boolean => CONTEXT.test(relative) || FIRST.test(relative)

export interface Place {
  session: string
  /** The session whose subagent this is, else empty. */
  parent: string
}

/** Subagents are numbered or named within their session alone. */
export function agentSession(session: string, agent: string): string {
  return agent === '' || agent === 'main' ? session : `${session}/${agent}`
}

export function placeOf({ relative }: SourceFile): Place {
  const [, session = relative, folder, agent = ''] = relative.split('/')
  if (folder === 'agents' || folder === 'subagents') {
    const own = agentSession(session, agent)
    return { session: own, parent: own === session ? '' : session }
  }
  const name = session.replace(/\.jsonl$/, '')
  const [, main = name, helper = ''] = /^(.*?)_([a-z]+_?\d*)$/.exec(folder === undefined ? name : '') ?? []
  if (helper !== '') return { session: agentSession(main, helper), parent: main }
  const [, sub = ''] = /^context_(sub_\d+)\.jsonl$/.exec(folder ?? '') ?? []
  if (sub !== '') return { session: agentSession(name, sub), parent: name }
  return { session: (folder === undefined ? name.replace(/_\d+$/, '') : name) || 'unknown', parent: '' }
}

/** The folder of the main session, in which its `state.json` lies. */
function sessionFolder(file: SourceFile): string {
  let folder = dirname(file.path)
  for (let depth = file.relative.split('/').length; depth > 3; depth--) folder = dirname(folder)
  return folder
}

/** The session's own file: Kimi Code names folder, title and subagents in it, Kimi CLI a title that was given. */
export const stateSidecar: Sidecar = {
  pathOf: (file) => (file.relative.split('/').length > 2 ? join(sessionFolder(file), 'state.json') : undefined),
  read: readState,
}

function readState(value: unknown, file: SourceFile): Reading {
  const state = fields(value)
  const { session, parent } = placeOf(file)
  const cwd = text(state['cwd']) || text(state['workDir'])
  const facts = { nativeId: session, ...(cwd === '' ? {} : { cwd }) }
  if (parent !== '') {
    const agent = fields(fields(state['agents'])[session.slice(parent.length + 1)])
    const above = agentSession(parent, text(agent['parentAgentId']))
    return { drafts: [], sessions: [{ ...facts, parent: { nativeId: above, relation: 'subagent' } }] }
  }
  const title = text(state['custom_title']) || text(state['title'])
  if (cwd === '' && title === '') return { drafts: [] }
  return { drafts: [], sessions: [title === '' ? facts : { ...facts, title }] }
}

/** `kimi.json` in Kimi CLI's own folder lists the projects, of whose paths the folders' names are hashes. */
export const projectsSidecar: Sidecar = {
  pathOf: (file) => {
    let folder = dirname(file.path)
    for (let depth = file.relative.split('/').length; depth > 0; depth--) folder = dirname(folder)
    return join(folder, 'kimi.json')
  },
  read: readProjects,
}

function readProjects(value: unknown, file: SourceFile): Reading {
  // On another machine than this one the folder's name begins with the machine's.
  const hash = (file.relative.split('/')[0] ?? '').slice(-32)
  const paths = list(fields(value)['work_dirs']).map((project) => text(fields(project)['path']))
  const cwd = paths.find((path) => createHash('md5').update(path).digest('hex') === hash)
  return { drafts: [], sessions: cwd ? [{ nativeId: placeOf(file).session, cwd }] : [] }
}
