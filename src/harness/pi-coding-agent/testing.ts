/** What the tests of Pi and its forks share: records of one made-up session, and files of the shared corpus. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Draft } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readFileOf, readWith, type TranscriptReading } from '../reading.testing.ts'
import { piCodingAgent } from './index.ts'

export const SESSION = '5e551010-0000-7000-8000-000000000001'

/** A file below the root. */
export function sourceFile(relative = `--home-ada-garden--/2026-05-01T10-00-00-000Z_${SESSION}.jsonl`): SourceFile {
  return { source: 'pi', path: `/home/ada/.pi/agent/sessions/${relative}`, relative, modifiedAt: 0 }
}

export function header(more: object = {}): object {
  return {
    type: 'session',
    version: 3,
    id: SESSION,
    timestamp: '2026-05-01T10:00:00.000Z',
    cwd: '/home/ada/garden',
    ...more,
  }
}

let made = 0

/** An entry of the tree, a second after the one before. */
export function entry(type: string, more: object = {}): Record<string, unknown> {
  made++
  const timestamp = new Date(Date.UTC(2026, 4, 1, 11, 0, made)).toISOString()
  return { type, id: `e${made}`, parentId: null, timestamp, ...more }
}

export function message(role: string, content: unknown, more: object = {}): Record<string, unknown> {
  const record = entry('message')
  return { ...record, message: { role, content, timestamp: Date.parse(String(record['timestamp'])), ...more } }
}

export const user = (said: string, more: object = {}) => message('user', [{ type: 'text', text: said }], more)

export const said = (text: string, stopReason = 'stop', more: object = {}) =>
  message('assistant', [{ type: 'text', text }], { model: 'm-large', stopReason, ...more })

export const calls = (id: string, name: string, args: object) =>
  message('assistant', [{ type: 'toolCall', id, name, arguments: args }], { model: 'm-large', stopReason: 'toolUse' })

export const result = (toolCallId: string, toolName: string, text: string, more: object = {}) =>
  message('toolResult', [{ type: 'text', text }], { toolCallId, toolName, isError: false, ...more })

/** Records behind a header, in the file of `sourceFile`. */
export function read(...records: unknown[]): TranscriptReading {
  return readWith(piCodingAgent, sourceFile(), [header(), ...records])
}

export const draftsOf = (...records: unknown[]): Draft[] => read(...records).drafts.slice(1)
export const turns = (...records: unknown[]) => foldTurns(read(...records).drafts)
export const endings = (...records: unknown[]) => turns(...records).map(({ ending }) => ending)

/** The shared corpus; undefined where it is not next to the project. */
export function corpusFolder(...below: string[]): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'pi', ...below)
  return existsSync(folder) ? folder : undefined
}

/** Transcripts below a folder, with their root where they lie in one. */
export function transcriptsBelow(folder: string): { path: string; root: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.jsonl') && item.name !== 'mcp-messages.jsonl')
    .map((item) => ({ path: join(item.parentPath, item.name), root: rootOf(item.parentPath) }))
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

function rootOf(folder: string): string {
  const root = '/.pi/agent/sessions'
  const at = folder.split('\\').join('/').indexOf(root)
  return at < 0 ? folder : folder.slice(0, at + root.length)
}

/** Reads every transcript below a folder. */
export async function readFolder(folder: string): Promise<TranscriptReading[]> {
  return Promise.all(transcriptsBelow(folder).map(({ path, root }) => readFileOf(piCodingAgent, path, { root })))
}
