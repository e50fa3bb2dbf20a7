import { expect, test } from 'vitest'
import { draftsOf, totalUsage } from './testing.ts'

let count = 0

function assistant(message: Record<string, unknown>, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: 'assistant',
    uuid: `a${count++}`,
    sessionId: 'S',
    message: { content: [{ type: 'text', text: 'x' }], ...message },
    ...fields,
  }
}

const usage = {
  input_tokens: 5,
  output_tokens: 7,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 20,
  output_tokens_details: { thinking_tokens: 3 },
}

test('a response is named by its message and request, and counted as the provider counts', () => {
  const [draft] = draftsOf(assistant({ id: 'm1', model: 'model-x', usage }, { requestId: 'r1' }))
  expect(draft).toMatchObject({
    model: 'model-x',
    usage: { id: 'm1 r1', input: 5, output: 7, cacheRead: 100, cacheWrite: 20, reasoning: 3 },
  })
})

test('the records of one response count once, with their largest reading (faults 1, 2)', () => {
  const first = assistant({ id: 'm1', usage: { ...usage, output_tokens: 1 } })
  const last = assistant({ id: 'm1', usage })
  expect(totalUsage(draftsOf(first, last))).toEqual({ input: 5, output: 7, cacheRead: 100, cacheWrite: 20 })
})

test('only the first event of a record carries the usage, all of them the model', () => {
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'x' },
  ]
  const drafts = draftsOf(assistant({ id: 'm1', model: 'model-x', usage, content }))
  expect(drafts.map((draft) => [draft.model, draft.usage?.id])).toEqual([
    ['model-x', 'm1'],
    ['model-x', undefined],
  ])
})

test('a response without ids is named by its record', () => {
  const record = assistant({ usage }, { uuid: 'row' })
  expect(draftsOf(record)[0]?.usage?.id).toBe('row')
  expect(draftsOf({ ...record, uuid: undefined })[0]?.usage?.id).toBe('S 0')
})

test('what the client writes itself has no usage', () => {
  const [filler] = draftsOf(assistant({ id: 'm1', model: '<synthetic>', usage }))
  expect(filler).not.toHaveProperty('usage')
  expect(filler).not.toHaveProperty('model')
  const [empty] = draftsOf(assistant({ id: 'm1', usage: { input_tokens: 0, output_tokens: 0 } }))
  expect(empty).not.toHaveProperty('usage')
})

test('counts that are no numbers count as nothing', () => {
  const [draft] = draftsOf(assistant({ id: 'm1', usage: { input_tokens: 'many', output_tokens: 2 } }))
  expect(draft?.usage).toMatchObject({ input: 0, output: 2 })
})
