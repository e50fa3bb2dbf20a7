import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, create, type Data, type TestServer, testServer } from './workflows.testing.ts'

/** Definitions written for another server of the kind, which must be at home here. */
const folder = fileURLToPath(new URL('../../../../shared/conformance/workflows/', import.meta.url))
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

describe.skipIf(files.length === 0)('definitions from elsewhere', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer()
  })
  afterAll(() => server.close())

  it('are there', () => expect(files.length).toBeGreaterThan(30))

  it.each(files)('%s is created, read in every way, copied, compared and started', async (file) => {
    const {
      slug: _slug,
      owner: _owner,
      visibility: _visibility,
      ...workflow
    } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Data & {
      nodes: { id: string; type: string }[]
      metadata: Data
    }
    const workflowId = await create(server, workflow)
    const manage = (action: string, more: object = {}) => server.get<Data>('manage', { action, workflowId, ...more })
    expect(await manage('get')).toMatchObject({
      metadata: workflow.metadata,
      nodes: workflow.nodes,
      variableRegistry: workflow['variableRegistry'] ?? {},
      validation: { valid: true },
    })
    expect(await manage('list-nodes', { includePreview: true })).toMatchObject({ nodeCount: workflow.nodes.length })
    await manage('get-structure', { graph: true, detailed: true })
    await manage('search-nodes', { query: 'review|plan', includeVariables: true })
    const { analysis } = (await manage('analyze-variables')) as { analysis: object }
    expect(Object.keys(analysis)).toEqual(
      expect.arrayContaining(Object.keys((workflow['variableRegistry'] ?? {}) as object)),
    )
    const copied = await manage('copy', { newName: workflow.metadata['name'] })
    expect(await manage('diff', { compareWorkflowId: copied['workflowId'] })).toMatchObject({ identical: true })
    const task = await begin(server, workflowId)
    expect(task).toMatchObject({ status: 'waiting' })
    const progress = await server.get('session', { action: 'progress', executionId: task.processId })
    expect(progress).toMatchObject({
      status: 'running',
      blocks: expect.arrayContaining([expect.objectContaining({ state: 'current' })]),
    })
  })
})
