import { describe, expect, test } from 'vitest'
import type { Host } from '../harness.ts'
import { claudeCode } from './index.ts'
import { placeOf } from './paths.ts'
import { sourceFile } from './testing.ts'

function host(platform: NodeJS.Platform, env: Record<string, string> = {}): Host {
  return { home: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada', env, platform }
}

const [claude, cowork] = claudeCode.sources
if (!claude || !cowork) throw new Error('two sources expected')

const SESSION = '11111111-2222-4333-8444-555555555555'

describe('roots', () => {
  test('are both default folders', () => {
    expect(claude.roots(host('linux'))).toEqual(['/home/ada/.claude/projects', '/home/ada/.config/claude/projects'])
    expect(claude.roots(host('win32'))[0]).toBe('C:\\Users\\ada\\.claude\\projects')
  })

  test('are replaced by CLAUDE_CONFIG_DIR, which may list several folders', () => {
    expect(claude.roots(host('linux', { CLAUDE_CONFIG_DIR: '/data/claude' }))).toEqual(['/data/claude/projects'])
    expect(claude.roots(host('linux', { CLAUDE_CONFIG_DIR: '/a, /b' }))).toEqual([
      '/a, /b/projects',
      '/a/projects',
      '/b/projects',
    ])
    expect(claude.roots(host('linux', { CLAUDE_CONFIG_DIR: '  ' }))).toHaveLength(2)
  })

  test('of Cowork exist on macOS alone', () => {
    expect(cowork.roots(host('linux'))).toEqual([])
    expect(cowork.roots(host('darwin'))).toEqual([
      '/home/ada/Library/Application Support/Claude/local-agent-mode-sessions',
    ])
  })
})

describe('transcripts', () => {
  test.each([
    `-w-app/${SESSION}.jsonl`,
    '-w-app/agent-a683f63.jsonl',
    `-w-app/${SESSION}/subagents/agent-a1.jsonl`,
    `-w-app/${SESSION}/subagents/workflows/wf_1/agent-a1.jsonl`,
  ])('%s is one', (path) => {
    expect(claude.matches(path)).toBe(true)
  })

  test.each([
    `${SESSION}.jsonl`,
    `-w-app/${SESSION}/subagents/workflows/wf_1/journal.jsonl`,
    `-w-app/${SESSION}/subagents/notes.jsonl`,
    `-w-app/${SESSION}/tool-results/output.jsonl`,
    `-w-app/${SESSION}/subagents/agent-a1.meta.json`,
    '-w-app/memory/MEMORY.md',
    '-w-app/.jsonl',
  ])('%s is none', (path) => {
    expect(claude.matches(path)).toBe(false)
  })

  test('of Cowork lie in the conversation folder, its audit log does not count', () => {
    const folder = 'account/workspace/local_77'
    expect(cowork.matches(`${folder}/.claude/projects/-sessions-x/${SESSION}.jsonl`)).toBe(true)
    expect(cowork.matches(`${folder}/.claude/projects/-sessions-x/${SESSION}/subagents/agent-a1.jsonl`)).toBe(true)
    expect(cowork.matches(`${folder}/audit.jsonl`)).toBe(false)
    expect(cowork.matches(`${folder}/.claude/projects/-sessions-x/audit.jsonl`)).toBe(false)
    expect(cowork.matches(`account/workspace/local_/.claude/projects/-x/${SESSION}.jsonl`)).toBe(false)
    expect(cowork.matches(`account/workspace/other/.claude/projects/-x/${SESSION}.jsonl`)).toBe(false)
  })
})

describe('the place of a file', () => {
  test('tells session and subagent', () => {
    expect(placeOf(sourceFile(`-w-app/${SESSION}.jsonl`))).toMatchObject({
      session: SESSION,
      certain: false,
      agent: '',
    })
    expect(placeOf(sourceFile(`-w-app/${SESSION}/subagents/x/agent-a1.jsonl`))).toMatchObject({
      session: SESSION,
      certain: true,
      agent: 'a1',
    })
    expect(placeOf(sourceFile('-w-app/agent-a1.jsonl'))).toMatchObject({ certain: false, agent: 'a1' })
    expect(placeOf(sourceFile(`a/w/local_77/.claude/projects/-x/${SESSION}.jsonl`, 'claude-cowork'))).toMatchObject({
      session: 'local_77',
      certain: true,
      cowork: true,
    })
  })
})

describe('the sidecar', () => {
  const [sidecar] = claudeCode.layouts[0]?.sidecars ?? []
  if (!sidecar) throw new Error('a sidecar expected')

  test('of a subagent tells its purpose and the call that started it', () => {
    const file = sourceFile(`-w-app/${SESSION}/subagents/agent-a1.jsonl`)
    expect(sidecar.pathOf(file)).toBe(`/root/-w-app/${SESSION}/subagents/agent-a1.meta.json`)
    expect(sidecar.read({ description: 'Count lines', toolUseId: 'toolu_1', spawnDepth: 1 }, file)).toEqual({
      drafts: [],
      sessions: [
        {
          nativeId: `${SESSION}/agent-a1`,
          title: 'Count lines',
          parent: { nativeId: SESSION, callId: 'toolu_1', relation: 'subagent' },
        },
      ],
    })
  })

  test('of a subagent started by a subagent leaves the parent to the transcript of its starter', () => {
    const file = sourceFile(`-w-app/${SESSION}/subagents/agent-a2.jsonl`)
    expect(sidecar.read({ toolUseId: 'toolu_1', spawnDepth: 2 }, file).sessions).toEqual([
      { nativeId: `${SESSION}/agent-a2` },
    ])
  })

  test('of a Cowork conversation tells title and folder, and nothing private', () => {
    const file = sourceFile(`a/w/local_77/.claude/projects/-x/${SESSION}.jsonl`, 'claude-cowork')
    expect(sidecar.pathOf(file)).toBe('/root/a/w/local_77.json')
    const value = { sessionId: 'ignored', title: 'Trip plan', cwd: '/sessions/x', emailAddress: 'ada@example.com' }
    expect(sidecar.read(value, file)).toEqual({
      drafts: [],
      sessions: [{ nativeId: 'local_77', title: 'Trip plan', cwd: '/sessions/x' }],
    })
  })

  test('of a plain session does not exist, and a broken one says nothing', () => {
    expect(sidecar.pathOf(sourceFile(`-w-app/${SESSION}.jsonl`))).toBeUndefined()
    expect(sidecar.read('torn', sourceFile(`-w-app/${SESSION}/subagents/agent-a1.jsonl`))).toEqual({ drafts: [] })
  })
})
