import { describe, expect, it } from 'vitest'
import type { Caller } from '../../../core/caller.ts'
import { UserError } from '../../../core/errors.ts'
import type { ProjectLookup } from '../../tool.ts'
import { gitAt, projectIdAt } from '../tools.testing.ts'
import { checkPath, locate } from './locate.ts'

const PROJECT = '/home/me/project'
const git = gitAt(PROJECT, '/home/me/other', 'C:/work/app')

function find(path: string, launchDirectory = PROJECT, projects: ProjectLookup = git) {
  const caller: Caller = { owner: 1, admin: true, launchDirectory }
  return locate(path, caller, projects)
}

describe('checking a path', () => {
  it('C13: refuses white space around it, URIs, directories and several paths', () => {
    for (const path of [
      ' a.ts',
      'a.ts ',
      '\ta.ts',
      'file:///a.ts',
      'FILE://a',
      'src/',
      'src\\',
      'a.ts\nb.ts',
      'a\0b',
    ]) {
      expect(() => checkPath(path), JSON.stringify(path)).toThrow(UserError)
    }
  })

  it('C64: takes shell words for nothing but a name', () => {
    expect(checkPath('cat a.ts; rm b.ts')).toBe('cat a.ts; rm b.ts')
  })
})

describe('locating a path', () => {
  it('C62: resolves relative paths from the launch directory, whether the file is there or not', () => {
    expect(find('src/a.ts')).toMatchObject({ tail: 'src/a.ts', strippedRoot: PROJECT, warnings: [] })
    expect(find('./src/a.ts')).toMatchObject({ tail: 'src/a.ts', warnings: [] })
    expect(find('a.ts', `${PROJECT}/packages/web`).tail).toBe('packages/web/a.ts')
  })

  it('C62: resolves ".." and doubled slashes with a warning', () => {
    for (const path of ['src/../lib/a.ts', 'lib//a.ts', 'lib/./a.ts', '../project/lib/a.ts']) {
      const { tail, warnings } = find(path)
      expect(tail).toBe('lib/a.ts')
      expect(warnings[0]).toMatch(/^path_normalized/)
    }
  })

  it('C63: takes the root of the nearest Git checkout off an absolute path', () => {
    expect(find(`${PROJECT}/src/a.ts`)).toMatchObject({
      tail: 'src/a.ts',
      strippedRoot: PROJECT,
      tailIsAbsolute: false,
    })
    expect(find('/home/me/other/src/a.ts')).toMatchObject({
      tail: 'src/a.ts',
      strippedRoot: '/home/me/other',
      projectId: projectIdAt('/home/me/other'),
      launchProjectId: projectIdAt(PROJECT),
    })
  })

  it('C63: without Git the launch directory is the root', () => {
    expect(find('src/a.ts', '/tmp/plain')).toMatchObject({
      tail: 'src/a.ts',
      strippedRoot: '/tmp/plain',
      projectId: 'dir:/tmp/plain',
      launchProjectId: 'dir:/tmp/plain',
    })
  })

  it('C64: takes a path literally when it lies nowhere known', () => {
    const found = find('/etc/hosts')
    expect(found).toMatchObject({ tail: '/etc/hosts', tailIsAbsolute: true, strippedRoot: null, projectId: null })
    expect(found.warnings[0]).toMatch(/^no_project_root/)
    expect(find('/tmp/plain-b/a.ts', '/tmp/plain').tailIsAbsolute).toBe(true)
  })

  it('reads Windows paths in either slash, and leaves backslashes of others alone', () => {
    expect(find('src\\a.ts', 'C:\\work\\app')).toMatchObject({ tail: 'src/a.ts', strippedRoot: 'C:/work/app' })
    expect(find('C:\\work\\app\\src\\a.ts', 'C:\\work\\app').tail).toBe('src/a.ts')
    expect(find('odd\\name.ts').tail).toBe('odd\\name.ts')
  })

  it('does not know the launch project when the lookup does not', () => {
    const nothing: ProjectLookup = { projectOf: () => undefined }
    expect(find('a.ts', PROJECT, nothing)).toMatchObject({ tail: 'a.ts', projectId: null, launchProjectId: null })
  })

  it('works from the root directory', () => {
    expect(find('etc/hosts', '/')).toMatchObject({ tail: 'etc/hosts', strippedRoot: '/', tailIsAbsolute: false })
  })
})
