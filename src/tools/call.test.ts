import { afterEach, beforeEach, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { callTool } from './call.ts'
import { tools } from './index.ts'
import { at, prompt, START, type TestArchive, testArchive } from './sessions/tools.testing.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
  await archive.write({ session: 's1', events: [prompt('A question')] })
})
afterEach(() => archive.close())

it('calls a tool by its name', async () => {
  const result = await callTool(archive.services, archive.caller, 'search_sessions', { query: 'question' }, START - 5)
  expect(at(result, 'data.result_count')).toBe(1)
  expect(at(result, 'performance.elapsed_ms')).toBe(5)
})

it('refuses a name no tool has, and names the tools there are', async () => {
  const call = callTool(archive.services, archive.caller, 'search', {})
  await expect(call).rejects.toThrow(UserError)
  await expect(call).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(call).rejects.toMatchObject({ details: { remedy: expect.stringContaining('search_sessions') } })
})

it('has the four sessions tools', () => {
  expect(tools.filter(({ toolset }) => toolset === 'sessions').map(({ name }) => name)).toEqual([
    'search_sessions',
    'open',
    'list_sessions',
    'file_attention',
  ])
})
