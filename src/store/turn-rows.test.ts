import { describe, expect, it } from 'vitest'
import type { CapturedEvent } from './batch.ts'
import { newTurn, noteTurnEvent, type TurnRow } from './turn-rows.ts'

function event(more: Partial<CapturedEvent>): CapturedEvent {
  return {
    id: Buffer.alloc(16),
    session: 's',
    type: 'runtime',
    at: 1,
    text: '',
    digest: Buffer.alloc(16),
    payload: null,
    nativeId: null,
    model: null,
    tool: null,
    input: null,
    opensTurn: false,
    ends: null,
    copied: false,
    usage: null,
    touches: [],
    recordIndex: 0,
    ...more,
  }
}

function turnOf(...events: Partial<CapturedEvent>[]): TurnRow {
  const turn = newTurn(1, 1, event({}), 1)
  events.forEach((each, index) => {
    noteTurnEvent(turn, event(each), index + 1)
  })
  return turn
}

describe('the final answer of a turn', () => {
  const answer: Partial<CapturedEvent> = { type: 'assistant_response' }
  const commentary: Partial<CapturedEvent> = { type: 'assistant_response', commentary: true }

  it('is the answer that ends the turn', () => {
    expect(turnOf(answer, { ...answer, ends: 'answered' })).toMatchObject({ final_event_pk: 2, terminal_event_pk: 2 })
  })

  it('is the last thing said before a record that only tells the end', () => {
    const turn = turnOf(answer, { type: 'tool_call' }, answer, { ends: 'answered' })
    expect(turn).toMatchObject({ final_event_pk: 3, terminal_event_pk: 4, ending: 'answered' })
  })

  it('is never commentary', () => {
    expect(turnOf(answer, commentary, { ends: 'answered' }).final_event_pk).toBe(1)
    expect(turnOf(commentary, { ends: 'answered' }).final_event_pk).toBeNull()
  })

  it('comes from an end that still holds: work after an end takes it back', () => {
    expect(turnOf({ ...answer, ends: 'answered' }, { type: 'tool_call' })).toMatchObject({
      ending: null,
      terminal_event_pk: null,
    })
    expect(turnOf({ ...answer, ends: 'answered' }, { ends: 'interrupted' })).toMatchObject({ ending: 'interrupted' })
  })

  it('stays the later one when an earlier event is read again', () => {
    const turn = turnOf(answer, { ...answer, ends: 'answered' })
    noteTurnEvent(turn, event(commentary), 1, true)
    noteTurnEvent(turn, event(answer), 1, true)
    expect(turn).toMatchObject({ final_event_pk: 2, terminal_event_pk: 2, ending: 'answered' })
  })
})
