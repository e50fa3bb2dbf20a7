/** One response: a prompt, or what the model thought, found and said. */

import { type Fields, fields, foreign, lines, list, text } from '../fields.ts'
import { add, type Conversation, fileNames, type Message } from '../web-conversation.ts'

export function isPrompt(record: Fields): boolean {
  return text(record['sender']).toLowerCase() === 'human'
}

export function readResponse(conversation: Conversation, message: Message, record: Fields): void {
  if (isPrompt(record)) {
    add(conversation, message, 'user_input', lines(text(record['message']), ...attached(record)), { opensTurn: true })
  } else if (text(record['sender']).toLowerCase() === 'assistant') readAnswer(conversation, message, record)
  else add(conversation, message, 'unknown', '', { payload: foreign(record) })
}

function attached(record: Fields): string[] {
  const described = list(record['file_attachments_metadata']).map((file) => {
    const { fileName, file_name, name } = fields(file)
    return text(fileName) || text(file_name) || text(name)
  })
  if (described.some((name) => name !== '')) return fileNames(described)
  return fileNames([...list(record['file_attachments']), ...list(record['image_attachments'])].map(text))
}

function readAnswer(conversation: Conversation, message: Message, record: Fields): void {
  const thought = text(record['thinking_trace']) || agentThoughts(record)
  if (thought !== '') add(conversation, message, 'reasoning', thought)
  readSearch(conversation, message, record)
  const said = lines(
    text(record['message']),
    ...list(record['generated_image_urls']).map((url) => `[image ${text(url)}]`),
  )
  const error = errorText(record)
  if (said !== '' || error === '') {
    // One that was cut short is marked as partial.
    const isWhole = said !== '' && error === '' && record['partial'] !== true
    add(
      conversation,
      message,
      said === '' ? 'runtime' : 'assistant_response',
      said,
      isWhole ? { ends: 'answered' } : record['partial'] === true ? { ends: 'interrupted' } : {},
    )
  }
  if (error !== '') add(conversation, message, 'runtime', error, { ends: 'failed' })
}

/** Several agents think side by side. */
function agentThoughts(record: Fields): string {
  return lines(
    ...list(record['agent_thinking_traces']).map((trace) =>
      typeof trace === 'string' ? trace : lines(text(fields(trace)['thinking_trace']) || text(fields(trace)['text'])),
    ),
  )
}

/** What the model found on the web, as a search and its results: the export tells the results alone. */
function readSearch(conversation: Conversation, message: Message, record: Fields): void {
  const pages = list(record['web_search_results']).map(fields)
  const posts = list(record['xposts']).map(fields)
  if (pages.length + posts.length === 0) return
  const callId = `${message.id}/search`
  const query = text(record['query'])
  const input = query === '' ? {} : { query }
  add(conversation, message, 'tool_call', query, { tool: { name: 'web_search', callId, phase: 'call', input } })
  const found = lines(
    ...pages.map((page) => lines(text(page['title']), text(page['url']), text(page['preview']))),
    ...posts.map((post) => lines(text(post['username']), text(post['text']))),
  )
  add(conversation, message, 'tool_response', found, { tool: { name: 'web_search', callId, phase: 'response' } })
}

function errorText(record: Fields): string {
  const { error } = record
  if (typeof error === 'string') return error
  return text(fields(error)['message'])
}
