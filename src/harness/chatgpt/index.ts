/**
 * ChatGPT (OpenAI): the data export, a zip with `conversations.json` (large ones are cut into `conversations-000.json` and
 * so on), and a conversation saved alone. Each is a tree of messages; regenerated answers and edited prompts are branches.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, pick, text } from '../fields.ts'
import { defineHarness, type NativeRecord } from '../harness.ts'
import { inThreadOrder, type ThreadNode } from '../thread.ts'
import {
  addHead,
  type ExportState,
  exportLayout,
  exportSource,
  openConversation,
  readingOf,
  unknownRecord,
  webTime,
} from '../web-conversation.ts'
import { isPrompt, readMessage } from './messages.ts'
import type { Call } from './tools.ts'

const MEMBER = /(^|\/)conversations(-\d+)?\.json$/

export const chatgpt = defineHarness({
  id: 'chatgpt',
  title: 'ChatGPT',
  sources: [exportSource('chatgpt')],
  layouts: [exportLayout({ member: (path) => MEMBER.test(path), list: [], recognizes: isConversation }, read)],
  missing: [
    'Tokens are not in the export.',
    'Pictures and uploaded files are named, not read.',
    'Nothing says on which computer or in which folder a conversation was held.',
    'The export holds memories, custom instructions and shared links only where a conversation repeats them.',
  ],
})

function isConversation(value: unknown): value is Fields {
  return isRecord(value) && isRecord(value['mapping'])
}

function read({ value }: NativeRecord, state: ExportState): Reading {
  if (!isConversation(value)) return unknownRecord(value, state)
  const title = text(value['title'])
  const begun = webTime(value['create_time'])
  const id = text(value['conversation_id']) || text(value['id'])
  const conversation = openConversation(state, id, title, String(begun ?? ''))
  addHead(
    conversation,
    begun,
    pick(value, ['default_model_slug', 'gizmo_id', 'conversation_template_id', 'is_archived']),
  )
  const calls = new Map<string, Call>()
  const parents = new Map<string, string>()
  for (const { node, branch } of inThreadOrder(nodesOf(value), text(value['current_node']))) {
    parents.set(node.id, node.parent)
    const model = text(fields(node.value['metadata'])['model_slug']) || text(value['default_model_slug'])
    const message = { id: text(node.value['id']) || node.id, at: node.at, model, branch }
    readMessage({ conversation, message, node: node.id, record: node.value, calls, parents })
  }
  return readingOf(conversation, title)
}

/** The tree is built from the parents alone: some exports leave the children out. */
function nodesOf(conversation: Fields): ThreadNode<Fields>[] {
  return Object.entries(fields(conversation['mapping'])).map(([id, item]) => {
    const { parent, message } = fields(item)
    const value = fields(message)
    return { id, parent: text(parent), at: webTime(value['create_time']), isPrompt: isPrompt(value), value }
  })
}
