/** Mistakes tools of this kind are known to make, by the number of the list we keep of them: none is ours. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listAudit } from '../../store/index.ts'
import { parseDefinition } from '../../workflow/definition-schema.ts'
import { simulate } from '../../workflow/simulate.ts'
import { findTool } from '../call.ts'
import {
  advanceRun,
  begin,
  create,
  type Data,
  smallWorkflow,
  type TestServer,
  tea,
  testServer,
} from './workflows.testing.ts'

const CHOSEN = '0f8b6c1e-5a53-4a1c-9f27-3c8d4e5f6a7b'

let server: TestServer
let workflowId: string
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
})
afterEach(() => server.close())

const manage = (action: string, more: object = {}) => server.get<Data>('manage', { action, workflowId, ...more })
const refused = (action: string, more: object = {}) => server.refused('manage', { action, workflowId, ...more })
const contextOf = (processId: string, action = 'execution_context') =>
  server.get<Data>('session', { action, executionId: processId })

describe('weak point 10: visibility', () => {
  it.each<[string, object]>([
    ['edit', { changes: { metadata: { name: 'New' } } }],
    ['set-variable', { variableName: 'cups', variableValue: 4 }],
    ['set-variable', { variableName: 'new', variableValue: 4 }],
    ['delete-variable', { variableName: 'spare' }],
    ['clone-node', { nodeId: 'spill' }],
    ['move-node', { nodeId: 'spill', targetIndex: 0 }],
    ['create', { workflowId: undefined, workflow: tea, overwrite: true }],
  ])('weak point 10: %s keeps a public workflow public and a private one private', async (action, more) => {
    await manage('set-variable', { variableName: 'spare', variableValue: 1 })
    expect(await manage(action, more)).toMatchObject({ workflowId, visibility: 'private' })
    if (action === 'delete-variable') await manage('set-variable', { variableName: 'spare', variableValue: 1 })
    if (action === 'clone-node') await manage('edit', { changes: { removeNodes: await added() } })
    await manage('set-visibility', { visibility: 'public' })
    expect(await manage(action, more)).toMatchObject({ workflowId, visibility: 'public' })
    expect(await server.get('manage', { action: 'get', workflowId: 'local/brew-tea' }, server.stranger)).toMatchObject({
      visibility: 'public',
    })
  })

  const added = async () => {
    const { nodes } = (await manage('get')) as { nodes?: { id: string }[] }
    const known = tea.nodes.map(({ id }) => id)
    return (nodes ?? []).map(({ id }) => id).filter((id) => !known.includes(id))
  }

  it('weak point 10: copy makes a private one, and leaves the source public', async () => {
    await manage('set-visibility', { visibility: 'public' })
    expect(await manage('copy')).toMatchObject({ visibility: 'private' })
    expect(await manage('get')).toMatchObject({ visibility: 'public' })
  })
})

describe('variables of a definition', () => {
  it('weak point 11: set-variable and delete-variable store nothing that would not be valid', async () => {
    const before = await manage('get')
    const bad: [string, object][] = [
      ['set-variable', { variableName: 'kind', variableValue: 'red' }],
      ['set-variable', { variableName: 'rounds', variableValue: 'many' }],
      ['set-variable', { variableName: '__proto__', variableValue: 1 }],
      ['set-variable', { variableName: 'constructor', variableValue: 1 }],
      ['delete-variable', { variableName: 'kind' }],
      ['delete-variable', { variableName: 'rounds' }],
      ['delete-variable', { variableName: 'cups' }],
      ['delete-variable', { variableName: 'nowhere' }],
    ]
    for (const [action, more] of bad) {
      const refusal = await refused(action, more)
      expect(['invalid_request', 'WORKFLOW_INVALID', 'not_found'], JSON.stringify(more)).toContain(refusal.code)
    }
    expect(await manage('get')).toEqual(before)
    expect(await manage('validate')).toMatchObject({ valid: true, errorCount: 0 })
  })

  it('weak point 12: the type of a declared variable is kept, integer and null among them', async () => {
    const declared = { whole: 'integer', any: 'number', none: 'null' }
    const registry = Object.fromEntries(
      Object.entries(declared).map(([name, type]) => [name, { type, description: 'x' }]),
    )
    await manage('edit', { changes: { variableRegistry: { ...tea.variableRegistry, ...registry } } })
    const set = (variableName: string, variableValue: unknown) =>
      manage('set-variable', { variableName, variableValue })
    const declaration = async (variableName: string) => {
      const { variableRegistry } = (await manage('get')) as { variableRegistry: Record<string, Data> }
      return variableRegistry[variableName]
    }
    for (const [name, good, bad] of [
      ['whole', 2, [1.5, '2', null, true]],
      ['any', 1.5, ['1.5', null]],
      ['none', null, [0, '', false]],
    ] as const) {
      expect(await set(name, good), name).toMatchObject({ oldValue: null, newValue: good, declared: false })
      for (const variableValue of bad) {
        expect((await refused('set-variable', { variableName: name, variableValue })).code).toBe('invalid_request')
      }
      expect(await declaration(name)).toEqual({ type: declared[name], description: 'x', default: good })
    }
    for (const [name, value, type] of [
      ['made1', null, 'null'],
      ['made2', 3, 'number'],
      ['made3', '3', 'string'],
      ['made4', [3], 'array'],
    ] as const) {
      expect(await set(name, value)).toMatchObject({ declared: true, newValue: value })
      expect(await declaration(name)).toMatchObject({ type, default: value })
    }
  })

  it('weak point 13: a chosen id is the id, and leads to the workflow when it is overwritten', async () => {
    const named = smallWorkflow('Chosen', { id: CHOSEN })
    const made = await server.get<Data>('manage', { action: 'create', workflow: named })
    expect(made).toMatchObject({ workflowId: CHOSEN, created: true, revision: 1 })
    const again = await server.get<Data>('manage', { action: 'create', workflow: named, overwrite: true })
    expect(again).toMatchObject({ workflowId: CHOSEN, created: false, revision: 2, slug: made['slug'] })

    const word = smallWorkflow('Other words', { id: 'my-flow' })
    const first = await server.get<Data>('manage', { action: 'create', workflow: word })
    expect(first).toMatchObject({ slug: 'my-flow', reference: 'local/my-flow' })
    for (const id of ['my-flow', first['workflowId']]) {
      const workflow = { ...word, id }
      const second = await server.get<Data>('manage', { action: 'create', workflow, overwrite: true })
      expect(second).toMatchObject({ workflowId: first['workflowId'], slug: 'my-flow', created: false })
    }
    expect((await server.get<Data>('list', {}))['total']).toBe(3)
  })
})

describe('what is told, and to whom', () => {
  it('weak point 27: what an agent answers stands in its run, and in no log, audit, or answer about another', async () => {
    const secret = 'the-kettle-is-under-the-stairs'
    const written: string[] = []
    const keep = (...said: unknown[]) => {
      written.push(said.map(String).join(' '))
      return true
    }
    const spies = (['log', 'info', 'debug', 'warn', 'error', 'trace'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(keep),
    )
    spies.push(vi.spyOn(process.stdout, 'write').mockImplementation(keep) as never)
    spies.push(vi.spyOn(process.stderr, 'write').mockImplementation(keep) as never)
    const task = await begin(server, workflowId)
    const other = await begin(server, workflowId)
    const { processId, attemptId } = task
    await server.refused('step', { processId, attemptId, input: { kind: 'red', why: secret } })
    await advanceRun(server, task, { kind: 'green', why: secret })
    await server.refused('step', { processId, attemptId, input: { kind: 'black', why: secret } })
    const next = await advanceRun(server, other, { kind: 'green', why: 'because' })
    for (const spy of spies) spy.mockRestore()
    expect(written.join('\n')).not.toContain(secret)

    const audit = await listAudit(server.services.engine, server.caller.owner, 1000)
    expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['execution:step', 'execution:step_fail']))
    const elsewhere = [
      audit,
      next,
      await contextOf(other.processId),
      await server.get('session', { action: 'executions' }),
      await contextOf(task.processId, 'current_step'),
      await server.services.engine.all('SELECT id, receipt FROM move'),
    ]
    expect(JSON.stringify(elsewhere)).not.toContain(secret)
    const context = await contextOf(task.processId)
    expect(context).toMatchObject({ context: { variables: { choose: { why: secret } } } })
    expect(JSON.stringify(context['errors'])).toContain(secret)
  })

  it('weak point 29: every refusal is an error with a code, whatever the words in its message', async () => {
    const task = await begin(server, workflowId)
    const { processId, attemptId } = task
    const codes: [string, Data, string][] = [
      ['manage', { action: 'get', workflowId: 'nowhere' }, 'not_found'],
      ['manage', { action: 'brew' }, 'invalid_request'],
      ['start', { action: 'execute', startAttemptId: CHOSEN }, 'ATTEMPT_INVALID_OR_EXPIRED'],
      ['step', { processId: CHOSEN, attemptId }, 'not_found'],
      ['step', { processId, attemptId: CHOSEN }, 'ATTEMPT_INVALID_OR_EXPIRED'],
      ['step', { processId, attemptId, input: {} }, 'VALIDATION_FAILED'],
      ['step', { processId, attemptId, teleportTo: 'taste' }, 'TELEPORT_INVALID'],
      ['session', { action: 'current_step', executionId: CHOSEN }, 'not_found'],
      ['notes', { action: 'get', key: 'nothing' }, 'not_found'],
      ['help', { topic: 'no-such-topic' }, 'not_found'],
    ]
    for (const [tool, args, code] of codes)
      expect([tool, (await server.refused(tool, args)).code]).toEqual([tool, code])

    for (const words of ['Workflow not found', 'Validation failed: invalid input', 'ATTEMPT_STALE']) {
      const workflows = { ...server.services.workflows, step: () => Promise.reject(new Error(words)) }
      const answer = await findTool('step').call(
        { ...server.services, workflows },
        server.caller,
        { processId, attemptId },
        0,
      )
      expect(answer).toMatchObject({ isError: true, structured: { code: 'internal_error' } })
    }
  })

  it('weak point 29: a long explanation reaches the agent whole', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `ingredient_number_${index}`)
    const workflow = smallWorkflow('Long')
    const [start, work, end] = workflow['nodes'] as Data[]
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }]))
    const asks = { ...work, inputSchema: { type: 'object', properties, required: names } }
    const task = await begin(server, await create(server, { ...workflow, nodes: [start, asks, end] }))
    const refusal = await server.refused('step', { processId: task.processId, attemptId: task.attemptId, input: {} })
    expect(refusal.code).toBe('VALIDATION_FAILED')
    expect(refusal.text.length).toBeGreaterThan(2000)
    for (const name of names) expect(refusal.text).toContain(name)
    expect((refusal as unknown as { details: { errors: string[] } }).details.errors).toHaveLength(45)
  })
})

describe('weak point 35: authors', () => {
  it('weak point 35: a definition can be tried without a run, drawn, and compared with another', async () => {
    const before = await server.get('session', { action: 'executions' })
    const answers: Record<string, object[]> = { choose: [{ kind: 'green' }], taste: [{ good: false }, { good: true }] }
    const walked = await simulate({
      definition: parseDefinition(tea),
      answer: ({ nodeId }) => ({ input: answers[nodeId]?.shift() }),
      maxSteps: 10,
      clock: () => 0,
    })
    expect(walked).toMatchObject({ end: 'completed', output: { kind: 'green', rounds: 2 }, errors: [] })
    expect(walked.visits.map(({ nodeId }) => nodeId)).toEqual(
      'start choose count taste decide count taste decide end'.split(' '),
    )
    expect(await server.get('session', { action: 'executions' })).toEqual(before)

    const { graph } = await manage('get-structure', { graph: true })
    for (const { id } of tea.nodes) expect(JSON.stringify(graph)).toContain(id)

    const other = (await manage('copy', { newName: 'Tea' }))['workflowId']
    const taste = { nodeId: 'taste', changes: { directive: 'Sip.' } }
    await server.get('manage', { action: 'edit', workflowId: other, changes: { updateNodes: [taste] } })
    expect(await manage('diff', { compareWorkflowId: other })).toMatchObject({
      identical: false,
      details: { nodes: { changed: [{ name: 'taste', fields: [{ field: 'directive', after: 'Sip.' }] }] } },
    })
  })
})
