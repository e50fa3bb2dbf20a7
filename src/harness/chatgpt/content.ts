/** What a person would read of a message's content, of whichever type. */

import { type Fields, fields, lines, list, text } from '../fields.ts'
import { fileNames } from '../web-conversation.ts'

/** The content, then the names of what was attached. */
export function messageText(record: Fields): string {
  const attachments = list(fields(record['metadata'])['attachments'])
  return lines(contentText(record), ...fileNames(attachments.map((file) => text(fields(file)['name']))))
}

export function contentText(record: Fields): string {
  const content = fields(record['content'])
  switch (content['content_type']) {
    case 'thoughts':
      return lines(...list(content['thoughts']).map(thoughtText), ...parts(content))
    case 'user_editable_context':
      return lines(text(content['user_profile']), text(content['user_instructions']))
    case 'model_editable_context':
      return text(content['model_set_context'])
    case 'tether_quote':
      return lines(text(content['title']), text(content['url']), text(content['text']))
    case 'tether_browsing_display':
      return lines(text(content['summary']), text(content['result']))
    case 'system_error':
      return lines(text(content['name']), text(content['text']))
    default:
      return lines(...parts(content)) || text(content['text']) || text(content['content']) || text(content['result'])
  }
}

function thoughtText(thought: unknown): string {
  const { summary, content } = fields(thought)
  return lines(text(summary), text(content))
}

function parts(content: Fields): string[] {
  return list(content['parts']).map((part) => (typeof part === 'string' ? part : partText(fields(part))))
}

/** Media leave by reference; what was spoken is written out. */
function partText(part: Fields): string {
  if (typeof part['text'] === 'string') return part['text']
  const kind = text(part['content_type'])
  if (kind.startsWith('image')) return '[image]'
  if (kind.startsWith('audio')) return '[audio]'
  if (kind.startsWith('real_time')) return '[audio and video]'
  return kind === '' ? '' : `[${kind}]`
}
