/**
 * The wire of Kimi Code. Most is written down twice and more: as what was asked, what the model's context became, and what
 * the screen was told. Prompts are read from `turn.prompt`, everything else from `context.append_loop_event`.
 */

import type { Ending } from '../../core/event.ts'
import { hash128 } from '../../core/hash.ts'
import { fields, lines, pick, smallFields, text } from '../fields.ts'
import { readLoopEvent } from './code-steps.ts'
import { contentText } from './content.ts'
import { add, addPrompt, addUnknown, type Entry, end } from './entry.ts'
import { agentSession } from './paths.ts'
import { usageOf } from './usage.ts'

export function readCodeRecord(entry: Entry): void {
  const kind = text(entry.record['type'])
  const reader = READERS.get(kind)
  if (reader) reader(entry)
  else if (TELLS_NOTHING.test(kind)) add(entry, 'runtime', '', { payload: { type: kind } })
  else addUnknown(entry)
}

/** Copies of what is told elsewhere, and the program's own books. */
const TELLS_NOTHING =
  /^(?:agent|llm|token_counting|file_history|tools|runtime|plugin|prompt|subagent|full_compaction)\./

const READERS = new Map<string, (entry: Entry) => void>([
  ['metadata', readNote],
  ['profile.bind', readBinding],
  ['config.update', readBinding],
  ['permission.set_mode', readNote],
  ['permission.record_approval_result', readNote],
  ['plan_mode.enter', readNote],
  ['plan_mode.exit', readNote],
  ['mcp.tools_discovered', readNote],
  ['turn.prompt', readPrompt],
  ['turn.steer', readSteer],
  ['turn.cancel', readCancel],
  ['turn.ended', readTurnEnd],
  ['turn.step.interrupted', readTrouble],
  ['turn.step.retrying', readTrouble],
  ['context.append_message', readMessage],
  ['context.append_loop_event', readLoopEvent],
  ['context.apply_compaction', readCompaction],
  ['usage.record', readUsage],
  ['subagent.spawned', readSpawn],
])

function readNote(entry: Entry): void {
  add(entry, 'system', '', { payload: smallFields(entry.record, ['time', 'agentId']) })
}

/** The model and, since 2.0, the folder; the system prompt is left out. */
function readBinding(entry: Entry): void {
  const { record, state, sessions } = entry
  const model = text(record['modelAlias'])
  if (model !== '') state.model = model
  const cwd = text(fields(record['environmentDisclosure'])['cwd']) || text(record['cwd'])
  if (cwd !== '') sessions.push({ nativeId: state.session, cwd })
  readNote(entry)
}

/** Most prompts whose copy is still to come: those that wait while a turn runs. */
const WAITING = 32

function noteTold({ state }: Entry, said: string): void {
  state.prompts.push(hash128('prompt', said).toString('hex'))
  if (state.prompts.length > WAITING) state.prompts.shift()
}

function isTold({ state }: Entry, said: string): boolean {
  const place = state.prompts.indexOf(hash128('prompt', said).toString('hex'))
  if (place >= 0) state.prompts.splice(place, 1)
  return place >= 0
}

/** Of a person or, in a subagent, of the agent above; what wakes an agent by itself is no prompt. */
function readPrompt(entry: Entry): void {
  const { record } = entry
  const said = contentText(record['input'])
  const origin = fields(record['origin'])
  const isPrompt = origin['kind'] === undefined || origin['kind'] === 'user' || origin['name'] === 'subagent'
  noteTold(entry, said)
  if (isPrompt) addPrompt(entry, said, text(record['promptId']))
  else add(entry, 'system', said, { payload: { origin } }, text(record['promptId']))
}

/** Said while the agent works: no turn of its own. */
function readSteer(entry: Entry): void {
  const said = contentText(entry.record['input'])
  noteTold(entry, said)
  add(entry, 'user_input', said)
}

/** A message put into the model's context: a prompt that was told already, or a reminder of the program's. */
function readMessage(entry: Entry): void {
  const message = fields(entry.record['message'])
  if (message['role'] !== 'user') {
    addUnknown(entry)
    return
  }
  const said = contentText(message['content'])
  const origin = fields(message['origin'])
  if (isTold(entry, said)) add(entry, 'runtime', '', { payload: { origin: text(origin['kind']) } })
  else if (origin['kind'] === 'user') addPrompt(entry, said, text(message['id']))
  else add(entry, 'system', said, { payload: pick(origin, ['kind', 'variant', 'name']) })
}

function readCancel(entry: Entry): void {
  const draft = add(entry, 'runtime', '', { payload: smallFields(entry.record, ['time', 'agentId']) })
  end(entry, draft, 'interrupted')
}

const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['completed', 'answered'],
  ['cancelled', 'interrupted'],
])

/** Everything but an answer and a stop by the user is a failure: of the provider, of a filter, of a limit of steps. */
function readTurnEnd(entry: Entry): void {
  const { record, state } = entry
  const { code, message } = fields(record['error'])
  const said = lines(text(code), text(message))
  const draft = add(entry, 'runtime', said, { payload: pick(record, ['turnId', 'reason', 'durationMs']) })
  // The last step has told the same before, where the turn went well; a turn can also end in its first step.
  draft.ends = ENDINGS.get(text(record['reason'])) ?? 'failed'
  state.turnIsOpen = false
}

function readTrouble(entry: Entry): void {
  const { record } = entry
  const said = text(record['message']) || text(record['errorMessage'])
  add(entry, 'runtime', said, { payload: pick(record, ['type', 'reason', 'statusCode', 'nextAttempt']) })
}

function readCompaction(entry: Entry): void {
  const { record } = entry
  const payload = pick(record, ['compactedCount', 'tokensBefore', 'tokensAfter'])
  add(entry, 'compaction', text(record['summary']), payload ? { payload } : {})
}

/** A step's end repeats what it used: both have the step's id. What a compaction used stands here alone. */
function readUsage(entry: Entry): void {
  const { record, state, index } = entry
  const model = text(record['model'])
  if (model !== '') state.model = model
  const isOfStep = record['usageScope'] === 'turn' && state.step !== ''
  const usage = usageOf(record['usage'], isOfStep ? state.step : `${state.session} ${index}`)
  const draft = add(entry, 'runtime', '', { payload: pick(record, ['type', 'usageScope']) })
  if (!usage) return
  draft.usage = usage
  if (state.model !== '') draft.model = state.model
}

/** The subagent has a file of its own; which call made it stands here alone. */
function readSpawn(entry: Entry): void {
  const { record, state, sessions } = entry
  const [main = state.session] = state.session.split('/')
  const agent = text(record['subagentId'])
  const callId = text(record['parentToolCallId'])
  if (agent !== '') {
    const parent = { nativeId: state.session, relation: 'subagent' as const, ...(callId === '' ? {} : { callId }) }
    sessions.push({ nativeId: agentSession(main, agent), parent })
  }
  add(entry, 'runtime', text(record['description']), { payload: pick(record, ['subagentId', 'subagentName']) })
}
