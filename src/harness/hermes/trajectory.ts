/**
 * Trajectories of batches: a line is a whole run, in the form training wants. Thoughts, calls and results stand in tags
 * inside the texts.
 */

import type { Draft, Ending, EventType, Reading } from '../../core/event.ts'
import { hash128 } from '../../core/hash.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, foreign, list, pick, text } from '../fields.ts'
import type { NativeRecord } from '../harness.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { toolUse } from './messages.ts'
import { parsed } from './records.ts'

interface Run {
  session: string
  at: number | undefined
  model: string
  drafts: Draft[]
  /** Calls without a result, the oldest first. */
  pending: { draft: Draft; named: ToolName; callId: string }[]
  /** Place of the message in the run. */
  place: number
}

/** A run has no id of its own: it is named by what it holds. */
export function readTrajectory({ value }: NativeRecord): Reading {
  const session = `trajectory-${hash128(JSON.stringify(value ?? null)).toString('hex')}`
  const record = fields(value)
  const run: Run = {
    session,
    at: parseTime(record['timestamp']),
    model: text(record['model']),
    drafts: [],
    pending: [],
    place: 0,
  }
  if (!isRecord(value) || !Array.isArray(record['conversations'])) {
    add(run, 'unknown', '', { payload: foreign(value) })
    return { drafts: run.drafts }
  }
  const facts = pick(record, ['prompt_index', 'completed', 'partial', 'api_calls', 'model'])
  add(run, 'system', '', facts && { payload: facts })
  for (const message of list(record['conversations'])) {
    run.place++
    readMessage(run, fields(message))
  }
  endLastTurn(run, record)
  return { drafts: run.drafts, sessions: [{ nativeId: session }] }
}

function add(run: Run, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { session, at, model, drafts, place } = run
  const draft: Draft = { session, type, text: said, native: { id: `${place}`, index: drafts.length }, ...rest }
  if (at !== undefined) draft.at = at
  if (model !== '' && ['assistant_response', 'reasoning', 'tool_call'].includes(type)) draft.model = model
  drafts.push(draft)
  return draft
}

function readMessage(run: Run, message: Fields): void {
  const said = text(message['value'])
  switch (message['from']) {
    case 'system':
      add(run, 'system', said)
      return
    case 'human':
      add(run, 'user_input', said, { opensTurn: true })
      return
    case 'gpt':
      readAnswer(run, said)
      return
    case 'tool':
      for (const { tag, inside } of segmentsOf(said)) readResult(run, inside, tag !== 'tool_response')
      return
    default:
      add(run, 'unknown', '', { payload: foreign(message) })
  }
}

/** Text without a call ends a turn: that is how the agent's loop knows it is done. */
function readAnswer(run: Run, said: string): void {
  const before = run.drafts.length
  const segments = segmentsOf(said)
  const calls = segments.some(({ tag }) => tag === 'tool_call')
  for (const { tag, inside } of segments) {
    if (tag === 'think') add(run, 'reasoning', inside)
    else if (tag === 'tool_call') readCall(run, inside)
    else if (tag === 'tool_response') readResult(run, inside, true)
    else add(run, 'assistant_response', inside, calls ? { commentary: true } : {})
  }
  if (run.drafts.length === before) add(run, 'runtime', '')
  const last = run.drafts.at(-1)
  if (!calls && last?.type === 'assistant_response') last.ends = 'answered'
}

/** The run says how it ended; that is how its last turn did. */
function endLastTurn({ drafts }: Run, record: Fields): void {
  const ending: Ending | undefined =
    record['partial'] === true
      ? 'interrupted'
      : record['completed'] === true
        ? 'answered'
        : record['completed'] === false
          ? 'failed'
          : undefined
  const last = drafts.at(-1)
  if (!ending || !last || !drafts.some(({ opensTurn }) => opensTurn)) return
  last.ends = ending
}

function readCall(run: Run, inside: string): void {
  const call = fields(parsed(inside))
  const named = toolName(text(call['name']) || 'unknown')
  const callId = text(call['tool_call_id']) || `${run.place}-${run.drafts.length}`
  const input = isRecord(parsed(inside)) ? call['arguments'] : inside
  const draft = add(run, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
  run.pending.push({ draft, named, callId })
}

/** Results follow their calls in order; the id stands with the result alone, so that the call takes it from there. */
function readResult(run: Run, inside: string, failed: boolean): void {
  const value = parsed(inside)
  const result = fields(value)
  const call = run.pending.shift()
  const callId = text(result['tool_call_id']) || call?.callId || ''
  const named = call?.named ?? toolName(text(result['name']) || 'unknown')
  if (call?.draft.tool && callId !== '') call.draft.tool.callId = callId
  const content = isRecord(value) && 'content' in result ? result['content'] : value
  const tool = toolUse(named, callId, { phase: 'response' })
  if (failed) tool.error = true
  add(run, 'tool_response', typeof content === 'string' ? content : JSON.stringify(content ?? ''), { tool })
}

interface Segment {
  /** `think`, `tool_call` or `tool_response`; empty for text outside. */
  tag: string
  inside: string
}

/** A text cut at its tags. A tag that is not closed is text. */
function segmentsOf(said: string): Segment[] {
  const segments: Segment[] = []
  const open = /<(think|tool_call|tool_response)>/g
  let at = 0
  const addText = (until: number) => {
    const inside = said.slice(at, until).trim()
    if (inside !== '') segments.push({ tag: '', inside })
  }
  for (let match = open.exec(said); match; match = open.exec(said)) {
    const tag = match[1] ?? ''
    const close = said.indexOf(`</${tag}>`, open.lastIndex)
    if (close < 0) break
    addText(match.index)
    segments.push({ tag, inside: said.slice(open.lastIndex, close).trim() })
    at = close + tag.length + 3
    open.lastIndex = at
  }
  addText(said.length)
  return segments
}
