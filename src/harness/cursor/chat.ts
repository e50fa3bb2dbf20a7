/** Conversations of the command line: the model's own messages, with what tools returned and without times. */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, foreign, number, pick, text } from '../fields.ts'
import { defineLayout, type NativeRecord, type Sidecar, type SourceFile } from '../harness.ts'
import { chatFormat } from './chat-database.ts'
import { add, type Entry, openEntry, openState, type State, tell } from './entry.ts'
import { readMessage } from './messages.ts'
import { chatNotePath, isChatFile, placeOf } from './paths.ts'
import { pathOfAddress } from './workspace.ts'

/** What a conversation is called until it has a name. */
const UNNAMED = 'New Agent'

/** Beside the database, in newer clients. */
const note: Sidecar = {
  pathOf: chatNotePath,
  read(value: unknown, file: SourceFile): Reading {
    const { title, cwd } = fields(value)
    const facts = { nativeId: placeOf(file).session, title: text(title).trim(), cwd: text(cwd) }
    return { drafts: [], sessions: facts.nativeId === '' ? [] : [facts] }
  },
}

export const chat = defineLayout<State>({
  matches: isChatFile,
  format: chatFormat,
  sidecars: [note],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const record = fields(value)
    if (record['type'] === 'chat') return readChat(record, state)
    const entry = openEntry(state)
    const { message } = record
    const role = text(fields(message)['role'])
    if (record['type'] === 'message' && isRecord(message) && role !== '') {
      noteModel(message, state)
      readMessage(entry, { role, content: message['content'], fields: message })
    } else add(entry, 'unknown', '', undefined, { payload: foreign(value) })
    return readingOf(entry)
  },
})

function readChat(record: Fields, state: State): Reading {
  const meta = fields(record['meta'])
  state.session = text(meta['agentId']) || state.session
  state.model = text(meta['lastUsedModel'])
  const entry = openEntry(state, number(meta['createdAt']))
  const title = text(meta['name'])
  const parent =
    text(fields(meta['subagentInfo'])['parentAgentId']) || text(fields(meta['subagentInfo'])['parentComposerId'])
  tell(entry, {
    cwd: pathOfAddress(text(record['workspace'])),
    branch: text(record['branch']),
    ...(title !== '' && title !== UNNAMED && { title }),
    ...(parent !== '' && { parent: { nativeId: parent, relation: 'subagent' } }),
  })
  const payload = pick(meta, ['mode', 'lastUsedModel', 'isRunEverything', 'currentPlanUri'])
  add(entry, 'system', title, 'chat', payload ? { payload } : {})
  return readingOf(entry)
}

/** The model that thought it is told with the reasoning. */
function noteModel(message: Fields, state: State): void {
  for (const block of Array.isArray(message['content']) ? message['content'] : []) {
    const named = text(fields(fields(fields(block)['providerOptions'])['cursor'])['modelName'])
    if (named !== '') state.model = named
  }
}

function readingOf({ drafts, sessions }: Entry): Reading {
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}
