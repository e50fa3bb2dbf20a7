/** For tests: messages of one made-up session of the terminal client, and steps of one made-up task. */

import type { Draft } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readWith, type TranscriptReading } from '../reading.testing.ts'
import { cline } from './index.ts'

const at = (path: string, source: string): SourceFile => ({
  source,
  path: `/home/kim/${path}`,
  relative: path,
  modifiedAt: 0,
})

export const sessionFile = at('s1/s1.messages.json', 'cline')
export const taskFile = at('t1/ui_messages.json', 'cline-vscode')

let made = 0

function message(role: string, content: readonly object[], more: object = {}): object {
  return { type: 'message', message: { id: `m${++made}`, role, ts: 1000 + made, content, ...more }, subagent: false }
}

export const say = (text: string): object => ({ type: 'text', text })
export const use = (name: string, input: object = {}): object => ({ type: 'tool_use', id: `call_${name}`, name, input })
export const result = (name: string, content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: `call_${name}`,
  name,
  content,
  ...more,
})
export const user = (...content: object[]): object => message('user', content)
export const prompt = (text: string): object => user(say(`<user_input mode="act">${text}</user_input>`))
export const assistant = (content: readonly object[], more: object = {}): object => message('assistant', content, more)
export const status = (word: string): object => ({ type: 'status', status: word, ended_at: '2026-01-05T08:00:00Z' })

/** A step of a task, with the id that the document's reader gives it. */
export function step(type: 'say' | 'ask', kind: string, text: unknown = '', more: object = {}): object {
  const said = typeof text === 'string' ? text : JSON.stringify(text)
  return {
    type: 'step',
    id: `${++made}`,
    model: '',
    step: { ts: 1000 + made, type, [type]: kind, text: said, ...more },
  }
}

export const readSession = (...records: object[]): TranscriptReading => readWith(cline, sessionFile, records)
export const readTask = (...records: object[]): TranscriptReading => readWith(cline, taskFile, records)

export const draftsOf = (...records: object[]): Draft[] => readSession(...records).drafts
export const endingsOf = (...records: object[]) => foldTurns(draftsOf(...records)).map(({ ending }) => ending)
export const promptsOf = (...records: object[]) => foldTurns(draftsOf(...records)).map((turn) => turn.prompt)
export const taskDrafts = (...records: object[]): Draft[] => readTask(...records).drafts
export const taskEndings = (...records: object[]) => foldTurns(taskDrafts(...records)).map(({ ending }) => ending)
