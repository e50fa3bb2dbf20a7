import { describe, expect, test } from 'vitest'
import { usageTotals } from '../reading.testing.ts'
import { answer, done, draftsOf, message, prompt, promptsOf, said, session } from './testing.ts'

describe('a prompt', () => {
  test('is a text of a user message; a second one in the same message opens no turn', () => {
    const drafts = draftsOf(message('user', {}, said('first'), said('second')))
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn])).toEqual([
      ['user_input', true],
      ['user_input', undefined],
    ])
  })

  test('is no text that the client wrote for the model, or for the user alone', () => {
    const continued = said('Continue if you have next steps.', {
      synthetic: true,
      metadata: { compaction_continue: true },
    })
    expect(promptsOf(prompt('go'), message('user', {}, continued))).toEqual(['go'])
    expect(draftsOf(message('user', {}, continued, said('note', { ignored: true }))).map(({ type }) => type)).toEqual([
      'system',
      'system',
    ])
  })

  test('typed on the command line loses the quotes that the client put around it', () => {
    expect(promptsOf(prompt('"Say \\"hi\\" twice."'))).toEqual(['Say "hi" twice.'])
    expect(promptsOf(prompt('"word"'))).toEqual(['"word"'])
    expect(promptsOf(prompt('"one" and "two"'))).toEqual(['"one" and "two"'])
  })

  test('can be a command for a subagent, or a file alone, whose content is not told', () => {
    const subtask = { type: 'subtask', prompt: 'Look again.', description: 'Look', agent: 'general', command: 'look' }
    expect(promptsOf(message('user', {}, subtask))).toEqual(['Look again.'])
    const url = `data:image/png;base64,${'A'.repeat(8000)}`
    const file = { type: 'file', mime: 'image/png', filename: 'kite.png', url }
    expect(promptsOf(message('user', {}, file))).toEqual(['[file kite.png image/png 6 kB]'])
    const drafts = draftsOf(message('user', {}, said('look'), file))
    expect(drafts.map(({ type, opensTurn }) => [type, opensTurn])).toEqual([
      ['user_input', true],
      ['system', undefined],
    ])
    expect(JSON.stringify(drafts)).not.toContain('AAAA')
  })

  test('that a compaction took out and put in again is history (fault 17)', () => {
    const overflow = message('user', {}, { type: 'compaction', auto: true, overflow: true })
    const summary = answer({ summary: true, finish: 'stop', ...done() }, said('So far'))
    const again = [prompt('Land it.'), overflow, summary, prompt('Land it.')]
    expect(promptsOf(...again)).toEqual(['Land it.'])
    expect(draftsOf(...again).at(-1)).toMatchObject({ text: 'Land it.', copied: true })
    // The same words in a later prompt are a prompt, and other words behind the summary are one too.
    expect(promptsOf(...again, prompt('Land it.'))).toEqual(['Land it.', 'Land it.'])
    expect(promptsOf(prompt('Land it.'), overflow, summary, prompt('Go on.'))).toEqual(['Land it.', 'Go on.'])
  })

  test('of a fork is history when it is older than its session, and its tokens do not count again (fault 4)', () => {
    const old = (role: string, more: object, words: string) =>
      message(role, { time: { created: 10, completed: 20 }, ...more }, said(words, { time_created: 5000 }))
    const drafts = draftsOf(
      session(),
      old('user', {}, 'before'),
      old('assistant', { finish: 'stop', tokens: { input: 5, output: 1 } }, 'answered'),
      prompt('after'),
    )
    expect(drafts.map(({ text, copied, at }) => [text, copied, at]).slice(1, 3)).toEqual([
      ['before', true, 10],
      ['answered', true, 10],
    ])
    expect(drafts.filter(({ opensTurn }) => opensTurn).map(({ text }) => text)).toEqual(['after'])
    expect(usageTotals(drafts).input).toBe(0)
  })
})
