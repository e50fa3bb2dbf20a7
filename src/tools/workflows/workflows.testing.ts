/** For tests of the workflow tools: a server with a database in memory, and definitions to run. */

import { expect } from 'vitest'
import { z } from 'zod'
import { type Caller, LOCAL_OWNER } from '../../core/caller.ts'
import { createNotesLibrary } from '../../library/notes-library.ts'
import { createWorkflowEngine, type WorkflowEngineOptions } from '../../workflow/engine.ts'
import { findTool } from '../call.ts'
import { START, type TestArchive, testArchive } from '../sessions/tools.testing.ts'
import type { Services, ToolAnswer } from '../tool.ts'

export interface TestServer {
  services: Services
  caller: Caller
  /** Somebody else on the same server. */
  stranger: Caller
  /** Lets time pass, in milliseconds. */
  advance(milliseconds: number): void
  /** Calls a tool; the answer is held against the schema the tool publishes. */
  ask(tool: string, args: unknown, by?: Caller): Promise<ToolAnswer>
  /** The same, for an answer that must be good: its data. */
  get<T = Data>(tool: string, args: unknown, by?: Caller): Promise<T>
  /** The same, for an answer that must be a refusal: its data, and its text. */
  refused(tool: string, args: unknown, by?: Caller): Promise<Data & { code: string; text: string }>
  close(): Promise<void>
}

export type Data = Record<string, unknown>

export async function testServer(options: Partial<WorkflowEngineOptions> = {}): Promise<TestServer> {
  const archive: TestArchive = await testArchive()
  const { engine } = archive
  let now = START
  const clock = () => now
  const services: Services = {
    ...archive.services,
    clock,
    workflows: createWorkflowEngine({ engine, clock, timing: { wait: 200, poll: 10 }, ...options }),
    notes: createNotesLibrary({ engine, clock }),
  }
  const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/home/me' }
  const stranger: Caller = { owner: 2, admin: false, launchDirectory: '/home/other' }
  const ask: TestServer['ask'] = async (name, args, by = caller) => {
    const tool = findTool(name)
    const answer = await tool.call(services, by, args, now)
    const checked = tool.output.safeParse(JSON.parse(JSON.stringify(answer.structured)))
    expect(checked.error ? z.prettifyError(checked.error) : 'fits').toBe('fits')
    expect('code' in answer.structured && 'retry' in answer.structured).toBe(answer.isError)
    expect(answer.text.length).toBeGreaterThan(0)
    expect(answer.cause).toBe(undefined)
    return answer
  }
  return {
    services,
    caller,
    stranger,
    ask,
    advance: (milliseconds) => {
      now += milliseconds
    },
    async get<T>(tool: string, args: unknown, by?: Caller) {
      const answer = await ask(tool, args, by)
      expect(answer.isError, answer.text).toBe(false)
      return answer.structured as T
    },
    async refused(tool, args, by) {
      const answer = await ask(tool, args, by)
      expect(answer.isError, answer.text).toBe(true)
      return { ...(answer.structured as Data & { code: string }), text: answer.text }
    },
    close: archive.close,
  }
}

/** Steeps until the colour is right: a task, a counter, a decision, a second task, and a way out. */
export const tea = {
  id: 'brew-tea',
  metadata: { name: 'Tea', version: '1.0.0', description: 'Brew a pot', author: 'Ada', tags: ['hot'] },
  variableRegistry: {
    kind: { type: 'string', description: 'which tea', enum: ['green', 'black'] },
    rounds: { type: 'number', description: 'how often it was tasted', default: 0 },
    cups: { type: 'number', description: 'how many cups', default: 1 },
  },
  runtimePolicy: { externalVariableWrites: { cups: { allowedNodeIds: ['taste'] } } },
  systemReminder: 'Mind the kettle.',
  nodes: [
    { id: 'start', type: 'start', connections: { default: 'choose' } },
    {
      id: 'choose',
      type: 'agent-directive',
      directive: 'Choose a tea for {{cups}} cups.',
      completionCondition: 'One is chosen.',
      inputSchema: {
        type: 'object',
        globalInputs: ['kind'],
        properties: { why: { type: 'string', minLength: 3 } },
        required: ['kind'],
      },
      connections: { success: 'count' },
    },
    { id: 'count', type: 'expression', expressions: ['rounds = rounds + 1'], connections: { default: 'taste' } },
    {
      id: 'taste',
      type: 'agent-directive',
      directive: 'Taste the {{kind}} tea, round {{rounds}}.',
      completionCondition: 'You know whether it is good.',
      inputSchema: { type: 'object', properties: { good: { type: 'boolean' } }, required: ['good'] },
      connections: { success: 'decide' },
    },
    {
      id: 'decide',
      type: 'condition',
      condition: { operator: 'eq', left: { contextPath: 'taste.good' }, right: true },
      connections: { true: 'end', false: 'count' },
    },
    {
      id: 'spill',
      type: 'teleport',
      hint: 'The pot broke',
      directive: 'Clean up.',
      completionCondition: 'It is dry.',
      connections: { success: 'end' },
    },
    { id: 'end', type: 'end', finalOutput: ['kind', 'rounds'] },
  ],
}

/** The smallest workflow there is: one task that takes an empty answer. */
export function smallWorkflow(name: string, more: Data = {}): Data {
  return {
    metadata: { name, version: '1.0.0', description: `About ${name}` },
    nodes: [
      { id: 'start', type: 'start', connections: { default: 'work' } },
      {
        id: 'work',
        type: 'agent-directive',
        directive: 'Work.',
        completionCondition: 'Worked.',
        connections: { success: 'end' },
      },
      { id: 'end', type: 'end' },
    ],
    ...more,
  }
}

export interface Presented {
  processId: string
  attemptId: string
  revision: number
}

/** Stores a workflow. @returns its id */
export async function create(server: TestServer, workflow: Data, by?: Caller): Promise<string> {
  return (await server.get<{ workflowId: string }>('manage', { action: 'create', workflow }, by)).workflowId
}

/** Starts a workflow. @returns its first task */
export async function begin(server: TestServer, workflowId: string, more: Data = {}, by?: Caller): Promise<Presented> {
  const request = { action: 'prepare', workflowId, parentExecutionId: 'none', ...more }
  const { startAttemptId } = await server.get<{ startAttemptId: string }>('start', request, by)
  return server.get<Presented>('start', { action: 'execute', startAttemptId }, by)
}

/** Makes a step. @returns the next task */
export async function advanceRun(server: TestServer, task: Presented, input?: unknown): Promise<Presented> {
  const { processId, attemptId } = task
  return server.get<Presented>('step', { processId, attemptId, ...(input === undefined ? {} : { input }) })
}
