/** Conformance tools that ask the client something: `input_required` since 2026-07-28, requests of the server before. */

import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type ToolCallback,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { text } from './content.ts'

/** Signs what a client is given to keep between two rounds. */
export const stateCodec = createRequestStateCodec({ key: 'only for the conformance suite, not secret' })

type Schema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']

const NAME: Schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const COLOR: Schema = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] }
const CONFIRM: Schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
const USER: Schema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
}
const DEFAULTS: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}
const titled = (values: string[], titles: string[]) =>
  values.map((value, index) => ({ const: value, title: titles[index] ?? value }))
const OPTIONS = ['option1', 'option2', 'option3']
const VALUES = ['value1', 'value2', 'value3']
const ENUMS: Schema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled(VALUES, ['First Option', 'Second Option', 'Third Option']) },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled(VALUES, ['First Choice', 'Second Choice', 'Third Choice']) } },
  },
}

const ask = (message: string, requestedSchema: Schema) => inputRequired.elicit({ message, requestedSchema })
const complete = (question: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens })

/** Asks one thing, and says what came back. */
function form(prefix: string, message: string, schema: Schema) {
  return (context: ServerContext) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'form')
    if (answer.kind !== 'elicit') return inputRequired({ inputRequests: { form: ask(message, schema) } })
    return text(`${prefix}: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)
  }
}

export function registerQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client for a completion.', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'sample')
      if (answer.kind !== 'sampling') return inputRequired({ inputRequests: { sample: complete(prompt, 100) } })
      return text(`LLM response: ${JSON.stringify(answer.result.content)}`)
    },
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => form('User response', message, USER)(context),
  )
  const plain = (name: string, handler: ToolCallback) =>
    server.registerTool(name, { description: `Conformance fixture ${name}.` }, handler)
  plain('test_elicitation_sep1034_defaults', form('Elicitation completed', 'Check the defaults', DEFAULTS))
  plain('test_elicitation_sep1330_enums', form('Elicitation completed', 'Choose', ENUMS))
  plain('test_missing_capability', () => inputRequired({ inputRequests: { sample: complete('Anything', 10) } }))
  plain('test_streaming_elicitation', async (context) => {
    await context.mcpReq.log('info', 'about to ask')
    return form('Elicitation completed', 'What is your name?', NAME)(context)
  })
  plain('test_input_required_result_elicitation', ({ mcpReq }) => {
    const user = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }))
    if (user === undefined) return inputRequired({ inputRequests: { user_name: ask('What is your name?', NAME) } })
    return text(`Hello, ${user.name}!`)
  })
  plain('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content))
    return inputRequired({ inputRequests: { capital_question: complete('What is the capital of France?', 100) } })
  })
  plain('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return text(answer.roots.map((root) => root.uri).join(' '))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  plain('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const kinds = ['user_name', 'greeting', 'client_roots'].map((key) => inputResponse(mcpReq.inputResponses, key).kind)
    if (!kinds.includes('missing')) return text(`received ${kinds.join(', ')}`)
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', NAME),
        greeting: complete('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await stateCodec.mint({ round: 1 }),
    })
  })
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    plain(name, async ({ mcpReq }) => {
      const confirmed = inputResponse(mcpReq.inputResponses, 'confirm').kind !== 'missing'
      if (confirmed && mcpReq.requestState() !== undefined) return text('state-ok')
      return inputRequired({
        inputRequests: { confirm: ask('Please confirm', CONFIRM) },
        requestState: await stateCodec.mint({ asked: true }),
      })
    })
  }
  plain('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const state = z.object({ name: z.string() }).safeParse(mcpReq.requestState())
    const color = acceptedContent(mcpReq.inputResponses, 'step2', z.object({ color: z.string() }))
    if (state.success && color !== undefined) return text(`${state.data.name} likes ${color.color}`)
    const user = acceptedContent(mcpReq.inputResponses, 'step1', z.object({ name: z.string() }))
    if (user === undefined) {
      return inputRequired({
        inputRequests: { step1: ask('Step 1: What is your name?', NAME) },
        requestState: await stateCodec.mint({}),
      })
    }
    return inputRequired({
      inputRequests: { step2: ask('Step 2: What is your favorite color?', COLOR) },
      requestState: await stateCodec.mint({ name: user.name }),
    })
  })
  plain('test_input_required_result_capabilities', () =>
    inputRequired({ inputRequests: { sample: complete('Anything', 10) } }),
  )
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks for its context.' },
    ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }))
      if (given === undefined) {
        const requestedSchema: Schema = {
          type: 'object',
          properties: { context: { type: 'string' } },
          required: ['context'],
        }
        return inputRequired({
          inputRequests: { user_context: ask('What context should the prompt use?', requestedSchema) },
        })
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${given.context}` } }] }
    },
  )
}
