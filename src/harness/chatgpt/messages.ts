/** What each message of a conversation means, told from its author, its content's type and whom it is for. */

import type { Draft, Ending } from '../../core/event.ts'
import { type Fields, fields, pick, text } from '../fields.ts'
import { add, type Conversation, type Message } from '../web-conversation.ts'
import { contentText, messageText } from './content.ts'
import { type Call, readAnswer, readCall } from './tools.ts'

export interface Entry {
  readonly conversation: Conversation
  readonly message: Message
  /** Id of its node in the tree. */
  readonly node: string
  readonly record: Fields
  /** Calls read so far, by node. */
  readonly calls: Map<string, Call>
  /** The node before each node read so far. */
  readonly parents: Map<string, string>
}

/** What the user typed: not the profile or the hidden messages that the page puts in under the user's name. */
export function isPrompt(record: Fields): boolean {
  const { role } = fields(record['author'])
  return role === 'user' && !isPutIn(record)
}

function isPutIn(record: Fields): boolean {
  const metadata = fields(record['metadata'])
  return (
    fields(record['content'])['content_type'] === 'user_editable_context' ||
    metadata['is_visually_hidden_from_conversation'] === true ||
    metadata['is_user_system_message'] === true
  )
}

export function readMessage(entry: Entry): void {
  const { conversation, message, record } = entry
  // The root of the tree has no message.
  if (Object.keys(record).length === 0) return
  switch (fields(record['author'])['role']) {
    case 'user':
      if (isPrompt(record)) add(conversation, message, 'user_input', messageText(record), { opensTurn: true })
      else add(conversation, message, 'system', contentText(record))
      return
    case 'assistant':
      readAssistant(entry)
      return
    case 'tool':
      readAnswer(entry)
      return
    case 'system':
      add(conversation, message, 'system', contentText(record))
      return
    default:
      add(conversation, message, 'unknown', '', { payload: pick(record, ['author', 'content', 'recipient', 'status']) })
  }
}

const THOUGHTS = new Set(['thoughts', 'reasoning_recap'])

function readAssistant(entry: Entry): void {
  const { conversation, message, record } = entry
  const recipient = text(record['recipient'])
  if (recipient !== '' && recipient !== 'all') {
    readCall(entry, recipient)
    return
  }
  const kind = text(fields(record['content'])['content_type'])
  const ending = endingOf(record)
  if (THOUGHTS.has(kind)) {
    add(conversation, message, 'reasoning', contentText(record), ending === 'interrupted' ? { ends: ending } : {})
    return
  }
  const said = messageText(record)
  if (kind === 'model_editable_context') {
    add(conversation, message, 'system', said)
    return
  }
  const rest: Partial<Draft> = ending === undefined ? {} : { ends: ending }
  if (ending === undefined && (record['channel'] === 'commentary' || record['end_turn'] === false)) {
    rest.commentary = true
  }
  add(conversation, message, said === '' ? 'runtime' : 'assistant_response', said, rest)
}

/** By the message's own word; older exports say only how the model stopped. */
function endingOf(record: Fields): Ending | undefined {
  const metadata = fields(record['metadata'])
  const how = text(fields(metadata['finish_details'])['type'])
  if (how === 'interrupted') return 'interrupted'
  if (metadata['is_error'] === true || fields(record['content'])['content_type'] === 'system_error') return 'failed'
  if (record['end_turn'] === true) return 'answered'
  if (record['end_turn'] === false) return undefined
  if (record['status'] === 'finished_partial_completion') return 'interrupted'
  return how === 'stop' ? 'answered' : undefined
}
