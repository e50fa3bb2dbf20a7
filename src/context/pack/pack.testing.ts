/** For tests of packs: an archive with conversations, documents and statements, and project files in memory. */

import { type Caller, LOCAL_OWNER } from '../../core/caller.ts'
import { hash128 } from '../../core/hash.ts'
import { projectIdAt, START, type Written, writeSession } from '../../store/archive.testing.ts'
import { type Engine, type NewItem, type NewStatement, writeItem, writeStatements } from '../../store/index.ts'
import type { DocumentFiles } from '../documents/document-files.ts'
import { conversationKey, documentKey, statementKey } from '../evidence/stable-key.ts'
import type { PackParts } from './build.ts'
import { plainPassages } from './plain-passages.testing.ts'

export const PROJECT = '/home/me/project'
export const OTHER = '/home/me/other'

export const owner: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: PROJECT }

/** Project files in memory, by absolute path. */
export function filesInMemory(contents: Map<string, string>): DocumentFiles {
  return {
    list: () => undefined,
    look: () => undefined,
    read: (path, limit) => {
      const content = contents.get(path)
      return content === undefined ? undefined : Buffer.from(content).subarray(0, limit)
    },
    realPath: (path) =>
      [...contents.keys()].some((each) => each === path || each.startsWith(`${path}/`)) ? path : undefined,
  }
}

export interface TestContext {
  engine: Engine
  files: Map<string, string>
  parts: PackParts
  say(written: Omit<Written, 'owner'>, by?: number): Promise<void>
  document(document: TestDocument): Promise<number>
  state(statement: TestStatement): Promise<void>
}

export interface TestDocument {
  root?: string
  path: string
  content: string
  title?: string
  role?: string
  state?: NewItem['state']
  owner?: number
}

export type TestStatement = Pick<NewStatement, 'kind' | 'text'> & {
  owner?: number
  subject?: readonly string[]
  at?: number
} & ({ session: string; event: string } | { item: number; root?: string; content: string })

export function testContext(engine: Engine): TestContext {
  const files = new Map<string, string>()
  const projectOf = (directory: string) => {
    const root = [PROJECT, OTHER].find((each) => directory === each || directory.startsWith(`${each}/`))
    return root === undefined
      ? { root: directory, projectId: `dir:${directory}` }
      : { root, projectId: projectIdAt(root) }
  }
  return {
    engine,
    files,
    parts: {
      engine,
      clock: () => START,
      projects: { projectOf },
      search: plainPassages,
      maxFileBytes: 524_288,
      files: filesInMemory(files),
    },
    say: (written, by = LOCAL_OWNER) =>
      writeSession(engine, {
        ...written,
        owner: by,
        facts: { cwd: PROJECT, projectId: projectIdAt(PROJECT), ...written.facts },
      }),
    document: (document) => writeDocument(engine, files, document),
    state: (statement) => writeStatement(engine, statement),
  }
}

async function writeDocument(engine: Engine, files: Map<string, string>, document: TestDocument): Promise<number> {
  const {
    root = PROJECT,
    path,
    content,
    title = path,
    role = 'document',
    state = 'tracked',
    owner: by = LOCAL_OWNER,
  } = document
  files.set(`${root}/${path}`, content)
  const item: NewItem = {
    id: `${root}:${path}`,
    kind: 'document',
    stable_key: documentKey('00000000', path),
    source: 'documents',
    project_id: projectIdAt(root),
    root,
    path,
    title,
    role,
    state,
    content,
    hash: hash128(content),
    meta: '{}',
    at: START - 1_000,
  }
  const passages = [{ heading: '', slug: '', start: 0, line: 1, text: content }]
  return engine.transaction((tx) => writeItem(engine, tx, by, item, passages, START))
}

async function writeStatement(engine: Engine, given: TestStatement): Promise<void> {
  const { kind, text, subject = [], owner: by = LOCAL_OWNER, at = START } = given
  const common = { kind, text, subject, at }
  let statement: NewStatement
  if ('item' in given) {
    const { item, root = PROJECT, content } = given
    const start = content.indexOf(text)
    statement = {
      ...common,
      key: statementKey(kind, `document:${item}`, text),
      origin: 'document',
      session_pk: null,
      event_pk: null,
      item_pk: item,
      start,
      line: content.slice(0, start).split('\n').length,
      said_by: 'document',
      project_id: projectIdAt(root),
      root,
    }
  } else {
    const row = await engine.get<{ pk: number; session_pk: number; text: string }>(
      `SELECT event.pk, event.session_pk, event.text FROM event JOIN session ON session.pk = event.session_pk
        WHERE event.owner = ? AND session.native_id = ? AND event.text = ?`,
      [by, given.session, given.event],
    )
    if (!row) throw new Error(`no event says ${given.event}`)
    statement = {
      ...common,
      key: statementKey(kind, conversationKey('claude-code', given.session), text),
      origin: 'session',
      session_pk: row.session_pk,
      event_pk: row.pk,
      item_pk: null,
      start: row.text.indexOf(text),
      line: null,
      said_by: 'user',
      project_id: projectIdAt(PROJECT),
      root: PROJECT,
    }
  }
  await engine.transaction((tx) => writeStatements(engine, tx, by, [statement]))
}
