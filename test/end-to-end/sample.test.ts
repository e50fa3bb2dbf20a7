import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, makeMachine } from './recording-terminal.ts'

let machine: Machine
beforeEach(() => {
  machine = makeMachine()
})
afterEach(() => machine.remove())

type Row = Record<string, unknown>

test('the sample is understood to the last record and shows every kind of thing', async () => {
  const { out } = await machine.run(['export', '--include-sensitive'])
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  const sessions = rows.filter(({ kind }) => kind === 'session')
  const events = rows.filter(({ kind }) => kind === 'event')

  expect(sessions.map(({ harness }) => harness).sort()).toEqual([
    ...Array(5).fill('claude-code'),
    ...Array(3).fill('codex'),
  ])
  expect(sessions.filter(({ completed }) => completed !== true)).toEqual([])
  expect(sessions.filter(({ parent_relation: relation }) => relation === 'subagent')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'unknown')).toEqual([])
  const endings = new Set(events.map(({ ending }) => ending))
  for (const ending of ['answered', 'interrupted', 'failed']) expect(endings).toContain(ending)
  const exitCodes = new Set(events.map(({ exit_code: code }) => code))
  for (const code of [0, 1, 2]) expect(exitCodes).toContain(code)
  expect(out).not.toContain('[REDACTED')
})

test('the sample knows which sessions touched a file', async () => {
  const { out } = await machine.run(['touched', '/home/sam/tidewatch/src/commands/next.ts', '--scope', 'all', '--json'])
  const { data } = JSON.parse(out) as { data: { sessions: { session: { harness: string } }[] } }
  expect(data.sessions.map(({ session }) => session.harness).sort()).toEqual(['claude-code', 'codex', 'codex'])
})
