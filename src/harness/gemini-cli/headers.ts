/** Records about the session: its header, and patches of it, some of which replace the history the model sees. */

import type { Draft, SessionFacts } from '../../core/event.ts'
import { type Fields, fields, list, smallFields, text } from '../fields.ts'
import { partsOf, textOfParts } from '../google-parts.ts'
import { add, type Entry } from './entry.ts'
import { remember } from './state.ts'

/** A header begins the file, and stands there again whenever the session is resumed. */
export function readHeader(entry: Entry): void {
  const { record, state, sessions } = entry
  const session = text(record['sessionId'])
  const resumed = state.named
  if (!resumed && session !== '') {
    state.session = session
    state.named = true
  }
  const facts = factsOf(entry, record)
  if (state.parent !== '' && !resumed) facts.parent = { nativeId: state.parent, relation: 'subagent' }
  if (Object.keys(facts).length > 1) sessions.push(facts)
  const draft = add(entry, 'system', '', undefined, { payload: smallFields(record) })
  if (resumed) endAbandoned(entry, draft)
}

/** Whoever was at work on the prompt is gone: the session is begun anew. Work that goes on takes this back. */
function endAbandoned({ state }: Entry, draft: Draft): void {
  if (!state.turnIsOpen) return
  draft.ends = 'exited'
  state.turnIsOpen = false
}

/** What a header or patch says about the session. The directories of a main session begin with its own. */
function factsOf({ state }: Entry, from: Fields): SessionFacts {
  const facts: SessionFacts = { nativeId: state.session }
  const summary = text(from['summary']).trim()
  if (summary !== '' && state.parent === '') facts.title = summary
  else if (summary !== '') facts.summary = summary
  const directory = text(from['cwd']) || text(list(from['directories'])[0])
  if (directory !== '' && state.cwd === '') {
    state.cwd = directory
    facts.cwd = directory
  }
  return facts
}

/** `{"$set": …}` changes fields of the header; `messages` replaces what the model sees. */
export function readPatch(entry: Entry): void {
  const patch = fields(entry.record['$set'])
  const facts = factsOf(entry, patch)
  if (Object.keys(facts).length > 1) entry.sessions.push(facts)
  if (Array.isArray(patch['messages'])) readHistory(entry, patch['messages'].map(fields))
  else {
    const draft = add(entry, 'system', '', undefined, { payload: smallFields(patch) })
    // A resume says again whose file this is.
    if (patch['sessionId'] !== undefined) endAbandoned(entry, draft)
  }
}

/**
 * The history the model sees from now on: at start and resume, after a compaction, and when a request has failed.
 * Every message in it has a record of its own but for what the client puts there itself: the first, which tells about
 * the folder, and a compaction's summary.
 */
function readHistory(entry: Entry, messages: readonly Fields[]): void {
  const { state } = entry
  const payload = { messages: messages.length }
  const texts = messages.map((message) => textOfParts(partsOf(message['content'])))
  const context = texts.find(isSessionContext)
  if (context !== undefined) noteDirectory(entry, context)
  const at = messages.findIndex(
    (message, place) => isSummary(texts[place] ?? '') && !state.summaries.includes(text(message['id'])),
  )
  if (at >= 0) {
    remember(state.summaries, text(messages[at]?.['id']))
    add(entry, 'compaction', texts[at] ?? '', undefined, { payload })
    return
  }
  const draft = add(entry, 'system', messages.length === 1 ? (texts[0] ?? '') : '', undefined, { payload })
  // A prompt whose request failed is taken back; Escape has been told before.
  if (!state.turnIsOpen || messages.some((message) => message['id'] === state.prompt)) return
  draft.type = 'runtime'
  draft.text = 'The request failed; the prompt was taken back.'
  draft.ends = 'failed'
  state.turnIsOpen = false
}

/** The client's own first message. */
export function isSessionContext(said: string): boolean {
  return (
    said.startsWith('<session_context>') || said.startsWith('This is the Gemini CLI. We are setting up the context')
  )
}

/** A compaction's summary, in the client's own tags. */
export function isSummary(said: string): boolean {
  return said.trimStart().startsWith('<state_snapshot>')
}

/** The working directory is the first the client names. */
export function noteDirectory({ state, sessions }: Entry, context: string): void {
  if (state.cwd !== '') return
  const directory =
    /Workspace Directories:\*\*\n\s*- ([^\n]+)/.exec(context) ?? /working in the directory: ([^\n]+)/.exec(context)
  if (directory?.[1] === undefined) return
  state.cwd = directory[1].trim()
  sessions.push({ nativeId: state.session, cwd: state.cwd })
}

/** `{"$rewindTo": id}`: that message and all after it are taken out of the conversation. They stay in the archive. */
export function readRewind(entry: Entry): void {
  const { state } = entry
  const payload = { rewindTo: entry.record['$rewindTo'] }
  const draft = add(entry, 'runtime', 'The conversation was rewound.', undefined, { payload })
  if (!state.turnIsOpen) return
  draft.ends = 'interrupted'
  state.turnIsOpen = false
}
