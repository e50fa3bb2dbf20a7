import { describe, expect, test } from 'vitest'
import type { Host } from '../harness.ts'
import { sources } from './paths.ts'

const rootsOf = (name: string, env: Host['env'] = {}, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
  sources.find((source) => source.name === name)?.roots({ home, env, platform })

describe('where Pi keeps transcripts', () => {
  test('below its folder at home, wherever that is', () => {
    expect(rootsOf('pi')).toEqual(['/home/ada/.pi/agent/sessions'])
    expect(rootsOf('pi', {}, 'win32', 'C:\\Users\\ada')).toEqual(['C:\\Users\\ada\\.pi\\agent\\sessions'])
  })

  test('its variables move the folder, or the sessions alone', () => {
    expect(rootsOf('pi', { PI_CODING_AGENT_DIR: '~/pi' })).toEqual(['/home/ada/pi/sessions'])
    expect(rootsOf('pi', { PI_CODING_AGENT_DIR: '/p', PI_CODING_AGENT_SESSION_DIR: '/s' })).toEqual(['/s'])
  })
})

describe('where Oh My Pi keeps transcripts', () => {
  test('below its folder at home, that of its profile, and Pi’s when that is moved', () => {
    expect(rootsOf('omp')).toEqual(['/home/ada/.omp/agent/sessions'])
    expect(rootsOf('omp', { PI_CONFIG_DIR: '.o', OMP_PROFILE: 'work', PI_CODING_AGENT_DIR: '/p' })).toEqual([
      '/home/ada/.o/agent/sessions',
      '/home/ada/.o/profiles/work/agent/sessions',
      '/p/sessions',
    ])
  })
})

test('a transcript is any file of lines', () => {
  const matches = (path: string) => sources[0]?.matches(path)
  expect(matches('--x--/2026-05-01T10-00-00-000Z_1.jsonl')).toBe(true)
  expect(matches('--x--/2026-05-01T10-00-00-000Z_1/Count.md')).toBe(false)
  expect(matches('--x--/.jsonl')).toBe(false)
})
