import { describe, expect, test } from 'vitest'
import type { Host, SourceFile } from '../harness.ts'
import { kiroCli } from './index.ts'
import { placeOf, sessionNotePath, workspaceNotePath } from './paths.ts'

const [source] = kiroCli.sources

function rootsOf(host: Partial<Host>): string[] {
  return source?.roots({ home: '/home/ada', env: {}, platform: 'linux', ...host }) ?? []
}

const fileAt = (path: string): SourceFile => ({ source: 'kiro', path, relative: path, modifiedAt: 0 })

describe('where Kiro keeps conversations', () => {
  test('logs lie in the home folder, the database where programs keep their data', () => {
    expect(rootsOf({})).toEqual(['/home/ada/.kiro/sessions', '/home/ada/.local/share/kiro-cli'])
    expect(rootsOf({ home: '/Users/ada', platform: 'darwin' })).toEqual([
      '/Users/ada/.kiro/sessions',
      '/Users/ada/Library/Application Support/kiro-cli',
    ])
    expect(rootsOf({ home: 'C:\\Users\\ada', platform: 'win32' })).toEqual([
      'C:\\Users\\ada\\.kiro\\sessions',
      'C:\\Users\\ada\\AppData\\Local\\kiro-cli',
    ])
  })

  test('variables move them', () => {
    expect(rootsOf({ env: { KIRO_HOME: '/data/kiro', XDG_DATA_HOME: '/data/share' } })).toEqual([
      '/data/kiro/sessions',
      '/data/share/kiro-cli',
    ])
    const env = { LOCALAPPDATA: 'D:\\Local' }
    expect(rootsOf({ env, platform: 'win32' })[1]).toBe('D:\\Local\\kiro-cli')
  })

  test.each([
    ['cli/S.jsonl', true],
    ['S.jsonl', true],
    ['9f3c/sess_S/messages.jsonl', true],
    ['sess_S/messages.jsonl', true],
    ['9f3c/sess_S/sub-executions/T.jsonl', true],
    ['data.sqlite3', true],
    ['cli/S.json', false],
    ['cli/sess_S.history', false],
    ['9f3c/sess_S/session.json', false],
    ['9f3c/sess_S/snapshots/1/a.jsonl', false],
    ['messages.jsonl', false],
  ])('%s is a transcript: %s', (path, expected) => {
    expect(source?.matches(path)).toBe(expected)
  })

  test('a path tells the session, a subagent’s also the parent', () => {
    expect(placeOf(fileAt('/k/sessions/cli/S.jsonl'))).toEqual({ session: 'S', parent: '' })
    expect(placeOf(fileAt('/k/sessions/9f3c/sess_S/messages.jsonl'))).toEqual({ session: 'sess_S', parent: '' })
    expect(placeOf(fileAt('C:\\k\\9f3c\\sess_S\\sub-executions\\T.jsonl'))).toEqual({
      session: 'sess_S/T',
      parent: 'sess_S',
    })
  })

  test('what is known of a session lies beside its log', () => {
    expect(sessionNotePath(fileAt('/k/cli/S.jsonl'))).toBe('/k/cli/S.json')
    expect(workspaceNotePath(fileAt('/k/9f3c/sess_S/messages.jsonl'))).toBe('/k/9f3c/sess_S/session.json')
    expect(workspaceNotePath(fileAt('/k/9f3c/sess_S/sub-executions/T.jsonl'))).toBeUndefined()
  })
})
