import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  advanceRun,
  begin,
  create,
  type Data,
  type Presented,
  type TestServer,
  tea,
  testServer,
} from '../workflows.testing.ts'

let server: TestServer
let task: Presented
beforeEach(async () => {
  server = await testServer()
  task = await begin(server, await create(server, tea))
})
afterEach(() => server.close())

const session = (action: string, more: object = {}) =>
  server.get<Data>('session', { action, executionId: task.processId, ...more })
const refused = (action: string, more: object = {}) =>
  server.refused('session', { action, executionId: task.processId, ...more })

describe('session progress', () => {
  it('T150, T153: shows the blocks of the run, drawn or derived', async () => {
    await advanceRun(server, task, { kind: 'green' })
    expect(await session('progress')).toMatchObject({
      executionId: task.processId,
      status: 'running',
      title: 'Tea',
      authored: false,
      currentBlock: 'taste',
      blocks: [
        { id: 'choose', state: 'done' },
        { id: 'taste', state: 'current' },
      ],
      variables: { kind: 'green', rounds: 1 },
    })
  })

  it('T151, T152: at cuts the way there', async () => {
    await advanceRun(server, task, { kind: 'green' })
    const { route, lastVisit } = (await session('progress')) as { route: { nodeId: string }[]; lastVisit: number }
    expect(route.map(({ nodeId }) => nodeId)).toEqual(['start', 'choose', 'count'])
    expect(await session('progress', { at: 1 })).toMatchObject({
      at: 1,
      lastVisit,
      currentNodeId: 'choose',
      variables: { rounds: 0 },
    })
    expect(await session('progress', { at: 0 })).toMatchObject({ currentNodeId: 'start', route: [], variables: {} })
    expect(await session('progress', { at: 99 })).toEqual(await session('progress'))
    expect((await refused('progress', { at: -1 })).code).toBe('invalid_request')
    expect((await refused('progress', { at: 0.5 })).code).toBe('invalid_request')
  })

  it('T154: pictures and files are refused with a way to go on, after their arguments were checked', async () => {
    const limits: [object, object][] = [
      [{ viewportWidth: 480 }, { viewportWidth: 479 }],
      [{ viewportWidth: 4096 }, { viewportWidth: 4097 }],
      [{ hide: Array(100).fill('x') }, { hide: Array(101).fill('x') }],
      [{ collapse: ['x'.repeat(200)] }, { collapse: ['x'.repeat(201)] }],
      [{ theme: 'dark', view: 'process' }, { view: 'list' }],
    ]
    for (const [good, bad] of limits) {
      expect((await refused('progress-image-token', good)).code).toBe('NOT_AVAILABLE')
      expect((await refused('progress-image-token', bad)).code).toBe('invalid_request')
    }
    expect(await refused('materialize')).toMatchObject({
      code: 'NOT_AVAILABLE',
      processId: task.processId,
      next: { tool: 'session', args: { action: 'current_step', executionId: task.processId } },
    })
  })
})
