/** Bubbles of the editor: a prompt; or a thought, a text and a tool call of the agent, mostly one of them each. */

import type { Ending, Usage } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { count, type Fields, fields, foreign, list, number, pick, text } from '../fields.ts'
import { add, type Entry, endTurn, tell } from './entry.ts'
import { namePrompt, nameStep, nameText } from './names.ts'
import { flattened } from './rich-text.ts'
import { readToolData } from './tool-data.ts'
import { pathOfAddress } from './workspace.ts'

const PROMPT = 1
const ANSWER = 2

/** A bubble is made before there is anything in it. */
export function isEmptyBubble(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (!isRecord(value)) return false
  return (
    promptOf(value) === '' &&
    thoughtOf(value) === '' &&
    !isRecord(value['toolFormerData']) &&
    errorOf(value) === '' &&
    (value['type'] === PROMPT || value['type'] === ANSWER)
  )
}

/** Milliseconds since 1970. Old bubbles have no time but those of their request; a small number there is no date. */
export function bubbleTime(bubble: Fields): number | undefined {
  const timing = fields(bubble['timingInfo'])
  const at = parseTime(bubble['createdAt']) ?? number(bubble['createdAt'])
  return [at, number(timing['clientRpcSendTime']), number(timing['clientStartTime'])].find(
    (time) => time !== undefined && time > 1e12,
  )
}

export function readBubble(entry: Entry, bubble: Fields): void {
  const { state } = entry
  const model = text(fields(bubble['modelInfo'])['modelName'])
  if (isModel(model)) state.model = model
  tell(entry, { cwd: pathOfAddress(text(list(bubble['workspaceUris'])[0])) })
  if (bubble['type'] === PROMPT) readPrompt(entry, bubble)
  else if (bubble['type'] === ANSWER) readAnswer(entry, bubble)
  if (entry.drafts.length === 0) add(entry, 'unknown', '', undefined, { payload: foreign(bubble) })
}

/** What the client says in the user's name to keep the agent going is no prompt. */
function readPrompt(entry: Entry, bubble: Fields): void {
  const said = promptOf(bubble)
  const { naming } = entry.state
  if (bubble['isNudge'] === true) add(entry, 'system', said, nameStep(naming, 'note'))
  else add(entry, 'user_input', said, namePrompt(naming, said), { opensTurn: true })
}

function readAnswer(entry: Entry, bubble: Fields): void {
  const { state } = entry
  const { naming } = state
  const thought = thoughtOf(bubble)
  if (thought !== '') add(entry, 'reasoning', thought, nameStep(naming, 'reasoning'))
  const said = text(bubble['text'])
  if (said !== '') add(entry, 'assistant_response', said, nameText(naming, said))
  if (isRecord(bubble['toolFormerData'])) readToolData(entry, bubble['toolFormerData'])
  const [first] = entry.drafts
  const usage = usageOf(bubble)
  if (first && usage) first.usage = usage
  if (state.model !== '') for (const draft of entry.drafts) draft.model = state.model
  const error = errorOf(bubble)
  if (error !== '') endTurn(entry, 'failed', error)
  // Written with the last text of a turn.
  else if (number(bubble['turnDurationMs']) !== undefined) endTurn(entry, 'answered', `${bubble['turnDurationMs']} ms`)
}

function promptOf(bubble: Fields): string {
  const said = text(bubble['text']).trim() === '' ? flattened(bubble['richText']) : text(bubble['text'])
  const images = list(bubble['images']).length
  return [said.trim() === '' ? '' : said, ...Array<string>(Math.min(images, 20)).fill('[image]')]
    .filter((part) => part !== '')
    .join('\n')
}

function thoughtOf(bubble: Fields): string {
  const thinking = text(fields(bubble['thinking'])['text']) || text(bubble['thinking'])
  if (thinking !== '') return thinking
  return list(bubble['allThinkingBlocks'])
    .map((block) => text(fields(block)['thinking']) || text(fields(block)['text']))
    .filter((part) => part !== '')
    .join('\n')
}

function errorOf(bubble: Fields): string {
  const details = fields(bubble['errorDetails'])
  return text(details['message']) || text(details['error'])
}

/** Clients from September 2025 to January 2026 noted tokens; others write zeros. */
function usageOf(bubble: Fields): Usage | undefined {
  const tokens = fields(bubble['tokenCount'])
  const [input, output] = [count(tokens['inputTokens']), count(tokens['outputTokens'])]
  const id = text(bubble['usageUuid']) || text(bubble['bubbleId'])
  if (input + output === 0 || id === '') return undefined
  return { id, input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
}

/** A bubble that was taken back: kept, and part of nothing. */
export function readUnlisted(entry: Entry, key: string, bubble: Fields): void {
  const tool = fields(bubble['toolFormerData'])
  const said = promptOf(bubble) || thoughtOf(bubble) || text(tool['name'])
  const type =
    bubble['type'] === PROMPT ? 'user_input' : isRecord(bubble['toolFormerData']) ? 'system' : 'assistant_response'
  add(entry, type, said, `unlisted/${key}`, { copied: true })
}

/** `default` leaves the choice to the service. */
function isModel(name: string): boolean {
  return name !== '' && name !== 'default'
}

const MODES = [
  'unifiedMode',
  'forceMode',
  'agentBackend',
  'status',
  'totalLinesAdded',
  'totalLinesRemoved',
  'contextUsagePercent',
]

export function readComposer(entry: Entry, composer: Fields): void {
  const { state } = entry
  const model = text(fields(composer['modelConfig'])['modelName'])
  if (isModel(model)) state.model = model
  const name = text(composer['name'])
  const subtitle = text(composer['subtitle'])
  const parent = text(fields(composer['subagentInfo'])['parentComposerId'])
  tell(entry, {
    cwd: workspaceOf(composer),
    branch: text(composer['createdOnBranch']),
    ...(name !== '' && { title: name }),
    ...(subtitle !== '' && { summary: subtitle }),
    ...(parent !== '' && parent !== state.session && { parent: { nativeId: parent, relation: 'subagent' } }),
  })
  for (const child of [...list(composer['subComposerIds']), ...list(composer['subagentComposerIds'])]) {
    if (typeof child !== 'string' || child === '' || child === state.session) continue
    entry.sessions.push({ nativeId: child, parent: { nativeId: state.session, relation: 'subagent' } })
  }
  const said = [name, subtitle].filter((part) => part !== '').join(' — ')
  const payload = pick(composer, MODES)
  add(entry, 'system', said, 'composer', payload ? { payload } : {})
}

function workspaceOf(composer: Fields): string {
  const address = fields(fields(composer['workspaceIdentifier'])['uri'])
  const path = text(address['fsPath']) || text(address['path'])
  return (
    path || pathOfAddress(text(address['external'])) || text(fields(list(composer['trackedGitRepos'])[0])['repoPath'])
  )
}

export function readStatus(entry: Entry, status: string): void {
  const ends = ENDINGS.get(status.toLowerCase())
  if (ends) endTurn(entry, ends, status)
  else add(entry, 'runtime', status, nameStep(entry.state.naming, 'status'))
}

const ENDINGS = new Map<string, Ending>([
  ['completed', 'answered'],
  ['aborted', 'interrupted'],
  ['cancelled', 'interrupted'],
  ['canceled', 'interrupted'],
  ['error', 'failed'],
  ['errored', 'failed'],
])
