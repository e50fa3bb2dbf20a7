import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { foldTurns, readFileOf, readWith } from '../reading.testing.ts'
import { kiroCli } from './index.ts'
import { IDS, SESSIONS, SUBAGENT_LOG, WORKSPACE_LOG } from './testing.ts'

const readFixture = (path: string) => readFileOf(kiroCli, join(SESSIONS, path), { root: SESSIONS })

function read(...payloads: object[]): Draft[] {
  const path = '/k/sessions/9f3c/sess_S/messages.jsonl'
  const file = { source: 'kiro', path, relative: '9f3c/sess_S/messages.jsonl', modifiedAt: 0 }
  const records = payloads.map((payload, place) => ({ id: `m${place}`, timestamp: 1788460200000 + place, payload }))
  return readWith(kiroCli, file, records).drafts
}

describe('a log by workspace', () => {
  test('turns end as the client says, with calls once however often they are written', async () => {
    const { drafts, sessions } = await readFixture(WORKSPACE_LOG)
    const once = [...new Map(drafts.map((draft) => [draft.native.id, draft])).values()]
    expect(foldTurns(once).map(({ prompt, ending, answer, calls }) => ({ prompt, ending, answer, calls }))).toEqual([
      {
        prompt: 'Plant the bulbs.\n[image]',
        ending: 'answered',
        answer: 'There is a stone in bed 3.',
        calls: ['read_file', 'execute_bash 2'],
      },
      { prompt: 'Then bed 4.', ending: 'interrupted', answer: undefined, calls: ['shed/fetch failed'] },
    ])
    expect(sessions).toEqual([{ nativeId: IDS.bulbs, title: 'Bulbs', cwd: '/home/ada/garden' }])
  })

  test('what steers the agent at work opens no turn', async () => {
    const { drafts } = await readFixture(WORKSPACE_LOG)
    const prompts = drafts.filter(({ type }) => type === 'user_input')
    expect(prompts.map(({ text, opensTurn }) => [text, opensTurn])).toEqual([
      ['Plant the bulbs.\n[image]', true],
      ['Mind the tulips.', undefined],
      ['Then bed 4.', true],
    ])
  })

  test('a subagent’s log is a session below the one that started it', async () => {
    const { drafts, sessions } = await readFixture(SUBAGENT_LOG)
    expect(sessions).toEqual([{ nativeId: `${IDS.bulbs}/dig`, parent: { nativeId: IDS.bulbs, relation: 'subagent' } }])
    expect(foldTurns(drafts)).toMatchObject([{ prompt: 'Dig bed 3.', ending: 'answered', answer: 'Dug.' }])
  })

  test('a start before any prompt is the first one, and a system prompt is not', () => {
    expect(read({ type: 'session_start', content: 'Go.' })[0]).toMatchObject({ type: 'user_input', opensTurn: true })
    const long = { type: 'session_start', content: 'x'.repeat(5000) }
    expect(read(long)[0]).toMatchObject({ type: 'system', payload: { characters: 5000 } })
    const later = read({ type: 'user', content: 'Go.' }, { type: 'session_start', content: 'You are Kiro.' })
    expect(later.map(({ type }) => type)).toEqual(['user_input', 'system'])
  })

  test('a time may be a number of milliseconds', () => {
    expect(read({ type: 'user', content: 'Go.' })[0]?.at).toBe(1788460200000)
  })

  test('an end for a reason nobody knows ends nothing', () => {
    const drafts = read({ type: 'user', content: 'Go.' }, { type: 'turn_end', stopReason: 'paused' })
    expect(foldTurns(drafts)[0]?.ending).toBeUndefined()
  })
})
