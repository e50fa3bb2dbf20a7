import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import { UserError } from '../core/errors.ts'
import { listTool } from '../mcp/listing.ts'
import { defineAction, defineActionTool } from './action.ts'
import { json } from './checked-tool.ts'
import { jsonObject, wholeNumber } from './fields.ts'
import type { Services, ToolAnswer } from './tool.ts'

const size = wholeNumber(1, 10).describe('How many.')
const options = jsonObject.describe('How.')

const pick = defineAction({
  name: 'pick',
  summary: 'take some',
  input: { name: z.string(), size: size.default(3), options: options.optional() },
  example: { name: 'apple' },
  run: async (_call, input) => json(input),
})
const drop = defineAction({
  name: 'drop',
  summary: 'put all away',
  input: { size: size.optional(), force: z.boolean().optional() },
  example: {},
  run: async (_call, { force }) => {
    if (force === true) throw new Error('a secret in a stack')
    throw new UserError('ATTEMPT_STALE', 'it moved on', {
      processId: 'p1',
      remedy: 'look again',
      next: { tool: 'basket', args: { action: 'pick' } },
    })
  },
})
const basket = defineActionTool({
  name: 'basket',
  toolset: 'workflows',
  title: 'Basket',
  description: 'A basket.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  actionDescription: 'What to do.',
  actions: [pick, drop],
  output: {},
})

const caller: Caller = { owner: 1, admin: true, launchDirectory: '/' }
const ask = (args: unknown, by = caller): Promise<ToolAnswer> => basket.call({} as Services, by, args, 0)

it('publishes the flat union of its actions, with action alone required and no defaults', () => {
  expect(listTool(basket, { sourceNames: [], harnesses: [], maxResults: 25 }).inputSchema).toEqual({
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['pick', 'drop'], description: 'What to do.' },
      name: { type: 'string' },
      size: { type: 'number', minimum: 1, maximum: 10, description: 'How many.' },
      options: { type: 'object', additionalProperties: {}, description: 'How.' },
      force: { type: 'boolean' },
    },
    required: ['action'],
    additionalProperties: false,
  })
  expect(basket.examples).toEqual([{ action: 'pick', name: 'apple' }, { action: 'drop' }])
  expect(basket.actions?.[0]).toEqual({
    name: 'pick',
    summary: 'take some',
    required: ['name'],
    optional: ['size', 'options'],
  })
})

it('applies the defaults of the named action, and gives its data as pretty JSON', async () => {
  const answer = await ask({ action: 'pick', name: 'pear' })
  expect(answer).toEqual({
    isError: false,
    structured: { name: 'pear', size: 3 },
    text: '{\n  "name": "pear",\n  "size": 3\n}',
  })
})

it('T7: refuses a field that no action has', async () => {
  const answer = await ask({ action: 'pick', name: 'pear', colour: 'red' })
  expect(answer.isError).toBe(true)
  expect(answer.structured).toMatchObject({ code: 'invalid_request', retry: 'never', details: { field: 'colour' } })
  expect(answer.text).toContain('no action of basket has a field colour')
  expect((await ask({ action: 'pick', name: 'pear', colour: null })).isError).toBe(true)
})

it('refuses a field of another action and says whose it is', async () => {
  const answer = await ask({ action: 'pick', name: 'pear', force: true })
  expect(answer.isError).toBe(true)
  expect(answer.structured).toMatchObject({ details: { field: 'force', action: 'pick', belongsTo: ['drop'] } })
  expect(answer.text).toContain('the field force belongs to drop, not to pick')
  expect(answer.structured['next']).toEqual({ tool: 'basket', args: { action: 'pick', name: 'pear' } })
})

it('takes null for absent, also in a field of another action', async () => {
  expect((await ask({ action: 'pick', name: 'pear', size: null, force: null })).structured).toEqual({
    name: 'pear',
    size: 3,
  })
})

it('takes an object that came as the text of its JSON', async () => {
  expect((await ask({ action: 'pick', name: '{}', options: '{"ripe":true}' })).structured).toEqual({
    name: '{}',
    size: 3,
    options: { ripe: true },
  })
  expect((await ask({ action: 'pick', name: 'pear', options: '[1]' })).isError).toBe(true)
})

it('says what was expected, what came, and how a right call looks', async () => {
  const missing = await ask({ action: 'pick' })
  expect(missing.text).toBe(
    [
      'Error: basket pick: name is required (invalid_request)',
      'Expected: {"type":"string"}',
      'Came: nothing',
      'A right call: basket({"action":"pick","name":"apple"})',
    ].join('\n'),
  )
  const large = await ask({ action: 'pick', name: 'pear', size: 11 })
  expect(large.text).toContain('size: must be at most 10')
  expect(large.text).toContain('Came: 11')
  expect(large.text).toContain('A right call: basket({"action":"pick","name":"pear"})')
  expect(large.structured).toMatchObject({ details: { example: { action: 'pick', name: 'pear' } } })
  expect(missing.structured).not.toHaveProperty('next')
  expect(missing.structured).toMatchObject({ details: { example: { action: 'pick', name: 'apple' } } })
  expect((await ask({ action: 'pick', name: 'pear', size: 10 })).isError).toBe(false)
  expect((await ask({ action: 'pick', name: 'pear', size: 1.5 })).text).toContain('must be a whole number')
  expect((await ask({ action: 'pick', name: ['pear'] })).text).toContain('name: must be a string')
})

it('lists the actions when none, or none there is, was named', async () => {
  for (const args of [{}, { action: 'eat' }, { action: 7 }, 'pick', null]) {
    const answer = await ask(args)
    expect(answer.isError).toBe(true)
    expect(answer.structured).toMatchObject({ code: 'invalid_request', details: { supported: ['pick', 'drop'] } })
    expect(answer.text).toContain('- drop: put all away')
  }
})

it('T10, T61: a refusal carries its code, the run, whether to repeat, and the call to make', async () => {
  const answer = await ask({ action: 'drop' })
  expect(answer).toMatchObject({
    isError: true,
    structured: {
      code: 'ATTEMPT_STALE',
      message: 'it moved on',
      processId: 'p1',
      retry: 'refresh',
      next: { tool: 'basket', args: { action: 'pick' } },
      details: { remedy: 'look again' },
    },
  })
  expect(answer.text).toBe(
    'Error: basket: it moved on (ATTEMPT_STALE)\nProcess ID: p1\nWhat to do: look again\nNext call: basket({"action":"pick"})',
  )
})

it('T311: says nothing of our own mistakes but that there was one, and keeps the cause for the log', async () => {
  const answer = await ask({ action: 'drop', force: true })
  expect(answer.structured).toMatchObject({ code: 'internal_error', retry: 'same' })
  expect(`${answer.text}${JSON.stringify(answer.structured)}`).not.toContain('secret')
  expect(answer.cause).toBeInstanceOf(Error)
})

it('does nothing for a caller who is gone', async () => {
  const signal = AbortSignal.abort()
  expect((await ask({ action: 'pick', name: 'pear' }, { ...caller, signal })).structured).toMatchObject({
    code: 'cancelled',
  })
})

it('does not let two actions mean different things by one field', () => {
  const other = defineAction({ ...pick, name: 'other', input: { name: z.number() }, run: async () => json({}) })
  expect(() => defineActionTool({ ...basket, actionDescription: '', actions: [pick, other], output: {} })).toThrow(
    'other means something of its own by name',
  )
})
