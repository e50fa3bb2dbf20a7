/** Small definitions for tests. */

import type { WorkflowDefinition } from './definition.ts'
import { parseDefinition } from './definition-schema.ts'

export type Json = Record<string, unknown>

export const start = (to: string, more: Json = {}): Json => ({
  id: 'go',
  type: 'start',
  connections: { default: to },
  ...more,
})

export const end = (more: Json = {}): Json => ({ id: 'fin', type: 'end', ...more })

/** An agent-directive; `inputs` are required properties by their schema. */
export const ask = (id: string, to: string, inputs: Record<string, Json> = {}, more: Json = {}): Json => ({
  id,
  type: 'agent-directive',
  directive: `Do ${id}.`,
  completionCondition: `${id} is done.`,
  ...(Object.keys(inputs).length === 0
    ? {}
    : { inputSchema: { type: 'object', properties: inputs, required: Object.keys(inputs) } }),
  connections: { success: to },
  ...more,
})

export const compute = (id: string, expressions: string[], to: string, more: Json = {}): Json => ({
  id,
  type: 'expression',
  expressions,
  connections: { default: to },
  ...more,
})

export const fork = (id: string, condition: Json, yes: string, no: string): Json => ({
  id,
  type: 'condition',
  condition,
  connections: { true: yes, false: no },
})

export const variable = (type: string, more: Json = {}): Json => ({ type, description: `a ${type} variable`, ...more })

/** A definition as an author writes it, of any validity. */
export function raw(nodes: unknown[], more: Json = {}): Json {
  return { metadata: { name: 'Tea', version: '1.0.0', description: 'brew tea' }, nodes, ...more }
}

/** A definition of the right form. */
export function workflow(nodes: Json[], more: Json = {}): WorkflowDefinition {
  return parseDefinition(raw(nodes, more))
}

/** The report's whole example: a tea is picked twice. */
export function teaWorkflow(): Json {
  return raw(
    [
      start('ask'),
      {
        id: 'ask',
        type: 'agent-directive',
        directive: 'Pick a tea for cup {{cups}}.',
        completionCondition: 'A kind is chosen.',
        inputSchema: {
          type: 'object',
          globalInputs: ['kind'],
          properties: { why: { type: 'string' } },
          required: ['kind'],
        },
        connections: { success: 'inc' },
      },
      compute('inc', ['cups = cups + 1'], 'more'),
      fork('more', { operator: 'lt', left: { contextPath: 'cups' }, right: 2 }, 'ask', 'fin'),
      end({ finalOutput: ['cups', 'kind'] }),
    ],
    {
      variableRegistry: {
        cups: variable('number', { default: 0 }),
        kind: variable('string', { enum: ['green', 'black'] }),
      },
      systemReminder: 'Answer only when the kettle is off.',
    },
  )
}
