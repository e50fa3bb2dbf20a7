/**
 * Grok on the web (xAI): the data export, a zip with `prod-grok-backend.json`, in which `conversations` lists each with its
 * responses; prompts are responses of a human.
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
import { isPrompt, readResponse } from './responses.ts'

const MEMBER = /(^|\/)prod-grok-backend[^/]*\.json$/

export const grokWeb = defineHarness({
  id: 'grok-web',
  title: 'Grok (web)',
  sources: [exportSource('grok-web')],
  layouts: [
    exportLayout({ member: (path) => MEMBER.test(path), list: ['conversations'], recognizes: isConversation }, read),
  ],
  missing: [
    'Tokens and the arguments of searches are not in the export; what was found on the web is told with the answer.',
    'Pictures and uploaded files are named, not read.',
    'Projects, tasks and generated media are no conversations and are not read.',
  ],
})

function isConversation(value: unknown): value is Fields {
  return isRecord(value) && isRecord(value['conversation']) && Array.isArray(value['responses'])
}

function read({ value }: NativeRecord, state: ExportState): Reading {
  if (!isConversation(value)) return unknownRecord(value, state)
  const about = fields(value['conversation'])
  const title = text(about['title'])
  const begun = webTime(about['create_time'])
  const conversation = openConversation(state, text(about['id']), title, String(begun ?? ''))
  addHead(conversation, begun, pick(about, ['system_prompt_name', 'starred', 'temporary']))
  for (const { node, branch } of inThreadOrder(nodesOf(value), text(about['leaf_response_id']))) {
    const message = { id: node.id, at: node.at, model: text(node.value['model']), branch }
    readResponse(conversation, message, node.value)
  }
  return readingOf(conversation, title)
}

/** Where responses name no parents, each follows the one before it. */
function nodesOf(conversation: Fields): ThreadNode<Fields>[] {
  const responses = list(conversation['responses']).map((item) => {
    const { response } = fields(item)
    return isRecord(response) ? response : fields(item)
  })
  const ids = responses.map((response, place) => text(response['_id']) || `#${place}`)
  const isTree = responses.some((response) => text(response['parent_response_id']) !== '')
  return responses.map((value, place) => ({
    id: ids[place] ?? '',
    parent: isTree ? text(value['parent_response_id']) : (ids[place - 1] ?? ''),
    at: responseTime(value['create_time']),
    isPrompt: isPrompt(value),
    value,
  }))
}

/** `{"$date": {"$numberLong": "1746000000000"}}`, milliseconds as the database behind the page writes them; or a text. */
function responseTime(value: unknown): number | undefined {
  const date = fields(value)['$date']
  if (date === undefined) return webTime(value)
  const millis = text(fields(date)['$numberLong'])
  return /^\d{10,15}$/.test(millis) ? Number(millis) : webTime(date)
}
