/** Events about the session, its turns and its subagents. */

import type { SessionFacts } from '../../core/event.ts'
import { recall } from '../bounded.ts'
import { fields, foreign, smallFields, text } from '../fields.ts'
import { add, type Entry, end } from './entry.ts'
import { addTotals } from './usage.ts'

/** The session begins, or goes on in another process: then whoever was at work on the last prompt is gone. */
export function readStartOrResume(entry: Entry): void {
  const { data, state, type } = entry
  const session = text(data['sessionId'])
  if (type === 'session.start' && session !== '') state.session = session
  const started: Entry = { ...entry, session: state.session }
  tellPlace(started, data['context'], text(data['copilotVersion']))
  const draft = add(started, 'system', '', { payload: { type, ...smallFields(data) } })
  end(started, draft, 'exited')
}

/** `session.context_changed`: another directory or branch. */
export function readContext(entry: Entry): void {
  tellPlace(entry, entry.data)
  add(entry, 'system', '', { payload: { type: entry.type, ...smallFields(entry.data) } })
}

function tellPlace({ state, session, sessions }: Entry, context: unknown, version = ''): void {
  const cwd = text(fields(context)['cwd'])
  const branch = text(fields(context)['branch'])
  if (cwd !== '') state.cwd = cwd
  const facts: SessionFacts = { nativeId: session }
  if (cwd !== '') facts.cwd = cwd
  if (branch !== '') facts.branch = branch
  if (version !== '') facts.cliVersion = version
  if (Object.keys(facts).length > 1) sessions.push(facts)
}

export function readShutdown(entry: Entry): void {
  const draft = add(entry, 'runtime', text(entry.data['errorReason']), {
    payload: { type: entry.type, ...smallFields(entry.data, ['errorReason']) },
  })
  end(entry, draft, 'exited')
  addTotals(entry)
}

export function readAbort(entry: Entry): void {
  const draft = add(entry, 'runtime', '', { payload: { type: entry.type, ...smallFields(entry.data) } })
  end(entry, draft, 'interrupted')
}

export function readError(entry: Entry): void {
  const { data, type } = entry
  const draft = add(entry, 'runtime', text(data['message']), { payload: { type, ...smallFields(data, ['message']) } })
  end(entry, draft, 'failed')
}

/** The conversation goes on from an earlier event. What came after it stays in the archive. */
export function readRewind(entry: Entry): void {
  const draft = add(entry, 'runtime', 'The conversation was rewound.', {
    payload: { type: entry.type, ...smallFields(entry.data) },
  })
  end(entry, draft, 'interrupted')
}

/** One that was cancelled, or failed, compacted nothing. */
export function readCompaction(entry: Entry): void {
  const { data, type } = entry
  const payload = { type, ...smallFields(data, ['summaryContent']) }
  if (data['success'] === true) add(entry, 'compaction', text(data['summaryContent']), { payload })
  else add(entry, 'runtime', text(data['error']), { payload })
}

export function readTitle(entry: Entry): void {
  const title = text(entry.data['title']).trim()
  add(entry, 'system', title, { payload: { type: entry.type } })
  if (title !== '') entry.sessions.push({ nativeId: entry.session, title })
}

/** A subagent's events stand among its parent's, with its id on them. */
export function readSubagentStarted(entry: Entry): void {
  const { data, state, session, sessions, type } = entry
  const title = text(data['agentDescription']).trim()
  add(entry, 'runtime', title, { payload: { type, ...smallFields(data, ['agentDescription']) } })
  if (session === state.session) return
  const callId = text(data['toolCallId'])
  const parent: NonNullable<SessionFacts['parent']> = {
    nativeId: recall(state.pending, callId)?.session ?? state.session,
    relation: 'subagent',
  }
  if (callId !== '') parent.callId = callId
  const facts: SessionFacts = { nativeId: session, parent }
  if (title !== '') facts.title = title
  if (state.cwd !== '') facts.cwd = state.cwd
  sessions.push(facts)
}

export function readSubagentEnded(entry: Entry): void {
  const { data, type } = entry
  const draft = add(entry, 'runtime', text(data['error']), { payload: { type, ...smallFields(data, ['error']) } })
  end(entry, draft, type === 'subagent.failed' ? 'failed' : 'answered')
}

/** What the client tells the model or the user beside the conversation. */
export function readNotice(entry: Entry): void {
  const { data, type } = entry
  const said = [data['message'], data['content'], data['summary'], data['intent'], data['name']].map(text)
  const payload = { type, ...smallFields(data, ['message', 'content', 'summary', 'intent']) }
  add(entry, type === 'system.notification' ? 'system' : 'runtime', said.find((part) => part !== '') ?? '', { payload })
}

/** What says nothing about the conversation, or says it again. */
export function readNote(entry: Entry): void {
  const type = entry.type === 'system.message' ? 'system' : 'runtime'
  add(entry, type, '', { payload: { type: entry.type, ...smallFields(entry.data) } })
}

/** What no rule covers is kept as it is. */
export function readUnknown(entry: Entry): void {
  add(entry, 'unknown', '', { payload: foreign(entry.record) })
}
