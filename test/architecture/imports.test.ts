import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, readSources } from './source-files.ts'

/** What each part may import, besides itself and what npm or Node provide. The table of ARCHITECTURE.md. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  installation: [],
  harness: ['core'],
  store: ['core'],
  models: ['core'],
  retrieval: ['core', 'store', 'models'],
  context: ['core', 'store', 'retrieval'],
  capture: ['core', 'harness', 'store'],
  workflow: ['core', 'store', 'library'],
  library: ['core', 'store'],
  tools: ['core', 'store', 'retrieval', 'context', 'workflow', 'library'],
  config: ['core'],
  app: [
    'core',
    'harness',
    'store',
    'retrieval',
    'context',
    'workflow',
    'library',
    'models',
    'capture',
    'tools',
    'config',
    'installation',
  ],
  mcp: ['core', 'tools', 'app', 'config', 'installation'],
  web: ['core', 'tools', 'app', 'config', 'installation'],
  cli: ['core', 'tools', 'app', 'config', 'installation', 'mcp', 'web', 'workflow'],
}

/** Packages that stand for one job, and the folders or files that do it. */
const PACKAGES: Record<string, readonly string[]> = {
  'better-sqlite3': ['store', 'capture/foreign-database.ts'],
  pg: ['store'],
  chokidar: ['capture'],
  yauzl: ['capture'],
  '@streamparser/json': ['capture'],
  '@modelcontextprotocol/server': ['mcp'],
  hono: ['web'],
  '@hono/node-server': ['web'],
  'smol-toml': ['config'],
}

/** Besides a folder's index, its contract may be imported: what a value of it is, or how one is used. */
const CONTRACTS = new Set(['harness/harness.ts', 'tools/tool.ts', 'tools/call.ts', 'store/batch.ts', 'store/engine.ts'])

const sources = readSources()

/** `store/engine.ts` belongs to store, `app.ts` is a part of its own. */
function partOf(path: string): string {
  return path.replace(/\.ts$/, '').split('/')[0] ?? ''
}

interface Import {
  from: string
  specifier: string
  /** Below src/; undefined for packages and files outside. */
  target: string | undefined
}

const imports: Import[] = sources.flatMap(({ path, text }) =>
  importsOf(text).map((specifier) => ({ from: path, specifier, target: targetOf(path, specifier) })),
)

function targetOf(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(path), specifier)
  return target.startsWith('..') ? undefined : target
}

describe('the import rule', () => {
  test('sees the imports it judges', () => {
    expect(
      importsOf("import a from './a.ts'\nexport { b } from './b.ts'\nimport type {\n  C,\n} from './c.ts'"),
    ).toEqual(['./a.ts', './b.ts', './c.ts'])
    expect(importsOf("import './d.ts'\nconst e = await import('./e.ts')")).toEqual(['./d.ts', './e.ts'])
    expect(imports.length).toBeGreaterThan(100)
  })

  test('knows every part', () => {
    const parts = new Set(sources.map(({ path }) => partOf(path)))
    expect([...parts].filter((part) => !(part in MAY_IMPORT))).toEqual([])
  })

  test('nothing imports upward', () => {
    const broken = imports.filter(({ from, target }) => {
      if (target === undefined || partOf(target) === partOf(from)) return false
      return !MAY_IMPORT[partOf(from)]?.includes(partOf(target))
    })
    expect(broken.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([])
  })

  test('a folder with an index is entered through it or its contract', () => {
    const withIndex = new Set(
      sources
        .map(({ path }) => path)
        .filter((path) => /^[^/]+\/index\.ts$/.test(path))
        .map(partOf),
    )
    const broken = imports.filter(({ from, target }) => {
      if (target === undefined || partOf(target) === partOf(from)) return false
      return withIndex.has(partOf(target)) && target !== `${partOf(target)}/index.ts` && !CONTRACTS.has(target)
    })
    expect(broken.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([])
  })

  test('a package that stands for one job is imported where the job is done', () => {
    const broken = imports.filter(({ from, specifier }) => {
      const name = Object.keys(PACKAGES).find((each) => specifier === each || specifier.startsWith(`${each}/`))
      return name !== undefined && !PACKAGES[name]?.some((place) => place === from || place === partOf(from))
    })
    expect(broken.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([])
  })

  test('specifiers name their file', () => {
    const broken = imports.filter(({ specifier }) => specifier.startsWith('.') && !/\.(ts|json)$/.test(specifier))
    expect(broken.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([])
  })

  test('SQL on our own database is written in the store alone; harnesses ask those of other programs', () => {
    const asksOthers = (path: string) => partOf(path) === 'harness' || path === 'capture/foreign-database.ts'
    const sql = /['"`]\s*(SELECT\s+\S+.*\sFROM\s|INSERT INTO\s|UPDATE\s+\w+\s+SET\s|DELETE FROM\s|CREATE TABLE\s)/
    const broken = sources.filter(({ path, text }) => partOf(path) !== 'store' && !asksOthers(path) && sql.test(text))
    expect(broken.map(({ path }) => path)).toEqual([])
  })
})
