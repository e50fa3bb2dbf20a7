import { describe, expect, it } from 'vitest'
import { foldTurns } from '../reading.testing.ts'
import { at, event, message, meta, OTHER, OWN, readRecords } from './testing.ts'

describe('forks and subagents', () => {
  const forked = { forked_from_id: OTHER }
  const copies = (values: readonly unknown[]) => readRecords(values).records.map((drafts) => drafts[0]?.copied === true)

  it('links a subagent and a fork to their parent', () => {
    const parent = (more: object) => readRecords([meta(more)]).sessions[0]?.parent
    const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: OTHER } } }, thread_source: 'subagent' }
    expect(parent(spawned)).toEqual({ nativeId: OTHER, relation: 'subagent' })
    expect(parent({ ...spawned, ...forked })).toEqual({ nativeId: OTHER, relation: 'subagent' })
    expect(parent({ thread_source: 'subagent', parent_thread_id: OTHER })).toEqual({
      nativeId: OTHER,
      relation: 'subagent',
    })
    expect(parent(forked)).toEqual({ nativeId: OTHER, relation: 'fork' })
    expect(parent({ session_id: OTHER })).toBeUndefined()
  })

  it('takes the length of the copy from the client where it says so', () => {
    const numbered = [
      meta({ ...forked, subagent_history_start_ordinal: 3 }),
      meta({ id: OTHER, cwd: '/elsewhere' }),
      message('user', 'old'),
      message('user', 'new'),
    ].map((value, ordinal) => ({ ...value, ordinal }))
    expect(copies(numbered)).toEqual([false, true, true, false])
    const { drafts, sessions } = readRecords(numbered)
    expect(new Set(drafts.map(({ session }) => session))).toEqual(new Set([OWN]))
    expect(sessions).toHaveLength(1)
  })

  it('ends a copy with the first turn made after the fork, even in the same second', () => {
    const values = [
      meta(forked),
      meta({ id: OTHER }),
      event('task_started', { turn_id: '019ca8d6-5000-7000-8000-000000000001' }, 0),
      message('user', 'old', {}, 0),
      event('task_started', { turn_id: '019ca8d7-30e8-7000-8000-000000000001' }, 0),
      message('user', 'new', {}, 0),
    ]
    expect(copies(values)).toEqual([false, true, true, true, false, false])
  })

  it('ends a copy without turn ids with a pause, and knows old times for copies however far apart (fault 7)', () => {
    const burst = [
      meta(forked),
      message('user', 'old', {}, 0),
      message('assistant', 'old', {}, 0.04),
      message('user', 'new', {}, 5),
    ]
    expect(copies(burst)).toEqual([false, true, true, false])
    const madeLater = { ...forked, timestamp: at(100), id: 'fork' }
    const kept = [
      meta(madeLater, 100),
      message('user', 'old', {}, 1),
      message('assistant', 'old', {}, 60),
      message('user', 'new', {}, 103),
    ]
    expect(copies(kept)).toEqual([false, true, true, false])
  })

  it('takes a second session_meta at the start for a fork, and one later for a mere record', () => {
    const early = [meta(), meta({ id: OTHER }), message('user', 'old', {}, 0), message('user', 'new', {}, 9)]
    expect(copies(early)).toEqual([false, true, true, false])
    expect(readRecords(early).sessions.at(-1)?.parent).toEqual({ nativeId: OTHER, relation: 'fork' })
    const late = [meta(), message('user', 'one'), meta({ id: OTHER }), message('user', 'two')]
    expect(copies(late)).toEqual([false, false, true, false])
    expect(readRecords(late).sessions).toHaveLength(1)
  })

  it('does not take a file for a copy because it has equal token counts (fault 8)', () => {
    const count = event('token_count', {
      info: {
        total_token_usage: { input_tokens: 5, output_tokens: 1 },
        last_token_usage: { input_tokens: 5, output_tokens: 1 },
      },
    })
    const one = readRecords([meta(), count]).drafts[1]
    const two = readRecords([meta({ id: OTHER }), count]).drafts[1]
    expect(one?.usage?.id).not.toBe(two?.usage?.id)
    expect([one?.copied, two?.copied]).toEqual([undefined, undefined])
  })

  it('marks everything in a copy, which still says what it opens, ends and costs', () => {
    const values = [
      meta({ ...forked, subagent_history_start_ordinal: 5 }),
      message('user', 'old'),
      event('token_count', { info: { last_token_usage: { input_tokens: 5, output_tokens: 1 } } }),
      message('assistant', 'old', { phase: 'final_answer' }),
      event('task_complete', { last_agent_message: 'old' }),
    ]
    const { drafts } = readRecords(values)
    expect(drafts.slice(1).every(({ copied }) => copied)).toBe(true)
    const whole = readRecords([meta({}), ...values.slice(1)]).drafts
    expect(drafts.slice(1).map(({ copied, ...draft }) => draft)).toEqual(whole.slice(1))
    expect(foldTurns(whole)).toMatchObject([{ prompt: 'old', answer: 'old', ending: 'answered' }])
    expect(foldTurns(drafts.slice(1))).toEqual([])
  })
})

describe('names', () => {
  it('takes no title out of a copied history', () => {
    const values = [meta({ forked_from_id: OTHER }), event('thread_name_updated', { thread_name: 'Old name' }, 0)]
    expect(readRecords(values).sessions.map(({ title }) => title)).toEqual([undefined])
  })

  it('takes a rename for the title, but not that of another thread', () => {
    const rename = (thread_id: string) => event('thread_name_updated', { thread_id, thread_name: 'Kites' })
    expect(readRecords([meta(), rename(OWN)]).sessions.at(-1)).toEqual({ nativeId: OWN, title: 'Kites' })
    expect(readRecords([meta(), rename(OTHER)]).sessions).toHaveLength(1)
  })
})
