import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, findItem, itemContent, listItems, listStatements, passagesOf } from '../../store/index.ts'
import { ME, START, TEST_ENGINES, textsWith } from '../context.testing.ts'
import { makeProject, type TestProject } from '../documents/documents.testing.ts'
import { type DocumentWork, dropDocumentsOutside, indexDocuments } from './documents.ts'

describe.each(TEST_ENGINES)('documents on %s', (_name, open) => {
  let engine: Engine
  let project: TestProject
  const projects: TestProject[] = []

  beforeEach(async () => {
    engine = await open()
    project = made({
      'AGENTS.md': '# Rules\n\nNever commit walnut shells.\n\n## Style\n\nPlain words.\n',
      'README.md': '# Demo\n\nA demo about cherry trees.\n',
    })
  })
  afterEach(async () => {
    await engine.close()
    for (const each of projects.splice(0)) each.dispose()
  })

  function made(files: Record<string, string>): TestProject {
    const created = makeProject(files)
    projects.push(created)
    return created
  }
  const index = (more: Partial<DocumentWork> = {}, at = project, projectId = 'git:1', hash = 'aaaaaaaa') =>
    indexDocuments(
      {
        engine,
        owner: 1,
        now: START,
        scrub: (text) => text.replace(/KEY[\s\S]*?END/g, '[REDACTED:private-key]'),
        maxFileBytes: 10_000,
        exclude: [],
        home: '/nowhere',
        ...more,
      },
      { projectId, root: at.root, hash },
    )
  const paths = async () =>
    (await listItems(engine, ME, { kinds: ['document'], limit: 50 })).map(({ path }) => path).sort()

  it('are stored with sections, each at its line and offset (statements 19, 24)', async () => {
    expect(await index()).toMatchObject({ written: 2, removed: 0, missing: false })
    expect(await paths()).toEqual(['AGENTS.md', 'README.md'])
    const [agents] = await listItems(engine, ME, { kinds: ['document'], path: 'AGENTS.md', limit: 1 })
    if (!agents) throw new Error('AGENTS.md is missing')
    expect(agents).toMatchObject({
      stable_key: 'document:aaaaaaaa:AGENTS.md',
      role: 'rule',
      title: 'Rules',
      project_id: 'git:1',
      root: project.root,
      source: 'documents',
    })
    const content = await itemContent(engine, ME, agents.pk)
    const passages = await passagesOf(engine, ME, 'document', agents.pk)
    expect(passages.map(({ heading }) => heading)).toContain('Style')
    for (const { start, text, line } of passages) {
      expect(content.slice(start, start + text.length)).toBe(text)
      expect(content.split('\n')[(line ?? 0) - 1]).toBe(text.split('\n')[0])
    }
    expect(await listStatements(engine, ME, { limit: 9 })).toMatchObject([
      { kind: 'constraint', text: expect.stringContaining('Never commit walnut shells') as string, line: 3 },
    ])
    expect(await textsWith(engine, 'cherry')).toHaveLength(1)
  })

  it('that did not change are not written again; a change replaces all of the old', async () => {
    await index()
    expect(await index()).toMatchObject({ written: 0, removed: 0 })
    project.write('AGENTS.md', '# Rules\n\nAlways use maple boards.\n')
    expect(await index()).toMatchObject({ written: 1 })
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await textsWith(engine, 'maple')).not.toEqual([])
    expect(await listStatements(engine, ME, { limit: 9 })).toHaveLength(1)
    expect(await paths()).toEqual(['AGENTS.md', 'README.md'])
  })

  it('that vanish or are excluded leave every lane at once (statement 111)', async () => {
    await index()
    project.remove('README.md')
    expect(await index()).toMatchObject({ removed: 1 })
    expect(await textsWith(engine, 'cherry')).toEqual([])
    expect(await index({ exclude: ['AGENTS.md'] })).toMatchObject({ removed: 1 })
    expect(await paths()).toEqual([])
    expect(await engine.all('SELECT pk FROM context_passage')).toEqual([])
    expect(await engine.all('SELECT pk FROM statement')).toEqual([])
  })

  it('of a folder that is gone go with it', async () => {
    await index()
    project.dispose()
    expect(await index()).toMatchObject({ missing: true, removed: 2 })
    expect(await paths()).toEqual([])
  })

  it('of projects nobody works in any more are dropped', async () => {
    await index()
    expect(await dropDocumentsOutside(engine, 1, new Set(['git:1']))).toBe(0)
    expect(await dropDocumentsOutside(engine, 1, new Set(['git:2']))).toBe(2)
    expect(await textsWith(engine, 'walnut')).toEqual([])
  })

  it('hold no secrets, and their lines stay where they were (statement 109)', async () => {
    project.write('README.md', '# Demo\nKEY\na\nb\nEND\n\n## After\n\nSomething about maple.\n')
    await index()
    const [readme] = await listItems(engine, ME, { kinds: ['document'], path: 'README.md', limit: 1 })
    const passages = await passagesOf(engine, ME, 'document', readme?.pk ?? 0)
    expect(passages.find(({ heading }) => heading === 'After')?.line).toBe(7)
    for (const table of ['context_item', 'context_passage', 'statement']) {
      expect(JSON.stringify(await engine.all(`SELECT * FROM ${table}`))).not.toMatch(/KEY|END/)
    }
  })

  it('of two projects with the same names have ids of their own', async () => {
    await index()
    const other = made({ 'AGENTS.md': '# Rules\n\nNever use oak.\n' })
    await index({}, other, 'git:2', 'bbbbbbbb')
    const items = await listItems(engine, ME, { kinds: ['document'], path: 'AGENTS.md', limit: 5 })
    expect(new Set(items.map(({ id }) => id)).size).toBe(2)
    for (const { id } of items) expect(await findItem(engine, ME, 'document', id)).toMatchObject({ id })
    expect(new Set(items.map(({ stable_key }) => stable_key)).size).toBe(2)
  })

  it('keep number, id and key when the project lies elsewhere', async () => {
    await index()
    const before = await listItems(engine, ME, { kinds: ['document'], limit: 5 })
    const moved = made({ 'AGENTS.md': '# Rules\n\nNever commit walnut shells.\n', 'README.md': '# Demo\n' })
    await index({}, moved)
    const after = await listItems(engine, ME, { kinds: ['document'], limit: 5 })
    expect(after.map(({ root }) => root)).toEqual([moved.root, moved.root])
    expect(after.map(({ pk }) => pk).sort()).toEqual(before.map(({ pk }) => pk).sort())
  })
})
