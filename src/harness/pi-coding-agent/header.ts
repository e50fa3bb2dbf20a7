/** The header of a transcript, and records that tell something about the session. */

import type { SessionFacts } from '../../core/event.ts'
import { count, fields, lines, smallFields, text } from '../fields.ts'
import { add, type Entry, timeOf } from './entry.ts'
import { sessionOfPath } from './paths.ts'

/** The first line, or the second behind a title. */
export function readSession(entry: Entry): void {
  const { record, state, sessions } = entry
  const id = text(record['id'])
  if (state.parent === '' && id !== '') state.session = id
  state.cwd = text(record['cwd'])
  const parent = parentOf(entry)
  state.forkedAt = parent?.relation === 'fork' ? (timeOf(record['timestamp']) ?? null) : null
  // The title before the header is the newer one.
  const title = state.titled ? '' : text(record['title']).trim() || state.name
  const branch = text(fields(record['git'])['branch'])
  sessions.push({
    nativeId: state.session,
    ...(parent && { parent }),
    ...(title !== '' && { title }),
    ...(state.cwd !== '' && { cwd: state.cwd }),
    ...(branch !== '' && { branch }),
  })
  const payload = smallFields(record, ['type', 'timestamp', 'cwd'])
  add(entry, 'system', state.cwd, { payload }, 'session')
}

/**
 * The session this one comes from. A subagent of Oh My Pi is told by its path, one of Prime Agent by its depth; all others
 * that name a parent are forks of it. Clients of 2025 called the parent `branchedFrom`.
 */
function parentOf({ record, state }: Entry): SessionFacts['parent'] {
  if (state.parent !== '') return { nativeId: state.parent, relation: 'subagent' }
  const nativeId = sessionOfPath(text(record['parentSession']) || text(record['branchedFrom']))
  if (nativeId === '' || nativeId === state.session) return undefined
  return { nativeId, relation: count(record['rlmDepth']) > 0 ? 'subagent' : 'fork' }
}

/** `title`, the first line of Oh My Pi's files, which is written over in place; `title_change`; Pi's `session_info`. */
export function readTitle(entry: Entry): void {
  const { record, state, sessions } = entry
  const title = (text(record['title']) || text(record['name'])).trim()
  if (title !== '') {
    sessions.push({ nativeId: state.session, title })
    state.titled = true
  }
  const isSlot = record['type'] === 'title'
  add(entry, 'system', title, { payload: smallFields(record, SKIPPED) }, isSlot ? 'title' : undefined)
}

const SKIPPED = ['type', 'id', 'parentId', 'timestamp', 'title', 'name', 'pad']

/** Oh My Pi writes `model` with the provider in front, Pi both apart. */
export function readModelChange(entry: Entry): void {
  const { record } = entry
  const [provider, id] = [text(record['provider']), text(record['modelId'])]
  const said = text(record['model']) || (provider === '' ? id : `${provider}/${id}`)
  const model = id || said.slice(said.indexOf('/') + 1)
  const draft = add(entry, 'system', said, { payload: smallFields(record, ['type', 'id', 'parentId', 'timestamp']) })
  if (model !== '') draft.model = model
}

/** The repository has changed: told by Prime Agent. */
export function readGitState(entry: Entry): void {
  const { record, state, sessions } = entry
  const branch = text(fields(record['git'])['branch'])
  if (branch !== '') sessions.push({ nativeId: state.session, branch })
  add(entry, 'runtime', '', { payload: smallFields(record, ['id', 'parentId', 'timestamp']) })
}

/** Settings a person may look for: how hard to think, which mode, a label on an entry. */
export function readSetting(entry: Entry): void {
  const { record } = entry
  const said = lines(...SAID.map((name) => text(record[name])))
  add(entry, 'system', said, { payload: smallFields(record, ['id', 'parentId', 'timestamp']) })
}

const SAID = ['thinkingLevel', 'mode', 'label', 'serviceTier']

/** What the client notes for itself. */
export function readNote(entry: Entry): void {
  add(entry, 'runtime', '', { payload: smallFields(entry.record, ['id', 'parentId', 'timestamp']) })
}
