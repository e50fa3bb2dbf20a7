/** A tool part: a call and, once the tool has ended, its response. */

import type { Draft, ToolUse } from '../../core/event.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, number, pick, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import { fileText } from './file-text.ts'
import { add, type MessageReading, nameOf, timeOf } from './reading.ts'

/** While a tool waits or runs there is no response; a killed client leaves it so for ever. */
const UNENDED: ReadonlySet<string> = new Set(['pending', 'running'])

/** An MCP tool is named `<server>_<tool>`, which only a known server tells from a name with `_` in it. */
const KNOWN_SERVERS = ['varve']

export function readTool(reading: MessageReading, part: Fields): Draft {
  const state = fields(part['state'])
  const time = fields(state['time'])
  const name = nameOf(reading, part)
  const callId = text(part['callID']) || name.id
  const use = { ...toolName(text(part['tool']), { servers: KNOWN_SERVERS }), ...(callId !== '' && { callId }) }
  const input = inputOf(state)
  const startedAt = number(time['start']) ?? timeOf(reading, part)
  const call = add(reading, 'tool_call', callText(input), name, {
    at: startedAt,
    tool: { ...use, phase: 'call', ...(input !== undefined && { input }) },
  })
  const status = text(state['status'])
  if (!UNENDED.has(status) && status !== '') addResponse(reading, part, use, number(time['end']) ?? startedAt)
  tellSubagent(reading, part, callId)
  return call
}

/** The arguments; while they are being written, as far as they have come. */
function inputOf(state: Fields): unknown {
  const input = state['input']
  const raw = text(state['raw'])
  return raw !== '' && Object.keys(fields(input)).length === 0 ? raw : input
}

function addResponse(
  reading: MessageReading,
  part: Fields,
  use: Pick<ToolUse, 'name' | 'server' | 'callId'>,
  at: number | undefined,
): void {
  const state = fields(part['state'])
  const metadata = fields(state['metadata'])
  const name = nameOf(reading, part)
  const attachments = list(state['attachments']).map((attachment) => fileText(fields(attachment)))
  const said = lines(text(state['output']) || text(state['error']), ...attachments)
  const exitCode = number(metadata['exit'])
  add(
    reading,
    'tool_response',
    said,
    { ...name, index: name.index + 1 },
    {
      at,
      tool: {
        ...use,
        phase: 'response',
        ...(exitCode !== undefined && { exitCode }),
        ...(isFailed(state) && { error: true }),
      },
      payload: pick({ ...pick(state, ['title']), ...pick(metadata, ['sessionId', 'interrupted']) }, KEPT),
    },
  )
}

const KEPT = ['title', 'sessionId', 'interrupted']

/** `completed` says that the tool has run, whatever its exit code; everything else that ends says it failed. */
function isFailed(state: Fields): boolean {
  return !['completed', 'success'].includes(text(state['status']))
}

/** The tool `task` names the session it started. */
function tellSubagent(reading: MessageReading, part: Fields, callId: string): void {
  const child = text(fields(fields(part['state'])['metadata'])['sessionId'])
  if (child === '' || part['tool'] !== 'task') return
  const parent = { nativeId: reading.session, ...(callId !== '' && { callId }), relation: 'subagent' as const }
  if (!reading.copied) reading.sessions.push({ nativeId: child, parent })
}
