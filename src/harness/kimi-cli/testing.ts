/** What the tests of Kimi share: records of each of its logs. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceFile } from '../harness.ts'
import { readWith, type TranscriptReading } from '../reading.testing.ts'
import { kimiCli } from './index.ts'

export function sourceFile(relative: string, source = 'kimi-cli'): SourceFile {
  return { source, path: `/home/ada/sessions/${relative}`, relative, modifiedAt: 0 }
}

const codeFile = sourceFile('wd_garden/session_1/agents/main/wire.jsonl', 'kimi-code')
const wireFile = sourceFile('0123/session/wire.jsonl')
const contextFile = sourceFile('0123/session/context.jsonl')

export const readCode = (...records: unknown[]): TranscriptReading => readWith(kimiCli, codeFile, records)
export const readContext = (...records: unknown[]): TranscriptReading => readWith(kimiCli, contextFile, records)

/** Messages of the wire: each type with its payload. */
export function readWire(...messages: [string, object?][]): TranscriptReading {
  const records = messages.map(([type, payload = {}], place) => ({
    timestamp: 100 + place,
    message: { type, payload },
  }))
  return readWith(kimiCli, wireFile, records)
}

export const prompt = (text: string, more: object = {}): object => ({
  type: 'turn.prompt',
  input: [{ type: 'text', text }],
  origin: { kind: 'user' },
  time: 1000,
  ...more,
})
export const loop = (type: string, event: object = {}): object => ({
  type: 'context.append_loop_event',
  event: { type, ...event },
  time: 1001,
})
export const say = (text: string): object => loop('content.part', { part: { type: 'text', text } })
export const ended = (reason: string, more: object = {}): object => ({ type: 'turn.ended', turnId: 0, reason, ...more })

export function corpusFolder(...below: string[]): string | undefined {
  const folder = resolve('..', 'shared', 'corpus', 'kimi-cli', ...below)
  return existsSync(folder) ? folder : undefined
}
