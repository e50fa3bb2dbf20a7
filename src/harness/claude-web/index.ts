/**
 * Claude on the web (Anthropic): the data export, a zip with `conversations.json`, and a conversation saved alone. One
 * message of the assistant holds everything up to the next prompt: thoughts, texts, calls of tools and their results.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, list, pick, text } from '../fields.ts'
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
import { readMessage } from './messages.ts'

const MEMBER = /(^|\/)conversations(-\d+)?\.json$/

export const claudeWeb = defineHarness({
  id: 'claude-web',
  title: 'Claude (web)',
  sources: [exportSource('claude-web')],
  layouts: [exportLayout({ member: (path) => MEMBER.test(path), list: [], recognizes: isConversation }, read)],
  missing: [
    'Tokens are not in the export, and which model answered only where the conversation says it.',
    'Pictures and uploaded files are named; of documents the extracted text is kept where the export has it.',
    'Most exports do not say that an answer was stopped: its text then counts as the answer.',
    'Projects, their documents and memories are no conversations and are not read.',
  ],
})

function isConversation(value: unknown): value is Fields {
  return isRecord(value) && Array.isArray(value['chat_messages'])
}

function read({ value }: NativeRecord, state: ExportState): Reading {
  if (!isConversation(value)) return unknownRecord(value, state)
  const title = text(value['name']) || text(value['title'])
  const begun = webTime(value['created_at'])
  const conversation = openConversation(state, text(value['uuid']), title, String(begun ?? ''))
  addHead(conversation, begun, pick(value, ['model', 'project_uuid', 'is_starred']))
  for (const { node, branch } of inThreadOrder(nodesOf(value), text(value['current_leaf_message_uuid']))) {
    const model = text(node.value['model']) || text(value['model'])
    readMessage(conversation, { id: node.id, at: node.at, model, branch }, node.value)
  }
  const summary = text(value['summary'])
  return readingOf(conversation, title, summary === '' ? {} : { summary })
}

/** Older exports name no parents: a message then follows the one before it. */
function nodesOf(conversation: Fields): ThreadNode<Fields>[] {
  const messages = list(conversation['chat_messages']).map(fields)
  const ids = messages.map((message, place) => text(message['uuid']) || `#${place}`)
  const isTree = messages.some((message) => text(message['parent_message_uuid']) !== '')
  return messages.map((value, place) => ({
    id: ids[place] ?? '',
    parent: isTree ? text(value['parent_message_uuid']) : (ids[place - 1] ?? ''),
    at: webTime(value['created_at']),
    isPrompt: value['sender'] === 'human',
    value,
  }))
}
