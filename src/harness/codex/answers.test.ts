import { describe, expect, it } from 'vitest'
import { done, endings, event, item, message, readRecords, record, turnsOf, types } from './testing.ts'

describe('answers and reasoning', () => {
  it('C36, C40: counts an answer once and names it by the id of the message, whichever side tells it', () => {
    const itemSide = message('assistant', 'Done.', { id: 'msg_1', phase: 'final_answer' })
    const eventSide = done({
      type: 'AgentMessage',
      id: 'msg_1',
      content: [{ type: 'Text', text: 'Done.' }],
      phase: 'final_answer',
    })
    for (const values of [
      [itemSide, eventSide],
      [eventSide, itemSide],
    ]) {
      const { drafts } = readRecords(values)
      expect(drafts.map(({ type }) => type)).toEqual(['assistant_response', 'runtime'])
      expect(drafts[0]).toMatchObject({ native: { id: 'message:msg_1' }, ends: 'answered' })
    }
  })

  it('marks commentary, which is never the answer', () => {
    const values = [
      message('user', 'Fly it.'),
      message('assistant', 'It flies.'),
      message('assistant', 'I look at the sky.', { phase: 'commentary' }),
      event('task_complete', { last_agent_message: 'It flies.' }),
    ]
    const { drafts } = readRecords(values)
    expect(drafts[2]).toMatchObject({ commentary: true })
    expect(turnsOf(drafts)).toMatchObject([{ ending: 'answered', answer: 'It flies.' }])
  })

  it('keeps an answer that only the event tells, and one that only the item tells', () => {
    expect(types([event('agent_message', { message: 'cut short' }), event('turn_aborted')])).toEqual([
      'assistant_response',
      'runtime',
    ])
    expect(types([message('assistant', 'Done.')])).toEqual(['assistant_response'])
  })

  it('C40: matches the parts of a summary with the events that showed them one by one', () => {
    const part = (text: string) => ({ type: 'summary_text', text })
    const values = [
      event('agent_reasoning', { text: 'first' }),
      event('agent_reasoning', { text: 'second' }),
      item('reasoning', { summary: [part('first'), part('second'), part('third')], encrypted_content: 'cipher' }),
    ]
    expect(readRecords(values).drafts.map(({ type, text }) => [type, text])).toEqual([
      ['reasoning', 'first'],
      ['reasoning', 'second'],
      ['reasoning', 'third'],
    ])
  })

  it('keeps the payload of reasoning that is only there encrypted, and only the size beside a summary', () => {
    const hidden = item('reasoning', { id: 'rs_1', summary: [], encrypted_content: 'cipher' })
    const shown = item('reasoning', { id: 'rs_2', summary: [{ text: 'seen' }], encrypted_content: 'cipher' })
    const { drafts } = readRecords([done({ type: 'Reasoning', id: 'rs_1', summary_text: [] }), hidden, shown])
    expect(drafts).toMatchObject([
      { type: 'runtime' },
      { type: 'reasoning', text: '', payload: { encrypted_content: 'cipher' } },
      { type: 'reasoning', text: 'seen', payload: { encrypted_characters: 6 } },
    ])
  })

  it('C74: stamps the model in force on what the model said', () => {
    const context = (model: string) => record(1, 'turn_context', { model })
    const values = [context('a'), message('assistant', '1'), context('b'), message('assistant', '2')]
    expect(readRecords(values).drafts.map(({ model }) => model)).toEqual([undefined, 'a', undefined, 'b'])
  })
})

describe('ends of turns', () => {
  const prompt = message('user', 'Fly it.')

  it('tells a good end from a failed one by the error, not by the type', () => {
    expect(endings([prompt, event('task_complete', { last_agent_message: 'ok' })])).toEqual(['answered'])
    expect(endings([prompt, event('turn_complete', { last_agent_message: 'ok' })])).toEqual(['answered'])
    expect(endings([prompt, event('task_complete', { last_agent_message: null, error: { message: '401' } })])).toEqual([
      'failed',
    ])
    expect(
      endings([prompt, event('error', { message: 'quota' }), event('task_complete', { last_agent_message: null })]),
    ).toEqual(['failed'])
    expect(
      endings([
        prompt,
        event('error', { message: 'quota' }),
        message('assistant', 'ok'),
        event('task_complete', { last_agent_message: 'ok' }),
      ]),
    ).toEqual(['answered'])
    expect(endings([prompt, event('turn_aborted', { reason: 'interrupted' })])).toEqual(['interrupted'])
  })

  it('says nothing of an end that no record tells', () => {
    expect(endings([prompt, message('assistant', 'ok')])).toEqual([undefined])
  })

  it('lets a compact command, which has no prompt, end nothing', () => {
    const compact = [
      event('task_started', { turn_id: 't' }),
      message('assistant', 'Summary', { phase: 'final_answer' }),
      record(1, 'compacted', { message: 'Summary so far', replacement_history: [{ type: 'message', role: 'user' }] }),
      event('task_complete', { turn_id: 't', last_agent_message: null }),
    ]
    Object.assign(compact[1] ?? {}, { metadata: { compaction_output: true } })
    const values = [prompt, event('turn_aborted', { reason: 'interrupted' }), ...compact]
    expect(endings(values)).toEqual(['interrupted'])
    expect(types(compact)).toEqual(['runtime', 'runtime', 'compaction', 'runtime'])
  })
})
