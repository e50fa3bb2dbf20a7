import { describe, expect, test } from 'vitest'
import type { Draft } from '../core/event.ts'
import { toEvent } from './events.ts'
import { createPlaces } from './places.ts'
import type { Project } from './project.ts'
import type { PendingEvent } from './record-batch.ts'
import { createScrubber } from './scrub.ts'

const projects = {
  asked: [] as string[],
  projectOf(directory: string): Project | undefined {
    projects.asked.push(directory)
    const root = ['/work/app/vendor/lib', '/work/app'].find((known) => `${directory}/`.startsWith(`${known}/`))
    if (root) return { projectId: `git:${root}`, root, roots: [root, '/work/tree'] }
    return { projectId: `dir:${directory}`, root: directory, roots: [directory] }
  },
}

function call(input: unknown, directory: string | undefined, changes: Partial<Draft> = {}): PendingEvent {
  const draft: Draft = {
    session: 's',
    type: 'tool_call',
    text: '',
    native: { index: 0 },
    tool: { name: 'Read', phase: 'call', input },
    ...changes,
  }
  const event = toEvent(
    draft,
    's',
    { harness: 'h', recordIndex: 0, text: '' },
    createScrubber((text) => text),
  )
  return { event, draft, directory }
}

describe('touches', () => {
  const touches = (pending: PendingEvent) => {
    createPlaces(projects, []).addTouches([pending])
    return pending.event.touches
  }

  test('know the checkout their path lies in, which may be another than the working directory', () => {
    expect(touches(call({ file_path: 'src/a.ts' }, '/work/app'))).toEqual([
      {
        path: '/work/app/src/a.ts',
        access: 'read',
        via: 'path',
        root: '/work/app',
        relativePath: 'src/a.ts',
        projectId: 'git:/work/app',
      },
    ])
    expect(touches(call({ file_path: '/work/app/vendor/lib/b.ts' }, '/work/app'))).toMatchObject([
      { root: '/work/app/vendor/lib', relativePath: 'b.ts' },
    ])
  })

  test('without Git lie in the working directory, when they do', () => {
    expect(touches(call({ file_path: '/tmp/x/deep/a.ts' }, '/tmp/x'))).toMatchObject([
      { root: '/tmp/x', relativePath: 'deep/a.ts', projectId: 'dir:/tmp/x' },
    ])
    expect(touches(call({ file_path: '/etc/hosts' }, '/tmp/x'))).toEqual([
      { path: '/etc/hosts', access: 'read', via: 'path' },
    ])
  })

  test('whose path is relative to nothing known stay as written', () => {
    expect(touches(call({ file_path: 'a.ts' }, undefined))).toEqual([{ path: 'a.ts', access: 'read', via: 'path' }])
  })

  test('are those of calls alone', () => {
    expect(touches(call({ file_path: '/work/app/a.ts' }, '/work/app', { type: 'tool_response' }))).toEqual([])
  })
})

describe('projects', () => {
  test('are asked for once a pass and named with all their roots once', () => {
    const places = createPlaces(projects, [])
    projects.asked = []
    const facts = places.addProjects([
      { nativeId: 'a', cwd: '/work/app' },
      { nativeId: 'b', cwd: '/work/app' },
      { nativeId: 'c' },
      { nativeId: 'd', cwd: 'relative' },
    ])
    expect(facts.map(({ projectId }) => projectId)).toEqual(['git:/work/app', 'git:/work/app', undefined, undefined])
    expect(projects.asked).toEqual(['/work/app'])
    expect(places.takeRoots()).toEqual([
      { root: '/work/app', projectId: 'git:/work/app' },
      { root: '/work/tree', projectId: 'git:/work/app' },
    ])
    expect(places.takeRoots()).toEqual([])
  })
})

describe('folders left out', () => {
  test('leave out what lies below them, and nothing that is only named alike', () => {
    const { isExcluded } = createPlaces(projects, ['/work/secret/', 'C:\\Users\\dev1\\x'])
    expect(['/work/secret', '/work/secret/a', 'C:/Users/dev1/x/y', 'c:\\Users\\dev1\\x'].map(isExcluded)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['/work/secrets', '/work', undefined, 'C:/Users/dev1'].map(isExcluded)).toEqual([false, false, false, false])
  })
})
