/** The session's own fields, and what is known of its end. */

import type { SessionFacts, Usage } from '../../core/event.ts'
import { count, type Fields, fields, pick, text } from '../fields.ts'
import { add, type Entry, end, timeOf } from './entry.ts'
import { parsed } from './records.ts'

export function readSession(entry: Entry, session: Fields): void {
  const { state, sessions } = entry
  const config = fields(parsed(session['model_config']))
  state.session = text(session['id']) || text(session['session_id']) || state.session
  state.startedAt = timeOf(session['started_at'] ?? session['session_start']) ?? null
  state.model = text(session['model'])
  const cwd = text(session['cwd']) || text(config['cwd'])
  // A folder with `~` in front names nothing without the home it was meant for.
  state.cwd = /^(?:\/|[A-Za-z]:[\\/])/.test(cwd) ? cwd : ''
  const parent = parentOf(session, config)
  state.isContinued = parent?.relation === 'fork'
  const title = text(session['title']).trim()
  const branch = text(session['git_branch'])
  sessions.push({
    nativeId: state.session,
    ...(parent && { parent }),
    ...(title !== '' && { title }),
    ...(state.cwd !== '' && { cwd: state.cwd }),
    ...(branch !== '' && { branch }),
  })
  const payload = pick(session, ['source', 'platform', 'model', 'profile_name', 'message_count'])
  const at = state.startedAt ?? timeOf(session['last_updated'])
  const draft = add(entry, 'system', text(session['source']) || text(session['platform']), payload && { payload })
  if (at !== undefined) draft.at = at
  if (state.model !== '') draft.model = state.model
}

/** A subagent's parent, or the session that was compacted or branched into this one. */
function parentOf(session: Fields, config: Fields): SessionFacts['parent'] {
  const delegated = text(config['_delegate_from'])
  const nativeId = delegated || text(session['parent_session_id'])
  if (nativeId === '') return undefined
  const isSubagent = delegated !== '' || session['source'] === 'subagent'
  return { nativeId, relation: isSubagent ? 'subagent' : 'fork' }
}

/** When the session was written last, what it cost, and whether it was left in the middle of a turn. */
export function readEnd(entry: Entry, record: Fields): void {
  const facts = fields(record['end'])
  const reason = text(facts['end_reason'])
  const draft = add(entry, 'runtime', '', reason === '' ? {} : { payload: { end_reason: reason } })
  const usage = usageOf(entry.state.session, facts)
  if (usage) draft.usage = usage
  // What is compacted goes on in another session.
  if (entry.state.turnIsOpen && reason !== '' && reason !== 'compression') end(entry, draft, 'exited')
}

/** The database holds sums for the whole session, which only grow. */
function usageOf(session: string, facts: Fields): Usage | undefined {
  const usage = {
    input: count(facts['input_tokens']),
    output: count(facts['output_tokens']),
    cacheRead: count(facts['cache_read_tokens']),
    cacheWrite: count(facts['cache_write_tokens']),
    reasoning: count(facts['reasoning_tokens']),
  }
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return undefined
  return { id: `hermes ${session}`, ...usage }
}
