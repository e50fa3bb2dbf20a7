/**
 * The layout of the terminal client: a document of messages for each session and subagent, both rewritten as they grow,
 * and beside it one that says how the session stands.
 */

import type { Draft, Ending, Reading, SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, foreign, list, number, pick, text } from '../fields.ts'
import { defineLayout, type Files, type NativeRecord, type SourceFile } from '../harness.ts'
import { readMessage, unwrapped } from './messages.ts'
import { beside, folderName, isTaskFile, stemOf } from './paths.ts'
import type { SessionState } from './state.ts'

export const sessionLayout = defineLayout<SessionState>({
  matches: (file) => !isTaskFile(file),
  format: {
    kind: 'bundle',
    related: (file) => (isSubagent(file) ? [] : [statusPath(file)]),
    records,
  },
  open: (file) => ({ session: sessionOf(file), last: '', cwd: '', isOpen: false }),
  read,
})

function isSubagent(file: SourceFile): boolean {
  return stemOf(file) !== folderName(file)
}

/** A subagent's session is named after its parent's and its own id, as the client does. */
function sessionOf(file: SourceFile): string {
  return isSubagent(file) ? `${folderName(file)}__${stemOf(file)}` : stemOf(file)
}

function statusPath(file: SourceFile): string {
  return beside(file, `${folderName(file)}.json`)
}

function* records(files: Files, file: SourceFile): Generator<unknown> {
  const document = files.json(file.path)
  const { messages, system_prompt: _prompt, ...header } = fields(document)
  const status = fields(files.json(statusPath(file)))
  if (!Array.isArray(messages)) {
    yield { type: 'unreadable', document }
    return
  }
  const call = isSubagent(file) ? startingCall(files, file, messages) : ''
  const [first] = messages
  const startedAt = isSubagent(file) ? fields(first)['ts'] : parseTime(status['started_at'])
  yield { type: 'session', header, status, call, startedAt }
  for (const message of messages) yield { type: 'message', message, subagent: isSubagent(file) }
  // While the session runs there is nothing to tell; it would be told anew after each message.
  if (!isSubagent(file) && ENDINGS.has(status['status'])) yield { type: 'status', ...pick(status, STATUS) }
}

const STATUS = ['status', 'ended_at', 'exit_code']

/** The call in the parent's transcript that gave the subagent its task; the two name each other nowhere. */
function startingCall(files: Files, file: SourceFile, messages: readonly unknown[]): string {
  const task = blocksOf(messages[0]).map((block) => text(block['text']))
  const parent = fields(files.json(beside(file, `${folderName(file)}.messages.json`)))
  const call = list(parent['messages'])
    .flatMap(blocksOf)
    .find((block) => block['type'] === 'tool_use' && task.includes(text(fields(block['input'])['task'])))
  return text(call?.['id'])
}

function blocksOf(message: unknown): Fields[] {
  return list(fields(message)['content']).map(fields)
}

function read({ value }: NativeRecord, state: SessionState): Reading {
  const record = fields(value)
  switch (record['type']) {
    case 'session':
      return readHeader(record, state)
    case 'message':
      return { drafts: readMessage(record, state) }
    case 'status':
      return { drafts: [statusDraft(record, state)] }
    default:
      return {
        drafts: [{ session: state.session, type: 'unknown', text: '', payload: foreign(value), native: { index: 0 } }],
      }
  }
}

function readHeader(record: Fields, state: SessionState): Reading {
  const header = fields(record['header'])
  const status = fields(record['status'])
  const origin = fields(header['origin'])
  const metadata = fields(status['metadata'])
  const { session } = state
  state.cwd = text(status['cwd'])
  const facts: SessionFacts = { nativeId: session }
  const parent = text(origin['parentThreadId'])
  const version = text(origin['version']) || text(fields(metadata['sessionHistoryOrigin'])['version'])
  const branch = text(fields(metadata['git'])['branch'])
  const call = text(record['call'])
  if (parent !== '') {
    facts.parent = { nativeId: parent, relation: 'subagent', ...(call !== '' && { callId: call }) }
  } else {
    const title = unwrapped(text(metadata['title']) || text(status['prompt']))
    if (title !== '') facts.title = title
  }
  if (state.cwd !== '') facts.cwd = state.cwd
  if (branch !== '') facts.branch = branch
  if (version !== '') facts.cliVersion = version
  const payload = { ...pick(origin, ['source', 'mode', 'version']), ...pick(status, ['provider', 'team_name']) }
  const draft: Draft = { session, type: 'system', text: '', payload, native: { id: session, index: 0 } }
  const at = number(record['startedAt'])
  if (at !== undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  return { drafts: [draft], sessions: [facts] }
}

const ENDINGS: ReadonlyMap<unknown, Ending> = new Map<string, Ending>([
  ['completed', 'answered'],
  ['cancelled', 'interrupted'],
  ['failed', 'failed'],
])

/**
 * How the session stands after its newest message, and named after it, since a session that is taken up again stands
 * otherwise. It ends a turn whose messages have not ended it.
 */
function statusDraft(record: Fields, state: SessionState): Draft {
  const { session, last } = state
  const id = `${last || session}/status`
  const draft: Draft = {
    session,
    type: 'runtime',
    text: '',
    payload: pick(record, ['status', 'exit_code']),
    native: { id, index: 0 },
  }
  const at = parseTime(record['ended_at'])
  if (at !== undefined) draft.at = at
  const ends = ENDINGS.get(record['status'])
  if (ends && state.isOpen) draft.ends = ends
  return draft
}
