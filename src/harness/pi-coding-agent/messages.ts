/** Entries of type `message`, told apart by role, and messages that extensions put in. */

import { type Fields, fields, foreign, lines, list, smallFields, text } from '../fields.ts'
import { blocksOf, textOf } from './content.ts'
import { add, type Entry, end, goOn } from './entry.ts'
import { isHandingIn, readCall, readExecution, readResult } from './tools.ts'
import { usageOf } from './usage.ts'

export function readMessage(entry: Entry): void {
  const reader = READERS.get(text(entry.message['role']))
  if (reader) reader(entry)
  else add(entry, 'unknown', '', { payload: foreign(entry.record) })
}

const READERS = new Map<string, (entry: Entry) => void>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['toolResult', readResult],
  ['bashExecution', (entry) => readExecution(entry, 'bash', { command: text(entry.message['command']) })],
  ['pythonExecution', (entry) => readExecution(entry, 'python', { code: text(entry.message['code']) })],
  ['system', readInstructions],
  ['developer', readInjected],
  ['custom', readInjected],
  ['hookMessage', readInjected],
  ['fileMention', readFileMention],
  ['branchSummary', (entry) => readSummary(entry, entry.message)],
  ['compactionSummary', (entry) => readSummary(entry, entry.message)],
])

/** A prompt; one that Oh My Pi makes itself says so, and one typed in the middle of a turn opens none. */
function readUser(entry: Entry): void {
  const { message } = entry
  const said = textOf(message['content'])
  if (message['synthetic'] === true || said === '') add(entry, 'system', said)
  else if (message['steering'] === true) add(entry, 'user_input', said)
  else openTurn(entry, said)
  readUnknownBlocks(entry, ['text', 'image'])
}

function openTurn(entry: Entry, said: string): void {
  add(entry, 'user_input', said, { opensTurn: true })
  goOn(entry)
}

function readUnknownBlocks(entry: Entry, known: readonly string[]): void {
  for (const block of blocksOf(entry.message['content'])) {
    if (!known.includes(text(block['type']))) add(entry, 'unknown', '', { payload: foreign(block) })
  }
}

function readAssistant(entry: Entry): void {
  const { message, drafts } = entry
  const blocks = blocksOf(message['content'])
  for (const block of blocks) readBlock(entry, block)
  const failure = text(message['errorMessage'])
  const stop = text(message['stopReason'])
  if (drafts.length === 0 || failure !== '') add(entry, 'runtime', failure, { payload: { stopReason: stop } })
  goOn(entry)
  const usage = usageOf(entry, message['usage'])
  const [first] = drafts
  if (usage && first) first.usage = usage
  const model = text(message['model'])
  if (model !== '') for (const draft of drafts) draft.model = model
  const last = drafts.at(-1)
  const ending = ENDINGS.get(stop)
  const called = blocks.filter((block) => block['type'] === 'toolCall')
  const calls = called.length > 0
  const handsIn = calls && called.every((block) => isHandingIn(entry, block['name']))
  if ((calls && !handsIn) || ending === 'failed') {
    for (const draft of drafts) if (draft.type === 'assistant_response') draft.commentary = true
  }
  if (last && ending && !(calls && ending === 'answered')) end(entry, last, ending)
}

/** `toolUse` goes on. A failed request that is tried again is followed by more work, which takes its ending back. */
const ENDINGS = new Map<string, 'answered' | 'interrupted' | 'failed'>([
  ['stop', 'answered'],
  ['aborted', 'interrupted'],
  ['error', 'failed'],
  ['length', 'failed'],
])

function readBlock(entry: Entry, block: Fields): void {
  switch (block['type']) {
    case 'text':
      if (text(block['text']) !== '') add(entry, 'assistant_response', text(block['text']))
      return
    case 'thinking':
      if (text(block['thinking']) !== '') add(entry, 'reasoning', text(block['thinking']))
      return
    case 'redactedThinking':
      add(entry, 'reasoning', '')
      return
    case 'toolCall':
      readCall(entry, block)
      return
    case 'image':
      add(entry, 'assistant_response', textOf([block]))
      return
    default:
      add(entry, 'unknown', '', { payload: foreign(block) })
  }
}

/** The system prompt in sections, and the tools: bulky, and no conversation. */
function readInstructions(entry: Entry): void {
  add(entry, 'system', '', { payload: smallFields(entry.message, ['timestamp', 'content']) })
}

/** What the client or an extension tells the model. Of extensions only what they show on the screen is text. */
function readInjected(entry: Entry): void {
  const { message } = entry
  const isHidden = message['role'] === 'custom' ? message['display'] !== true : message['display'] === false
  const said = isHidden ? '' : textOf(message['content'])
  add(entry, 'system', said, { payload: smallFields(message, isHidden ? ['timestamp'] : ['timestamp', 'content']) })
}

/** Files that the person mentioned, written out for the model. */
function readFileMention(entry: Entry): void {
  const paths = list(entry.message['files']).map((file) => text(fields(file)['path']))
  add(entry, 'system', lines(...paths), { payload: { role: 'fileMention', files: paths.length } })
}

/**
 * `custom_message`: an extension's. What one agent of Prime Agent asks of another below it is a prompt; what comes back is
 * none.
 */
export function readCustomMessage(entry: Entry): void {
  const { record } = entry
  const isHidden = record['display'] === false
  const said = textOf(record['content'])
  const details = fields(record['details'])
  if (!isHidden && record['customType'] === 'agent_message' && details['fromRelationship'] === 'parent') {
    openTurn(entry, said)
    return
  }
  const skip = ['type', 'id', 'parentId', 'timestamp', ...(isHidden ? [] : ['content'])]
  add(entry, 'system', isHidden ? '' : said, { payload: smallFields(record, skip) })
}

/** `custom`: an extension's or the client's own state. It may tell that the program ended in the middle of a turn. */
export function readCustom(entry: Entry): void {
  const { record, state } = entry
  const data = fields(record['data'])
  const draft = add(entry, 'runtime', '', {
    payload: smallFields(record, ['type', 'id', 'parentId', 'timestamp']),
  })
  if (record['customType'] !== 'session_exit' || !state.turnIsOpen) return
  if (data['kind'] !== 'normal' || list(data['pendingToolCalls']).length > 0) end(entry, draft, 'exited')
}

/** `compaction`, `branch_summary` and the messages made of them. */
export function readSummary(entry: Entry, from: Fields = entry.record): void {
  const draft = add(entry, 'compaction', text(from['summary']), {
    payload: smallFields(from, ['type', 'id', 'parentId', 'timestamp', 'summary', 'role', 'usage', 'retainedTail']),
  })
  const usage = usageOf(entry, from['usage'])
  if (usage) draft.usage = usage
}

/** `session_init`: how a subagent was started. Its task follows as a prompt. */
export function readSessionInit(entry: Entry): void {
  const payload = smallFields(entry.record, ['type', 'id', 'parentId', 'timestamp', 'systemPrompt', 'task', 'tools'])
  add(entry, 'system', text(entry.record['agent']), { payload })
}

/** `model_usage`: a request beside the conversation, such as one for a title. */
export function readModelUsage(entry: Entry): void {
  const { record } = entry
  const draft = add(entry, 'runtime', '', {
    payload: smallFields(record, ['type', 'id', 'parentId', 'timestamp', 'usage']),
  })
  const usage = usageOf(entry, record['usage'])
  if (usage) draft.usage = usage
  const model = text(record['model'])
  if (model !== '') draft.model = model
}
