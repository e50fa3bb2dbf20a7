import { describe, expect, test } from 'vitest'
import { draftsOf, turnsOf } from './testing.ts'

let count = 0

const prompt = { type: 'user', uuid: 'p', sessionId: 'S', message: { role: 'user', content: 'go' } }
const tool = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'x' } }

function text(value: string): Record<string, unknown> {
  return { type: 'text', text: value }
}

function assistant(
  content: unknown,
  stop: string | null,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const message = { id: `m${count}`, role: 'assistant', model: 'model-x', stop_reason: stop, content }
  return { type: 'assistant', uuid: `a${count++}`, sessionId: 'S', message, ...fields }
}

function user(content: unknown, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'user', uuid: `u${count++}`, sessionId: 'S', message: { role: 'user', content }, ...fields }
}

function system(subtype: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'system', subtype, uuid: `s${count++}`, sessionId: 'S', ...fields }
}

/** How the only turn ended. */
function ending(...records: unknown[]): string | undefined {
  const turns = turnsOf(draftsOf(prompt, ...records))
  expect(turns).toHaveLength(1)
  return turns[0]?.ending
}

describe('a turn is answered', () => {
  test('by a text with stop_reason end_turn, and by nothing before it', () => {
    const drafts = draftsOf(assistant([{ type: 'thinking', thinking: 'hm' }, text('done')], 'end_turn'))
    expect(drafts.map(({ ends }) => ends)).toEqual([undefined, 'answered'])
    expect(draftsOf(assistant([{ type: 'thinking', thinking: 'hm' }], 'end_turn'))[0]).not.toHaveProperty('ends')
    expect(ending(assistant([text('done')], 'stop_sequence'))).toBe('answered')
  })

  test('not by a text before a tool call', () => {
    const [draft] = draftsOf(assistant([text('I look')], 'tool_use'))
    expect(draft).toMatchObject({ type: 'assistant_response', commentary: true })
    expect(ending(assistant([text('I look')], 'tool_use'))).toBe('open')
  })

  test('in old files by the text no tool call follows', () => {
    expect(ending(assistant([text('done')], null))).toBe('answered')
    expect(ending(assistant([text('I look')], null), assistant([tool], null))).toBe('open')
    expect(ending(assistant('done', null))).toBe('answered')
  })

  test('not by a text without stop_reason once the file has shown real ones', () => {
    const turns = turnsOf(
      draftsOf(prompt, assistant([text('a')], 'end_turn'), user('more'), assistant([text('b')], null)),
    )
    expect(turns.map((turn) => turn.ending)).toEqual(['answered', 'open'])
  })

  test('at the latest by the note of its duration, or of the hooks run at its end', () => {
    for (const subtype of ['turn_duration', 'stop_hook_summary']) {
      expect(ending(assistant([tool], 'tool_use'), system(subtype))).toBe('answered')
    }
    const drafts = draftsOf(prompt, assistant([text('done')], 'end_turn'), system('turn_duration', { durationMs: 5 }))
    expect(drafts[2]).not.toHaveProperty('ends')
  })

  test('by a tool that ends the turn', () => {
    const result = user([{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], { toolEndsTurn: true })
    expect(ending(assistant([tool], 'tool_use'), result)).toBe('answered')
  })
})

describe('a turn is interrupted', () => {
  test.each(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])('by %s', (mark) => {
    const cut = assistant([text('The first')], null, { isAbortedMidStream: true })
    const drafts = draftsOf(prompt, cut, user([text(mark)]))
    expect(drafts.map(({ type, ends, opensTurn }) => [type, ends, opensTurn])).toEqual([
      ['user_input', undefined, true],
      ['assistant_response', undefined, undefined],
      ['runtime', 'interrupted', undefined],
    ])
  })

  test('and stays so when the client fills the gap at the next start', () => {
    const filler = assistant([text('No response requested.')], 'stop_sequence')
    const synthetic = { ...filler, message: { ...(filler['message'] as object), model: '<synthetic>' } }
    expect(ending(user([text('[Request interrupted by user]')]), synthetic)).toBe('interrupted')
    expect(draftsOf(synthetic)[0]).toMatchObject({ type: 'system', text: 'No response requested.' })
  })

  test('in the words of older clients', () => {
    const error = assistant([text('API Error: Request was aborted.')], null, { isApiErrorMessage: true })
    expect(ending(error)).toBe('interrupted')
  })
})

describe('a turn has failed', () => {
  test('when the error is shown in place of an answer', () => {
    const error = assistant([text('API Error: 401')], 'stop_sequence', { isApiErrorMessage: true, apiErrorStatus: 401 })
    const drafts = draftsOf(prompt, error)
    expect(drafts[1]).toMatchObject({ type: 'runtime', ends: 'failed', payload: { apiErrorStatus: 401 } })
  })

  test('not when a request is retried', () => {
    const retry = system('api_error', { error: { formatted: '500 oops', status: 500 }, retryAttempt: 1, maxRetries: 2 })
    expect(draftsOf(retry)[0]).toMatchObject({
      type: 'runtime',
      text: '500 oops',
      payload: { status: 500, retryAttempt: 1 },
    })
    expect(ending(retry, assistant([text('hello')], 'end_turn'))).toBe('answered')
  })

  test.each(['max_tokens', 'refusal', 'model_context_window_exceeded'])(
    'by %s, unless the client goes on',
    (reason) => {
      const cut = assistant([text('half')], reason)
      expect(ending(cut)).toBe('failed')
      expect(draftsOf(cut)[0]?.payload).toEqual({ stop_reason: reason })
      expect(ending(cut, assistant([text('whole')], 'end_turn'))).toBe('answered')
    },
  )

  test('by a refusal noted by the client', () => {
    expect(ending(system('api_refusal', { content: 'refused' }))).toBe('failed')
  })
})

describe('a turn is exited', () => {
  test('by the shutdown of the client', () => {
    const mark = user([text('[Request interrupted by user]')], { interruptedByShutdown: true })
    expect(ending(assistant([tool], 'tool_use'), mark)).toBe('exited')
  })

  test('by /exit or the end of the session, while it is open', () => {
    const exit = user('<command-name>/exit</command-name>')
    const end = {
      type: 'attachment',
      uuid: 'h',
      sessionId: 'S',
      attachment: { type: 'hook_success', hookEvent: 'SessionEnd' },
    }
    for (const record of [exit, end]) {
      expect(ending(assistant([tool], 'tool_use'), record)).toBe('exited')
      expect(ending(assistant([text('done')], 'end_turn'), record)).toBe('answered')
    }
  })
})
