/** One digest for each project and ISO week: its decisions, what its sessions were about, the files they changed. */

import { createHash } from 'node:crypto'
import { cutPassages } from '../../retrieval/passage-cut.ts'
import {
  type DigestMaterial,
  deleteItems,
  digestMaterial,
  type Engine,
  findItem,
  markDerived,
  type NewItem,
  type NewPassage,
  type Queryable,
  type StaleSession,
  sessionsDueForDigest,
  writeItem,
} from '../../store/index.ts'
import { digestKey } from '../evidence/stable-key.ts'
import { type Week, weekOf } from './week.ts'

export interface DigestWork {
  engine: Engine
  owner: number
  now: number
  /** The digits a project goes by, and a name for people. */
  identityOf(projectId: string, cwd: string | null): Promise<{ hash: string; root: string; name: string }>
  signal?: AbortSignal
}

/** `meta` of a digest's item, as JSON. */
export interface DigestMeta {
  week: string
  /** Numbers of the sessions it tells of, so that forgetting one finds it. */
  sessions: number[]
}

const AT_ONCE = 500

/** Builds the digests that are due. How many. */
export async function deriveDigests(work: DigestWork): Promise<number> {
  const due = await sessionsDueForDigest(work.engine, work.owner, AT_ONCE)
  const groups = new Map<string, StaleSession[]>()
  for (const session of due) {
    const key = `${session.project_id} ${weekOf(session.updated_at).name}`
    groups.set(key, [...(groups.get(key) ?? []), session])
  }
  let count = 0
  for (const sessions of groups.values()) {
    if (work.signal?.aborted) return count
    count += await deriveDigest(work, sessions)
  }
  return count
}

async function deriveDigest(work: DigestWork, sessions: readonly StaleSession[]): Promise<number> {
  const { engine, owner, now, identityOf } = work
  const [first] = sessions
  const done = async (tx: Queryable): Promise<void> => {
    for (const session of sessions) await markDerived(tx, owner, session, 2, 0)
  }
  if (!first || first.project_id === null) {
    await engine.transaction(done)
    return 0
  }
  const week = weekOf(first.updated_at)
  const project = { id: first.project_id, ...(await identityOf(first.project_id, first.cwd)) }
  const material = await digestMaterial(engine, owner, project.id, week.from, week.to)
  const { item, passages } = digestItem(project, week, material)
  const isEmpty = material.sessions.length === 0 && material.decisions.length === 0
  await engine.transaction(async (tx) => {
    if (isEmpty) {
      const stored = await findItem(tx, { owner, admin: true, launchDirectory: '/' }, 'digest', item.id)
      await deleteItems(engine, tx, owner, stored ? [stored.pk] : [])
    } else {
      await writeItem(engine, tx, owner, item, passages, now)
    }
    await done(tx)
  })
  return isEmpty ? 0 : 1
}

function digestItem(
  project: { id: string; hash: string; root: string; name: string },
  week: Week,
  material: DigestMaterial,
): { item: NewItem; passages: NewPassage[] } {
  const { content, passages } = digestText(project.name, week, material)
  const meta: DigestMeta = { week: week.name, sessions: material.sources }
  const item: NewItem = {
    id: `${project.hash}:${week.name}`,
    kind: 'digest',
    stable_key: digestKey(project.hash, week.name),
    source: 'digests',
    project_id: project.id,
    root: project.root,
    path: null,
    title: `${project.name}, week ${week.name}`,
    role: 'digest',
    state: 'none',
    content,
    hash: createHash('sha256').update(content).digest(),
    meta: JSON.stringify(meta),
    at: Math.max(week.from, ...material.sessions.map(({ updated_at }) => updated_at)),
  }
  return { item, passages }
}

/** The digest as text, and a passage for each part of it. Pure. */
export function digestText(
  name: string,
  week: Week,
  { sessions, decisions, files }: DigestMaterial,
): { content: string; passages: NewPassage[] } {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const parts: [heading: string, slug: string, lines: string[]][] = [
    ['Decisions', 'decisions', decisions.map(({ text, at }) => `- ${day(at)} ${oneLine(text)}`)],
    ['Sessions', 'sessions', sessions.map(({ title, updated_at }) => `- ${day(updated_at)} ${oneLine(title)}`)],
    ['Files changed', 'files-changed', files.map(({ path, count }) => `- ${path} (${count})`)],
  ]
  let content = `# ${name}, week ${week.name}\n`
  const passages: NewPassage[] = []
  for (const [heading, slug, lines] of parts) {
    if (lines.length === 0) continue
    content += `\n## ${heading}\n`
    const body = lines.join('\n')
    const offset = content.length
    for (const { start, end } of cutPassages(body)) {
      passages.push({ heading, slug, start: offset + start, line: null, text: body.slice(start, end) })
    }
    content += `${body}\n`
  }
  return { content, passages }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
