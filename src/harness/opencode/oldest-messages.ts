/** Messages of the first months (until 0.3), which held their parts and kept times, model and tokens under `metadata`. */

import { type Fields, fields, list, text } from '../fields.ts'
import type { StoredMessage } from './records.ts'

/** Such a message in the shape of later ones; undefined for any other. */
export function fromOldest(session: string, value: unknown): StoredMessage | undefined {
  const { id, role, parts, metadata: given } = fields(value)
  const metadata = fields(given)
  if (!Array.isArray(parts) || typeof metadata['time'] !== 'object') return undefined
  const { cost, path, summary, tokens, modelID, providerID } = fields(metadata['assistant'])
  const message = {
    id,
    role,
    time: metadata['time'],
    error: metadata['error'],
    cost,
    path,
    summary,
    tokens,
    modelID,
    providerID,
  }
  return { session, message, parts: list(parts).map((part) => toPart(fields(part), fields(metadata['tool']))) }
}

function toPart(part: Fields, tools: Fields): Fields {
  if (part['type'] === 'file') return { ...part, mime: part['mediaType'] }
  if (part['type'] !== 'tool-invocation') return part
  const { toolCallId, toolName, state, args, result } = fields(part['toolInvocation'])
  const { title, time, ...metadata } = fields(tools[text(toolCallId)])
  const status = STATES.get(state) ?? 'pending'
  return {
    type: 'tool',
    tool: toolName,
    callID: toolCallId,
    state: { status, input: args ?? {}, output: result, title, time, metadata },
  }
}

const STATES: ReadonlyMap<unknown, string> = new Map([
  ['call', 'running'],
  ['result', 'completed'],
])
