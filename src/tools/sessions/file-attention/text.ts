/** The answer of file_attention for a reader who sees only text. */

import { counted, QUOTED_NOTE, quote } from '../preview.ts'
import type { Data } from './show.ts'

export function toText(data: Data): string {
  const { tail, scope, summary, roots, truncated } = data
  const where = scope === 'project' ? 'in this project' : 'anywhere'
  if (summary.total_touches === 0) {
    return `No session touched ${tail} ${where}.${scope === 'project' ? ' Try scope all.' : ''}`
  }
  const extent = `${counted(summary.total_touches, 'tool call')} in ${counted(summary.distinct_sessions, 'session')}`
  const rows = data.events ? data.events.flatMap(eventLines) : (data.sessions ?? []).flatMap(sessionLines)
  return [
    `${tail} was touched by ${extent} ${where}, from ${summary.first_touch ?? '?'} to ${summary.last_touch ?? '?'}.`,
    ...(summary.ambiguous ? ['It lies in several checkouts; they may be different files:'] : []),
    ...roots.map(({ root, touch_count, session_count }) => {
      return `- ${root}: ${counted(touch_count, 'call')} in ${counted(session_count, 'session')}`
    }),
    QUOTED_NOTE,
    ...rows,
    ...(truncated ? ['There are more than shown: narrow by time, tool or source, or raise limit.'] : []),
    'Pass an event id to open for the whole call, a turn or session id for what is around it.',
  ].join('\n')
}

function eventLines({ rank, event, open }: NonNullable<Data['events']>[number]): string[] {
  const { timestamp, tool_name, access, harness, turn, action_preview } = event
  return [
    `${rank}. ${timestamp} ${tool_name ?? 'unknown tool'} (${access}) by ${harness}, turn ${turn}`,
    quote(action_preview, '   '),
    `   ${open.event_id} in ${open.session_id}`,
  ]
}

function sessionLines({ rank, session, open }: NonNullable<Data['sessions']>[number]): string[] {
  const { display_label, harness, touch_count, write_count, last_touch, tools } = session
  return [
    `${rank}. ${harness}, ${counted(touch_count, 'call')} (${write_count} writing), last ${last_touch}, tools ${tools.join(', ')}`,
    quote(display_label, '   '),
    `   ${open.session_id}, last call ${open.event_id}`,
  ]
}
