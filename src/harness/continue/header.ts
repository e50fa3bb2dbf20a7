/** What the document says of the session as a whole. */

import type { SessionFacts } from '../../core/event.ts'
import { count, type Fields, fields, number, pick, text } from '../fields.ts'
import { add, type Entry } from './entry.ts'

/** What a session is called before it has a name. */
const NAMELESS = new Set(['Untitled Session', 'New Session', 'Failed to load session'])

export function readHeader(entry: Entry, { session: given, created, isCounted }: Fields): void {
  const { state, sessions } = entry
  const session = fields(given)
  state.session = text(session['sessionId']) || state.session
  state.created = number(created) ?? 0
  state.isBegun = true
  const title = text(session['title'])
  const cwd = folderOf(text(session['workspaceDirectory']))
  const facts: SessionFacts = { nativeId: state.session }
  if (title !== '' && !NAMELESS.has(title)) facts.title = title
  if (cwd !== '') facts.cwd = cwd
  sessions.push(facts)
  const model = text(session['chatModelTitle'])
  if (model !== '') state.model = model
  const payload = pick(session, ['mode', 'chatModelTitle'])
  const draft = add(entry, 'system', '', 'session', payload ? { payload } : {})
  if (isCounted === true) return
  const usage = fields(session['usage'])
  const details = fields(usage['promptTokensDetails'])
  const cacheRead = count(details['cachedTokens'])
  const cacheWrite = count(details['cacheWriteTokens'])
  const input = Math.max(0, count(usage['promptTokens']) - cacheRead - cacheWrite)
  const output = count(usage['completionTokens'])
  if (input + output + cacheRead + cacheWrite === 0) return
  draft.usage = { id: `${state.session} total`, input, output, cacheRead, cacheWrite, reasoning: 0 }
}

/** Editors name the folder by its address: `file:///c%3A/garden`. */
function folderOf(given: string): string {
  if (!given.startsWith('file://')) return given
  const path = given.slice('file://'.length)
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return path
  }
}
