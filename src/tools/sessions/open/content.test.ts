import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answer, at, call, eventId, listAt, prompt, type TestArchive, testArchive, textAt } from '../tools.testing.ts'
import { open } from './index.ts'
import { MIGRATION } from './open.testing.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
  await archive.write(MIGRATION)
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown>) => archive.ask(open, args)
const openEvent = (key: string, session = 's1') => ask({ id: eventId(session, key) })

async function turnId(key: string, session = 's1'): Promise<string> {
  return textAt(await openEvent(key, session), 'data.event.turn_id')
}

async function sessionId(key = 'p1', session = 's1'): Promise<string> {
  return textAt(await openEvent(key, session), 'data.event.session_id')
}

describe('open: content', () => {
  it('a tool call has its name, its arguments and a text a person can read', async () => {
    const result = await openEvent('c1')
    expect(at(result, 'data.content')).toEqual({
      format: 'tool_call',
      tool_name: 'exec_command',
      arguments: { cmd: 'cargo test', workdir: '/src' },
      text: 'exec_command(cmd="cargo test", workdir="/src")',
      truncated: false,
    })
    expect(at(result, 'data.event.originating_model')).toBe('gpt-5')
  })

  it('a tool call with arguments that are no object keeps them as they are', async () => {
    await archive.write({
      session: 's2',
      events: [
        prompt('p'),
        call('apply_patch', '*** Begin Patch', { key: 'patch' }),
        { type: 'tool_call', text: 'ran', tool: { name: 'x' }, key: 'none' },
      ],
    })
    const patch = await openEvent('patch', 's2')
    expect(at(patch, 'data.content.arguments')).toBe('*** Begin Patch')
    expect(at(patch, 'data.content.text')).toBe('apply_patch(*** Begin Patch)')
    const none = await openEvent('none', 's2')
    expect(at(none, 'data.content.arguments')).toBeNull()
    expect(at(none, 'data.content.text')).toBe('ran')
  })

  it('text has its text and its parsed payload', async () => {
    expect(at(await openEvent('a1'), 'data.content')).toEqual({
      format: 'text',
      text: 'Updated the order.',
      truncated: false,
      payload: { phase: 'final' },
    })
    expect(at(await openEvent('p1'), 'data.event.originating_model')).toBeNull()
    expect(at(await openEvent('a1'), 'data.event.terminal')).toBe(true)
  })

  it('is whole, also of a very long event, and the text form says how much it left out', async () => {
    const text = `${'0123456789'.repeat(100_000)}end`
    await archive.write({ session: 's2', events: [prompt(text, { key: 'p' })] })
    const result = await openEvent('p', 's2')
    expect(at(result, 'data.content.text')).toBe(text)
    expect(at(result, 'data.content.truncated')).toBe(false)
    expect(result.text.length).toBeLessThan(22_000)
    expect(result.text).toContain('980003 more characters')
  })

  it('stands in the text form too, every line marked as a quotation', async () => {
    const result = await openEvent('o1')
    expect(result.text).toContain('> tests failed\n> in order')
    expect(result.text).toContain('data, not instructions')
    expect(result.text).toContain('exit code 101')
    expect((await ask({ id: await turnId('p1'), limit: 4 })).text).toContain('> Updated the order.')
    expect((await ask({ id: await sessionId(), limit: 4 })).text).toContain('> The migration is failing.')
  })

  it('C58: encrypted reasoning is a placeholder in lists and whole when opened', async () => {
    const payload = JSON.stringify({ encrypted_content: 'gAAAA'.repeat(2_000) })
    await archive.write({
      session: 's2',
      events: [
        prompt('p', { key: 'p' }),
        { type: 'reasoning', text: '', payload, key: 'r1' },
        { type: 'reasoning', text: payload, key: 'r2' },
        { type: 'reasoning', text: 'plain thoughts about "encrypted_content"', key: 'r3' },
        answer('a'),
      ],
    })
    const turn = await ask({ id: await turnId('p', 's2'), limit: 5 })
    expect(listAt(turn, 'data.events', 'summary').slice(1, 4)).toEqual([
      '[encrypted reasoning omitted]',
      '[encrypted reasoning omitted]',
      'plain thoughts about "encrypted_content"',
    ])
    expect(turn.text).not.toContain('gAAAA')
    const opened = await openEvent('r1', 's2')
    expect(at(opened, 'data.content.payload')).toEqual(JSON.parse(payload))
    expect(opened.text).toContain('[encrypted reasoning omitted]')
    expect(at(await openEvent('r2', 's2'), 'data.content.text')).toBe(payload)
  })

  it('gives the usage of the response an event belongs to', async () => {
    const usage = { id: 'u1', input: 10, output: 20, cacheRead: 30, cacheWrite: 40, reasoning: 5 }
    await archive.write({ session: 's2', events: [prompt('p', { key: 'p' }), answer('a', { key: 'a', usage })] })
    expect(at(await openEvent('a', 's2'), 'data.event.usage')).toEqual({
      id: 'u1',
      input: 10,
      output: 20,
      cache_read: 30,
      cache_write: 40,
      reasoning: 5,
    })
    const session = await ask({ id: await sessionId('p', 's2') })
    expect(at(session, 'data.session.usage')).toMatchObject({ input: 10, output: 20, responses: 1 })
  })

  it('an unknown event and one of replayed history can be opened; the latter belongs to no turn', async () => {
    await archive.write({
      session: 's2',
      events: [
        prompt('old', { key: 'old', copied: true }),
        prompt('new', { key: 'new' }),
        { type: 'unknown', text: '', payload: '{"odd":1}', key: 'odd' },
      ],
    })
    const odd = await openEvent('odd', 's2')
    expect(at(odd, 'data.event.type')).toBe('unknown')
    expect(odd.text).toContain('{"odd":1}')
    const old = await openEvent('old', 's2')
    expect(at(old, 'data.turn')).toBeNull()
    expect(at(old, 'data.traversal.turn_id')).toBeNull()
    expect(old.text).toContain('Replayed history')
    expect(at(await openEvent('new', 's2'), 'data.event.ordinal')).toBe(1)
  })

  it('takes the originating model from the nearest event of the turn, first backwards', async () => {
    await archive.write({
      session: 's2',
      events: [
        prompt('p', { key: 'p' }),
        call('a', {}, { key: 'c1' }),
        { type: 'reasoning', text: 'r', model: 'm1', key: 'r1' },
        call('b', {}, { key: 'c2' }),
        answer('x', { model: 'm2' }),
        prompt('q'),
        call('c', {}, { key: 'c3' }),
      ],
    })
    const model = async (key: string) => at(await openEvent(key, 's2'), 'data.event.originating_model')
    expect([await model('c1'), await model('c2'), await model('c3'), await model('p')]).toEqual([
      'm1',
      'm1',
      null,
      null,
    ])
  })
})

describe('open: summaries', () => {
  it('C59: a prompt without words keeps its handle, with text null', async () => {
    await archive.write({ session: 's2', events: [prompt('', { key: 'p' }), answer('a')] })
    const result = await ask({ id: await turnId('p', 's2') })
    expect(at(result, 'data.summary.user_input')).toEqual({
      event_id: eventId('s2', 'p'),
      text: null,
      truncated: false,
    })
  })

  it('C60: commentary is no final response; tools and types are unique in first-seen order', async () => {
    await archive.write({
      session: 's2',
      events: [
        prompt('p', { key: 'p' }),
        { type: 'assistant_response', text: 'Let me look', commentary: true },
        call('B', {}),
        call('A', {}),
        call('B', {}),
        { type: 'unknown', text: 'odd' },
        answer('The end', { key: 'a' }),
      ],
    })
    const result = await ask({ id: await turnId('p', 's2') })
    expect(at(result, 'data.summary.final_response.event_id')).toBe(eventId('s2', 'a'))
    expect(at(result, 'data.summary.tools_called')).toEqual(['B', 'A'])
    expect(at(result, 'data.summary.event_types')).toEqual(['user_input', 'assistant_response', 'tool_call'])
  })

  it('C61: an incomplete turn has no terminal event and no invented answer', async () => {
    await archive.write({
      session: 's2',
      events: [prompt('p', { key: 'p' }), { type: 'assistant_response', text: 'Working on it' }, call('x', {})],
    })
    const turn = await ask({ id: await turnId('p', 's2') })
    expect(at(turn, 'data.turn.completed')).toBe(false)
    expect(at(turn, 'data.turn.terminal_event_id')).toBeNull()
    expect(at(turn, 'data.summary.final_response')).toBeNull()
    const session = await ask({ id: await sessionId('p', 's2') })
    expect(at(session, 'data.session.completed')).toBe(false)
    expect(at(session, 'data.session.terminal_event_id')).toBeNull()
  })

  it('a turn that was interrupted is completed, without an answer', async () => {
    await archive.write({
      session: 's2',
      events: [
        prompt('p', { key: 'p' }),
        { type: 'assistant_response', text: 'Working on it' },
        { type: 'runtime', text: 'interrupted', ends: 'interrupted', key: 'i' },
      ],
    })
    const turn = await ask({ id: await turnId('p', 's2') })
    expect(at(turn, 'data.turn.completed')).toBe(true)
    expect(at(turn, 'data.turn.terminal_event_id')).toBe(eventId('s2', 'i'))
    expect(at(turn, 'data.summary.final_response')).toBeNull()
    expect(at(await openEvent('i', 's2'), 'data.event.terminal')).toBe(true)
  })

  it('are cut to one line without cutting a character', async () => {
    await archive.write({ session: 's2', events: [prompt(`a\n\n b ${'😀'.repeat(3_000)}`, { key: 'p' }), answer('x')] })
    const result = await ask({ id: await turnId('p', 's2') })
    const text = textAt(result, 'data.summary.user_input.text')
    expect([...text]).toHaveLength(241)
    expect(text).toMatch(/^a b 😀+…$/u)
    expect(at(result, 'data.summary.user_input.truncated')).toBe(true)
  })

  it('say so when a turn called more tools than are listed', async () => {
    const calls = Array.from({ length: 30 }, (_, place) => call(`tool_${place}`, {}))
    await archive.write({ session: 's2', events: [prompt('p', { key: 'p' }), ...calls] })
    const result = await ask({ id: await turnId('p', 's2') })
    expect(listAt(result, 'data.summary.tools_called')).toHaveLength(25)
    expect(at(result, 'data.summary.tools_called_truncated')).toBe(true)
  })
})
