/** The node types that read and write notes. */

import { describe, expect, it } from 'vitest'
import { ask, end, type Json, start, variable, workflow } from '../definition.testing.ts'
import { START_TIME, startRun } from '../transition.testing.ts'
import type { NoteRecord } from './node-type.ts'

const note = (key: string, value: string, tags: string[] = []): NoteRecord => ({
  key,
  value,
  tags,
  version: 1,
  createdAt: START_TIME - 1000,
  updatedAt: START_TIME - 1000,
})

const stored = [
  note('cfg-tea', 'green', ['cfg-tea']),
  note('cfg-milk', 'cold', ['cfg-milk']),
  note('other', 'x', ['cfg-tea']),
]

/** start -> nodes in order -> end, with `project` = tea and `list`, `plan` for the notes. */
function through(...nodes: Json[]) {
  const ids = [...nodes.map((node) => String(node['id'])), 'fin']
  const linked = nodes.map((node, index) => ({
    ...node,
    connections: { default: ids[index + 1], ...(node['connections'] as Json | undefined) },
  }))
  return workflow([start(ids[0] ?? 'fin'), ...linked, end(), end({ id: 'sad' })], {
    variableRegistry: {
      project: variable('string', { default: 'tea' }),
      plan: variable('object', { default: { steps: [1, 2], empty: null } }),
      list: variable('array', {
        default: [
          { key: 'a', value: 'A' },
          { key: 'b', value: { n: 1 }, tags: ['own'] },
          { value: 'no key' },
          { key: 'none' },
          3,
        ],
      }),
    },
  })
}

describe('read-note', () => {
  const read = (more: Json): Json => ({ id: 'load', type: 'read-note', outputVariable: 'cfg', ...more })
  const loaded = async (more: Json) => (await startRun(through(read(more)), { notes: stored })).state.variables['load']

  it('C63: gives the matching notes with all they have, by a templated tag', async () => {
    expect(await loaded({ filter: { tag: 'cfg-{{project}}' } })).toEqual({
      cfg: [
        {
          key: 'cfg-tea',
          value: 'green',
          tags: ['cfg-tea'],
          version: 1,
          createdAt: '2025-12-31T23:59:59.000Z',
          updatedAt: '2025-12-31T23:59:59.000Z',
        },
        expect.objectContaining({ key: 'other' }),
      ],
    })
  })

  it('C63: gives the note itself in singleMode when exactly one matches', async () => {
    expect(await loaded({ filter: { keySearch: 'milk' }, singleMode: true })).toMatchObject({
      cfg: { key: 'cfg-milk' },
    })
    expect(await loaded({ filter: { keySearch: 'cfg' }, singleMode: true })).toMatchObject({ cfg: [{}, {}] })
    expect(await loaded({ filter: { keySearch: 'nothing' }, singleMode: true })).toEqual({ cfg: [] })
  })

  it('reads keySearch before keyPattern', async () => {
    expect(await loaded({ filter: { keyPattern: 'milk', keySearch: 'tea' } })).toMatchObject({
      cfg: [{ key: 'cfg-tea' }],
    })
  })
})

describe('write-note', () => {
  const write = (more: Json): Json => ({ id: 'save', type: 'write-note', key: 'k-{{project}}', ...more })
  const savedValue = async (source: string) => {
    const run = await startRun(through(write({ source })))
    return run.notes.get('k-tea')?.value
  }

  it('C64: one reference stores the value itself, mixed text is rendered', async () => {
    expect(await savedValue('{{plan.steps}}')).toBe('[1,2]')
    expect(await savedValue('{{ plan }}')).toBe('{"steps":[1,2],"empty":null}')
    expect(await savedValue('{{project}}')).toBe('tea')
    expect(await savedValue('{{plan.empty}}')).toBe('null')
    expect(await savedValue('{{executionId}}')).toBe('run-1')
    expect(await savedValue('made {{project}}')).toBe('made tea')
  })

  it('C64: updates a note that exists, and keeps its tags unless new ones are given', async () => {
    const before = note('k-tea', 'old', ['kept'])
    const kept = await startRun(through(write({ source: 'new' })), { notes: [before] })
    expect(kept.effects).toEqual([
      {
        kind: 'save-note',
        nodeId: 'save',
        seq: 2,
        note: { key: 'k-tea', value: 'new', tags: ['kept'] },
        baseVersion: 1,
      },
    ])
    expect(kept.state.variables['save']).toEqual({ writeNoteResults: [{ key: 'k-tea', version: 2, created: false }] })
    const tagged = await startRun(through(write({ source: 'new', tags: ['t-{{project}}'] })), { notes: [before] })
    expect(tagged.notes.get('k-tea')).toMatchObject({ tags: ['t-tea'], version: 2 })
  })

  it('C64: in batchMode writes every item that has a key and a value', async () => {
    const run = await startRun(through(write({ key: undefined, source: 'list', batchMode: true, tags: ['all'] })))
    expect([...run.notes.values()].map(({ key, value, tags }) => ({ key, value, tags }))).toEqual([
      { key: 'a', value: 'A', tags: ['all'] },
      { key: 'b', value: '{"n":1}', tags: ['own'] },
    ])
    expect(run.state.variables['save']).toMatchObject({ writeNoteResults: [{ key: 'a' }, { key: 'b' }] })
  })

  it('takes the error edge when the library refuses the note or the batch is no list; without one the call fails', async () => {
    const refuseNote = async () => 'the quota of 1 MB is used up'
    const caught = await startRun(through(write({ source: 'x', connections: { error: 'sad' } })), { refuseNote })
    expect(caught.visits.at(-2)).toMatchObject({ nodeId: 'save', edge: 'error' })
    expect(caught.state.variables['save']).toEqual({ error: expect.stringContaining('quota') })
    expect(caught.effects).toEqual([])
    await expect(startRun(through(write({ source: 'x' })), { refuseNote })).rejects.toMatchObject({
      code: 'NODE_FAILED',
    })
    await expect(startRun(through(write({ source: 'project', batchMode: true })))).rejects.toMatchObject({
      code: 'NODE_FAILED',
      message: expect.stringContaining('leads to no list'),
    })
  })
})

describe('upsert-note', () => {
  const upsert = (more: Json = {}): Json => ({
    id: 'up',
    type: 'upsert-note',
    search: { tag: 'last-{{project}}' },
    keyTemplate: 'run-{{executionId}}',
    value: '{{plan.steps}}',
    tags: ['last-{{project}}'],
    outputVariable: 'saved',
    ...more,
  })

  it('C65: creates the note when the search finds none, and says so under both names', async () => {
    const run = await startRun(through(upsert()))
    const result = { key: 'run-run-1', version: 1, created: true }
    expect(run.state.variables['up']).toEqual({ upsertNoteResult: result, saved: result })
    expect(run.notes.get('run-run-1')).toMatchObject({ value: '[1,2]', tags: ['last-tea'] })
  })

  it('C65: updates the first note found', async () => {
    const run = await startRun(through(upsert()), {
      notes: [note('z', '1', ['last-tea']), note('m', '2', ['last-tea'])],
    })
    expect(run.state.variables['up']).toMatchObject({ saved: { key: 'm', version: 2, created: false } })
    expect(run.notes.get('z')?.value).toBe('1')
  })

  it('without a search writes under the key', async () => {
    const run = await startRun(through(upsert({ search: undefined })), { notes: [note('run-run-1', 'old')] })
    expect(run.state.variables['up']).toMatchObject({ saved: { key: 'run-run-1', created: false } })
  })
})

describe('notes within one call', () => {
  it('later reads, writes and templates see what earlier nodes wrote; versions count on', async () => {
    const definition = workflow([
      start('one'),
      { id: 'one', type: 'write-note', key: 'n', source: 'first', tags: ['t'], connections: { default: 'two' } },
      { id: 'two', type: 'write-note', key: 'n', source: '{{note:n}} and second', connections: { default: 'three' } },
      {
        id: 'three',
        type: 'read-note',
        outputVariable: 'found',
        filter: { tag: 't' },
        connections: { default: 'ask' },
      },
      ask('ask', 'fin', {}, { directive: '{{note:n}}' }),
      end(),
    ])
    const run = await startRun(definition, { notes: [note('n', 'old', ['t'])] })
    expect(run.effects.map((effect) => [effect.note.value, effect.baseVersion])).toEqual([
      ['first', 1],
      ['first and second', 2],
    ])
    expect(run.state.variables['three']).toMatchObject({ found: [{ value: 'first and second', version: 3 }] })
    expect(run.shown?.directive).toBe('first and second')
    expect(run.notes.get('n')).toMatchObject({ version: 3, createdAt: START_TIME - 1000 })
  })

  it('a note that loses its tag is found by it no more', async () => {
    const definition = workflow([
      start('one'),
      { id: 'one', type: 'write-note', key: 'n', source: 'x', tags: ['new'], connections: { default: 'two' } },
      {
        id: 'two',
        type: 'read-note',
        outputVariable: 'found',
        filter: { tag: 'old' },
        connections: { default: 'fin' },
      },
      end({ finalOutput: ['two'] }),
    ])
    const run = await startRun(definition, { notes: [note('n', 'o', ['old'])] })
    expect(run.state.output).toEqual({ two: { found: [] } })
  })
})
