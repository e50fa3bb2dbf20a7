/** How a session is shown: its label, and the fields every tool gives of it. */

import { z } from 'zod'
import { SESSION_MODES, type SessionMode } from '../../core/event.ts'
import { formatId } from '../../core/id.ts'
import { formatTime } from '../../core/time.ts'
import type { SessionView } from '../../store/index.ts'
import type { Surface } from '../tool.ts'
import { counted, oneLine } from './preview.ts'
import { whole } from './whole.ts'

/** Characters of a label (spec: list_sessions, `display_label`). */
const LABEL_LENGTH = 120

const MODE_WORDS = {
  web_search: 'web search',
  mcp_internal: 'MCP session',
  tool_calling: 'tool session',
  chat: 'chat',
} as const satisfies Record<SessionMode, string>

/** What is always said of a session. */
export const sessionHeadSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  display_label: z.string(),
  source: z.string(),
  harness: z.string(),
})

/** And when and how it went. */
export const sessionTimesSchema = sessionHeadSchema.extend({
  started_at: z.string(),
  updated_at: z.string(),
  completed: z.boolean(),
})

/** And how large it is and what is known about it, without a word of its content but the label. */
export const sessionCountsSchema = sessionTimesSchema.extend({
  turn_count: whole,
  event_count: whole,
  mode: z.enum(SESSION_MODES),
  session_slug: z.string().nullable(),
  session_summary: z.string().nullable(),
})

export function sessionId(session: SessionView): string {
  return formatId('session', session.id)
}

export function sessionHead(session: SessionView, surface: Surface): z.infer<typeof sessionHeadSchema> {
  return {
    id: sessionId(session),
    title: known(session.title),
    display_label: displayLabel(session, surface),
    source: session.source,
    harness: session.harness,
  }
}

export function sessionTimes(session: SessionView, surface: Surface): z.infer<typeof sessionTimesSchema> {
  return {
    ...sessionHead(session, surface),
    started_at: formatTime(session.started_at),
    updated_at: formatTime(session.updated_at),
    completed: session.last_terminal_pk !== null,
  }
}

export function sessionCounts(session: SessionView, surface: Surface): z.infer<typeof sessionCountsSchema> {
  return {
    ...sessionTimes(session, surface),
    turn_count: session.turn_count,
    event_count: session.event_count,
    mode: modeOf(session),
    session_slug: known(session.slug),
    session_summary: known(session.summary),
  }
}

/**
 * What to call a session: its title, else the first line of its first genuine prompt, else its summary or slug, else what
 * can be said without its content (spec: list_sessions, `display_label`).
 */
export function displayLabel(session: SessionView, { harnesses }: Surface): string {
  const firstLine = session.first_prompt?.trim().split(/\r\n|\r|\n/, 1)[0]
  for (const candidate of [session.title, firstLine, session.summary, session.slug]) {
    const label = oneLine(candidate ?? '', LABEL_LENGTH).text
    if (label !== '') return label
  }
  const harness = harnesses.find(({ id }) => id === session.harness)?.title ?? session.harness
  const mode = MODE_WORDS[modeOf(session)]
  return `${harness}, ${mode}, ${formatTime(session.updated_at)}, ${counted(session.turn_count, 'turn')}`
}

function modeOf(session: SessionView): SessionMode {
  return SESSION_MODES[session.mode] ?? 'chat'
}

function known(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
