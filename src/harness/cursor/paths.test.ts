import { describe, expect, test } from 'vitest'
import type { Host } from '../harness.ts'
import { cursor } from './index.ts'
import { placeOf } from './paths.ts'

function rootsOf(name: string, host: Partial<Host>): string[] {
  const source = cursor.sources.find((each) => each.name === name)
  return source?.roots({ home: '/home/ada', env: {}, platform: 'linux', ...host }) ?? []
}

function isFound(name: string, path: string): boolean {
  return cursor.sources.find((each) => each.name === name)?.matches(path) ?? false
}

describe('where Cursor keeps conversations', () => {
  test('transcripts lie in the home folder on every platform', () => {
    expect(rootsOf('cursor', {})).toEqual(['/home/ada/.cursor/projects'])
    expect(rootsOf('cursor', { home: 'C:\\Users\\ada', platform: 'win32' })).toEqual([
      'C:\\Users\\ada\\.cursor\\projects',
    ])
  })

  test('the editor keeps its database where VS Code would', () => {
    expect(rootsOf('cursor-sqlite', {})).toEqual([
      '/home/ada/.config/Cursor/User/globalStorage',
      '/home/ada/.config/Cursor/User/workspaceStorage',
      '/home/ada/.cursor/chats',
    ])
    expect(rootsOf('cursor-sqlite', { home: '/Users/ada', platform: 'darwin' })[0]).toBe(
      '/Users/ada/Library/Application Support/Cursor/User/globalStorage',
    )
    expect(rootsOf('cursor-sqlite', { home: 'C:\\Users\\ada', platform: 'win32' })[0]).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Cursor\\User\\globalStorage',
    )
  })

  test('variables move them', () => {
    expect(rootsOf('cursor', { env: { CURSOR_DATA_DIR: '/data/cursor' } })).toEqual(['/data/cursor/projects'])
    expect(rootsOf('cursor-sqlite', { env: { CURSOR_DATA_DIR: '/data/cursor' } })[2]).toBe('/data/cursor/chats')
    expect(rootsOf('cursor-sqlite', { env: { XDG_CONFIG_HOME: '/etc/ada' } })[0]).toBe(
      '/etc/ada/Cursor/User/globalStorage',
    )
    const env = { APPDATA: 'D:\\Roaming' }
    expect(rootsOf('cursor-sqlite', { env, platform: 'win32' })[0]).toBe('D:\\Roaming\\Cursor\\User\\globalStorage')
  })

  test('transcripts, subagents and databases are found, and nothing else', () => {
    expect(isFound('cursor', 'p/agent-transcripts/S/S.jsonl')).toBe(true)
    expect(isFound('cursor', 'p/agent-transcripts/S.jsonl')).toBe(true)
    expect(isFound('cursor', 'p/agent-transcripts/S/subagents/T.jsonl')).toBe(true)
    expect(isFound('cursor', 'p/terminals/1.jsonl')).toBe(false)
    expect(isFound('cursor', 'p/agent-transcripts/S.txt')).toBe(false)
    expect(isFound('cursor-sqlite', 'state.vscdb')).toBe(true)
    expect(isFound('cursor-sqlite', 'hash/state.vscdb')).toBe(true)
    expect(isFound('cursor-sqlite', 'state.vscdb.backup')).toBe(false)
    expect(isFound('cursor-sqlite', 'hash/S/store.db')).toBe(true)
    expect(isFound('cursor-sqlite', 'hash/S/prompt_history.json')).toBe(false)
  })

  test.each([
    ['/h/p/agent-transcripts/S/S.jsonl', 'S', ''],
    ['/h/p/agent-transcripts/S/subagents/T.jsonl', 'T', 'S'],
    ['/h/p/agent-transcripts/S/subagents/T/T.jsonl', 'T', 'S'],
    ['C:\\h\\subagents\\agent-transcripts\\S\\S.jsonl', 'S', ''],
    ['/h/chats/5f1e/S/store.db', 'S', ''],
  ])('%s is of session %s', (path, session, parent) => {
    expect(placeOf({ source: 'cursor', path, relative: path, modifiedAt: 0 })).toEqual({ session, parent })
  })
})
