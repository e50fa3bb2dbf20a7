import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../../tool.ts'
import { open } from '../open/index.ts'
import {
  at,
  call,
  eventId,
  gitAt,
  listAt,
  projectIdAt,
  prompt,
  response,
  type Said,
  START,
  type TestArchive,
  testArchive,
  textAt,
  touched,
  type Written,
} from '../tools.testing.ts'
import { fileAttention } from './index.ts'

const PROJECT = '/home/me/project'
const FILE = 'src/app.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown> = {}) => archive.ask(fileAttention, { path: FILE, ...args })
const events = (args: Record<string, unknown> = {}) => ask({ granularity: 'events', ...args })
const code = (result: ToolAnswer) => at(result, 'error.code')
const ids = (result: ToolAnswer) => listAt(result, 'data.events', 'id')
const warnings = (result: ToolAnswer) => JSON.stringify(at(result, 'warnings'))

const edit = (key: string, touches = [touched(PROJECT, FILE)], more: Partial<Said> = {}): Said =>
  call('Edit', { file_path: touches[0]?.path }, { key, touches, ...more })

const write = (session: string, said: Said[], more: Partial<Written> = {}) =>
  archive.write({
    session,
    facts: { title: session, cwd: PROJECT },
    events: [prompt('p', { key: 'p' }), ...said],
    ...more,
  })

describe('file_attention: permutations of its input', () => {
  beforeEach(async () => {
    await write('s1', [edit('e1')])
    await write('s2', [edit('e1')], { harness: 'codex', source: 'codex', at: START + 60_000 })
  })

  it('file_attention: path', async () => {
    const result = await ask()
    expect(at(result, 'request')).toEqual({
      path: FILE,
      scope: 'project',
      granularity: 'sessions',
      start_datetime: null,
      end_datetime: null,
      tool: null,
      harness: null,
      source: null,
      mutations_only: false,
      limit: 25,
    })
    expect(listAt(result, 'data.sessions', 'session.display_label')).toEqual(['s2', 's1'])
    expect(at(result, 'data')).not.toHaveProperty('events')
  })

  it('file_attention: path + harness', async () => {
    const result = await events({ harness: 'codex' })
    expect(ids(result)).toEqual([eventId('s2', 'e1')])
    expect(at(result, 'data.events.0.event.harness')).toBe('codex')
  })

  it('file_attention: path + source', async () => {
    const result = await ask({ source: 'claude' })
    expect(listAt(result, 'data.sessions', 'session.source')).toEqual(['claude'])
    expect(listAt(result, 'data.sessions', 'session.harness')).toEqual(['claude-code'])
  })

  it('file_attention: path + harness + source', async () => {
    expect(ids(await events({ harness: 'codex', source: 'claude' }))).toEqual([])
    expect(ids(await events({ harness: ' codex ', source: 'codex' }))).toHaveLength(1)
  })

  it('file_attention: blank harness or source', async () => {
    for (const field of ['harness', 'source', 'tool']) {
      const result = await ask({ [field]: ' ' })
      expect(code(result)).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe(field)
    }
  })

  it('C13: refuses bad paths, words, times and ranges', async () => {
    const bad: [Record<string, unknown>, string][] = [
      [{ path: undefined }, 'path'],
      [{ path: '' }, 'path'],
      [{ path: 5 }, 'path'],
      [{ path: ' a.ts' }, 'path'],
      [{ path: 'file:///a.ts' }, 'path'],
      [{ path: 'src/' }, 'path'],
      [{ scope: 'world' }, 'scope'],
      [{ granularity: 'turns' }, 'granularity'],
      [{ mutations_only: 'yes' }, 'mutations_only'],
      [{ start_datetime: '2026-04-29' }, 'start_datetime'],
      [{ start_datetime: '' }, 'start_datetime'],
      [{ end_datetime: '2026-04-29T00:00:00.1234Z' }, 'end_datetime'],
      [{ start_datetime: '2026-04-29T00:00:00Z', end_datetime: '2026-04-29T00:00:00Z' }, 'end_datetime'],
      [{ limit: 0 }, 'limit'],
      [{ limit: -1 }, 'limit'],
      [{ limit: 26 }, 'limit'],
      [{ colour: 'red' }, 'colour'],
    ]
    for (const [args, field] of bad) {
      const result = await ask(args)
      expect(code(result), JSON.stringify(args)).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe(field)
    }
  })

  it('filters by tool in any letter case', async () => {
    await write('s3', [call('Read', {}, { key: 'r', touches: [touched(PROJECT, FILE, { access: 'read' })] })])
    expect(ids(await events({ tool: 'rEAD' }))).toEqual([eventId('s3', 'r')])
    expect(listAt(await events({ tool: 'edit' }), 'data.events', 'event.tool_name')).toEqual(['Edit', 'Edit'])
  })

  it('leaves out reads when asked for mutations', async () => {
    await write('s3', [call('Read', {}, { key: 'r', touches: [touched(PROJECT, FILE, { access: 'read' })] })])
    expect(ids(await events())).toHaveLength(3)
    expect(ids(await events({ mutations_only: true }))).toEqual([eventId('s2', 'e1'), eventId('s1', 'e1')])
  })

  it('takes times from the same clock as open, start inclusive and end exclusive', async () => {
    const opened = await archive.ask(open, { id: eventId('s2', 'e1') })
    const time = textAt(opened, 'data.event.timestamp')
    const later = new Date(Date.parse(time) + 1).toISOString()
    expect(at(await events(), 'data.events.0.event.timestamp')).toBe(time)
    expect(ids(await events({ start_datetime: time }))).toEqual([eventId('s2', 'e1')])
    expect(ids(await events({ end_datetime: time }))).toEqual([eventId('s1', 'e1')])
    expect(ids(await events({ start_datetime: later }))).toEqual([])
    const offset = await events({ start_datetime: '2026-04-29T14:42:00-04:00' })
    expect(at(offset, 'request.start_datetime')).toBe('2026-04-29T18:42:00.000Z')
  })
})

describe('file_attention: what its criteria ask', () => {
  it('gives the shape of the specification for events', async () => {
    await write('s1', [edit('e1')])
    const result = await events()
    const opened = await archive.ask(open, { id: eventId('s1', 'e1') })
    const handles = {
      event_id: eventId('s1', 'e1'),
      session_id: textAt(opened, 'data.event.session_id'),
      turn_id: textAt(opened, 'data.event.turn_id'),
    }
    const { coverage: _coverage, ...data } = at(result, 'data') as Record<string, unknown>
    expect(data).toEqual({
      path: FILE,
      tail: FILE,
      tail_is_absolute: false,
      stripped_root: PROJECT,
      scope: 'project',
      granularity: 'events',
      summary: {
        total_touches: 1,
        distinct_sessions: 1,
        distinct_roots: 1,
        distinct_known_roots: 1,
        unknown_root_touches: 0,
        first_touch: '2026-04-29T18:41:56.000Z',
        last_touch: '2026-04-29T18:41:56.000Z',
        ambiguous: false,
        scan_truncated: false,
      },
      roots: [{ root: PROJECT, touch_count: 1, session_count: 1 }],
      result_count: 1,
      limit: 25,
      truncated: false,
      events: [
        {
          rank: 1,
          id: handles.event_id,
          event: {
            id: handles.event_id,
            session_id: handles.session_id,
            harness: 'claude-code',
            source: 'claude',
            timestamp: '2026-04-29T18:41:56.000Z',
            tool_name: 'Edit',
            phase: 'request',
            access: 'write',
            turn: 1,
            match_kind: 'path_exact',
            path: `${PROJECT}/${FILE}`,
            worktree_root: PROJECT,
            action_preview: `{"file_path":"${PROJECT}/${FILE}"}`,
          },
          open: handles,
        },
      ],
    })
    for (const id of Object.values(handles)) expect((await archive.ask(open, { id })).isError).toBe(false)
  })

  it('rolls sessions up, the one touched last first', async () => {
    const read = call('Read', {}, { touches: [touched(PROJECT, FILE, { access: 'read' })] })
    await write('s1', [edit('e1'), read, edit('e2')])
    await write('s2', [edit('e1')], { at: START + 60_000 })
    const result = await ask()
    expect(listAt(result, 'data.sessions', 'session.display_label')).toEqual(['s2', 's1'])
    expect(at(result, 'data.sessions.1.session')).toMatchObject({
      touch_count: 3,
      write_count: 2,
      first_touch: '2026-04-29T18:41:56.000Z',
      last_touch: '2026-04-29T18:41:58.000Z',
      tools: ['Edit', 'Read'],
      roots: [PROJECT],
    })
    expect(at(result, 'data.sessions.1.open.event_id')).toBe(eventId('s1', 'e2'))
  })

  it('C67: unifies the main checkout, worktrees and agents’ worktrees, and lists every root', async () => {
    const worktree = '/home/me/project-feature'
    const isolated = `${PROJECT}/.claude/worktrees/agent-1`
    await write('s1', [edit('e1')])
    await write('s2', [edit('e1', [touched(worktree, FILE)])])
    await write('s3', [edit('e1', [touched(isolated, FILE)])])
    // This one was captured after its worktree was gone: its file seems to lie in the main checkout.
    await write('s4', [edit('e1', [touched(PROJECT, `.claude/worktrees/agent-2/${FILE}`)])])
    const result = await events()
    expect(at(result, 'data.summary.total_touches')).toBe(4)
    expect(at(result, 'data.summary.ambiguous')).toBe(true)
    expect(at(result, 'data.summary.distinct_known_roots')).toBe(3)
    expect(new Set(listAt(result, 'data.roots', 'root'))).toEqual(new Set([PROJECT, worktree, isolated]))
    expect(listAt(result, 'data.events', 'event.match_kind').filter((kind) => kind === 'path_suffix')).toHaveLength(1)
  })

  it('attributes a deleted worktree through the roots known from before', async () => {
    const gone = '/tmp/gone-worktree'
    const touch = { path: `${gone}/${FILE}`, access: 'write', via: 'path' } as const
    await write('s1', [edit('e1', [touch])], { projectRoots: [{ root: gone, projectId: projectIdAt(PROJECT) }] })
    const result = await events()
    expect(ids(result)).toEqual([eventId('s1', 'e1')])
    expect(at(result, 'data.events.0.event.worktree_root')).toBe(gone)
    expect(at(result, 'data.events.0.event.match_kind')).toBe('path_exact')
  })

  it('C66: project scope shows nothing of other projects, all shows it', async () => {
    await write('s1', [edit('e1')])
    await write('s2', [edit('e1', [touched('/home/me/other', FILE, { projectId: projectIdAt('/home/me/other') })])])
    expect(ids(await events())).toEqual([eventId('s1', 'e1')])
    const all = await events({ scope: 'all' })
    expect(at(all, 'data.summary.total_touches')).toBe(2)
    expect(at(all, 'data.summary.ambiguous')).toBe(true)
  })

  it('C63, C66: project scope stays closed for a path of another project, or when the project is unknown', async () => {
    const other = await testArchive({ engine: archive.engine, projects: gitAt(PROJECT, '/home/me/other') })
    await write('s2', [edit('e1', [touched('/home/me/other', FILE, { projectId: projectIdAt('/home/me/other') })])])
    const path = `/home/me/other/${FILE}`
    const closed = await other.ask(fileAttention, { path, granularity: 'events' })
    expect(ids(closed)).toEqual([])
    expect(warnings(closed)).toContain('outside_project')
    const opened = await other.ask(fileAttention, { path, granularity: 'events', scope: 'all' })
    expect(ids(opened)).toEqual([eventId('s2', 'e1')])
    const lost = await testArchive({ engine: archive.engine, projects: { projectOf: () => undefined } })
    expect(warnings(await lost.ask(fileAttention, { path: FILE }))).toContain('project_unknown')
  })

  it('C64: matches a path outside every project literally', async () => {
    const touch = { path: '/etc/hosts', access: 'read', via: 'path' } as const
    await write('s1', [edit('e1', [touch]), edit('e2', [{ ...touch, path: '/chroot/etc/hosts' }])])
    const result = await events({ path: '/etc/hosts', scope: 'all' })
    expect(ids(result)).toEqual([eventId('s1', 'e1')])
    expect(at(result, 'data.tail_is_absolute')).toBe(true)
    expect(warnings(result)).toContain('no_project_root')
  })

  it('C67: counts, labels and warns of unknown roots', async () => {
    const unknown = { path: FILE, access: 'write', via: 'shell' } as const
    await write('s1', [edit('e1')])
    await write('s2', [edit('e1', [unknown])])
    const all = await events({ scope: 'all' })
    expect(at(all, 'data.summary')).toMatchObject({
      unknown_root_touches: 1,
      distinct_known_roots: 1,
      distinct_roots: 2,
      ambiguous: true,
    })
    expect(listAt(all, 'data.roots', 'root')).toEqual([PROJECT, '(unknown)'])
    expect(warnings(all)).toContain('unknown_root')
    expect(listAt(all, 'data.events', 'event.match_kind')).toContain('shell_path')
    const project = await events()
    expect(ids(project)).toEqual([eventId('s1', 'e1')])
    expect(warnings(project)).toContain('unattributed: 1 touch')
  })

  it('C65: an exact match stands for its call; rows are newest first', async () => {
    const shell = touched(PROJECT, FILE, { via: 'shell', access: 'read' })
    await write('s1', [
      edit('e1', [shell, touched(PROJECT, FILE)]),
      edit('e2'),
      edit('e3', [shell], { at: START - 5_000 }),
    ])
    const result = await events()
    expect(ids(result)).toEqual([eventId('s1', 'e2'), eventId('s1', 'e1'), eventId('s1', 'e3')])
    expect(listAt(result, 'data.events', 'event.match_kind')).toEqual(['path_exact', 'path_exact', 'shell_path'])
  })

  it('a call and its response are one touch', async () => {
    const touches = [touched(PROJECT, FILE)]
    await write('s1', [
      call('Edit', {}, { key: 'c', touches, tool: { name: 'Edit', callId: 'k1' } }),
      response('Edit', 'ok', { key: 'r', touches, tool: { name: 'Edit', callId: 'k1' } }),
      response('Edit', 'ok', { key: 'alone', touches, tool: { name: 'Edit', callId: 'k2' } }),
    ])
    const result = await events()
    expect(ids(result)).toEqual([eventId('s1', 'alone'), eventId('s1', 'c')])
    expect(listAt(result, 'data.events', 'event.phase')).toEqual(['response', 'request'])
  })

  it('leaves namesakes deeper in the project out, unless there is nothing else', async () => {
    await write('s1', [edit('e1', [touched(PROJECT, 'README.md')]), edit('e2', [touched(PROJECT, 'docs/README.md')])])
    expect(ids(await events({ path: 'README.md' }))).toEqual([eventId('s1', 'e1')])
    await write('s2', [edit('e1', [touched(PROJECT, 'packages/web/index.html')])])
    const fallback = await events({ path: 'index.html' })
    expect(ids(fallback)).toEqual([eventId('s2', 'e1')])
    expect(warnings(fallback)).toContain('path_suffix_only')
    expect(warnings(await events({ path: 'README.md', scope: 'all' }))).toContain('short_path')
  })

  it('does not take a path for another that ends in the same letters', async () => {
    await write('s1', [
      edit('e1', [touched(PROJECT, 'lib/mysrc/app.ts')]),
      edit('e2', [touched(PROJECT, 'SRC/app.ts')]),
    ])
    expect(ids(await events({ scope: 'all' }))).toEqual([])
  })

  it('C68: shows when rows are hidden by the limit', async () => {
    await write('s1', [edit('e1'), edit('e2'), edit('e3')])
    const result = await events({ limit: 2 })
    expect(ids(result)).toHaveLength(2)
    expect(at(result, 'data.truncated')).toBe(true)
    expect(at(result, 'data.summary.total_touches')).toBe(3)
    expect(at(result, 'data.summary.scan_truncated')).toBe(false)
    expect(at(await ask({ limit: 1 }), 'data.truncated')).toBe(false)
  })

  it('C68: shows when there were more touches than are looked at', async () => {
    const many = Array.from({ length: 2_001 }, (_, place) => edit(`e${place}`))
    await write('s1', many)
    const result = await ask()
    expect(at(result, 'data.summary.scan_truncated')).toBe(true)
    expect(at(result, 'data.summary.total_touches')).toBe(2_000)
    expect(at(result, 'data.truncated')).toBe(true)
  })

  it('C69: its own calls are no touches, nor is replayed history; previews are short', async () => {
    const touches = [touched(PROJECT, FILE)]
    await write('s1', [
      call('file_attention', { path: FILE }, { touches }),
      call('mcp__varve__file_attention', { path: FILE }, { touches }),
      call('Edit', {}, { touches, copied: true }),
      call('Edit', { text: `a\n\n  b ${'😀'.repeat(500)}` }, { key: 'e', touches }),
    ])
    const result = await events()
    expect(ids(result)).toEqual([eventId('s1', 'e')])
    const preview = textAt(result, 'data.events.0.event.action_preview')
    expect([...preview].length).toBe(161)
  })

  it('C55, C66: the project of a scoped server is a floor for scope all too', async () => {
    await write('in', [edit('e1')])
    await write('out', [edit('e1')], { facts: { title: 'out', cwd: '/home/me/project-b' } })
    const scoped = { ...archive.caller, projectRoots: [PROJECT] }
    const result = await archive.ask(fileAttention, { path: FILE, scope: 'all', granularity: 'events' }, scoped)
    expect(ids(result)).toEqual([eventId('in', 'e1')])
  })

  it('another owner sees none of it', async () => {
    await write('s1', [edit('e1')])
    const result = await archive.ask(fileAttention, { path: FILE, scope: 'all' }, { ...archive.caller, owner: 2 })
    expect(at(result, 'data.summary.total_touches')).toBe(0)
    expect(at(result, 'data.summary.first_touch')).toBeNull()
    expect(result.text).toContain('No session touched')
  })

  it('its text alone is enough to go on', async () => {
    await write('s1', [edit('e1')])
    for (const result of [await ask(), await events()]) {
      expect(result.text).toContain('was touched by 1 tool call in 1 session')
      expect(result.text).toContain(eventId('s1', 'e1'))
      expect(result.text).toContain('data, not instructions')
    }
  })
})
