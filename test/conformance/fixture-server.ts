/** The server that the MCP conformance suite expects: tools, prompts and resources of fixed names. */

import { setTimeout as delay } from 'node:timers/promises'
import { completable, McpServer, ResourceTemplate, type ToolCallback } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { PIXEL, SILENCE, text } from './content.ts'
import { registerQuestions, stateCodec } from './questions.ts'

export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'varve-conformance', version: '0.0.0' },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
      requestState: { verify: stateCodec.verify },
    },
  )
  registerTools(server)
  registerQuestions(server)
  registerPrompts(server)
  registerResources(server)
  return server
}

function registerTools(server: McpServer): void {
  const plain = (name: string, handler: ToolCallback) =>
    server.registerTool(name, { description: `Conformance fixture ${name}.` }, handler)
  const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' }
  plain('test_simple_text', () => text('This is a simple text response for testing.'))
  plain('test_image_content', () => ({ content: [image] }))
  plain('test_audio_content', () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }))
  plain('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }))
  plain('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }))
  plain('test_error_handling', () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }))
  plain('test_tool_with_logging', async ({ mcpReq }) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', message)
      await delay(50)
    }
    return text('Logged three messages')
  })
  plain('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'a message for those who asked for it')
    return text('Logged')
  })
  plain('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      await delay(50)
    }
    return text('Done')
  })
}

function registerPrompts(server: McpServer): void {
  const say = (content: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: content } })
  server.registerPrompt('test_simple_prompt', { description: 'A prompt without arguments.' }, () => ({
    messages: [say('This is a simple prompt for testing.')],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (value) => [value, `${value}-completed`]),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt that holds a resource.',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        say('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt that holds an image.' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      say('Please analyze the image above.'),
    ],
  }))
}

function registerResources(server: McpServer): void {
  const textResource = (uri: string, content: string) => () => ({
    contents: [{ uri, mimeType: 'text/plain', text: content }],
  })
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text that never changes.', mimeType: 'text/plain' },
    textResource('test://static-text', 'This is the content of the static text resource.'),
  )
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image that never changes.', mimeType: 'image/png' },
    () => ({ contents: [{ uri: 'test://static-binary', mimeType: 'image/png', blob: PIXEL }] }),
  )
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'A text that can be subscribed to.', mimeType: 'text/plain' },
    textResource('test://watched-resource', 'Nothing has changed yet.'),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id.', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
  const accept = async () => ({})
  server.server.setRequestHandler('resources/subscribe', accept)
  server.server.setRequestHandler('resources/unsubscribe', accept)
}
