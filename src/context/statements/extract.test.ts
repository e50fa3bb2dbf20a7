import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptsPrevious, statementsOf } from './extract.ts'
import { CONSTRAINT_SENTENCES, DECISION_SENTENCES, OTHER_SENTENCES } from './labelled.testing.ts'
import type { StatementOrigin } from './statement.ts'

const PROMPT: StatementOrigin = { kind: 'prompt' }
const found = (text: string, origin: StatementOrigin = PROMPT) =>
  statementsOf(text, origin).map(({ kind, text: own, line }) => [kind, own, line])
const kindOf = (text: string) => statementsOf(text, PROMPT)[0]?.kind

describe('statements in prompts', () => {
  const wrong = (sentences: readonly string[], kind: string | undefined) =>
    sentences.filter((sentence) => kindOf(sentence) !== kind)

  it('17: are decisions when they state a choice already made', () => {
    expect(wrong(DECISION_SENTENCES, 'decision')).toEqual([])
  })

  it('18: are constraints when they say what must and must not be', () => {
    expect(wrong(CONSTRAINT_SENTENCES, 'constraint')).toEqual([])
  })

  it('are not questions, suppositions, reports, thanks and orders of the moment', () => {
    expect(wrong(OTHER_SENTENCES, undefined)).toEqual([])
  })

  it('are not in quotes, fences, tables, markup, logs, diffs or commands', () => {
    const text = [
      '> We decided to use Redis.',
      '```',
      'Never commit secrets.',
      '```',
      '| Never commit secrets. | x |',
      '<system-reminder>',
      'You must never commit secrets.',
      '</system-reminder>',
      '2026-01-02 10:11:12 ERROR must not be empty',
      '    at must (never.js:1:2)',
      '+ Never commit secrets.',
      '$ never commit secrets',
      '/plan we must never commit secrets',
      '{"rule": "Never commit secrets."}',
      'We decided to keep Redis.',
    ].join('\n')
    expect(found(text)).toEqual([['decision', 'We decided to keep Redis.', 15]])
  })

  it('follow a bare answer', () => {
    expect(found('No. Count the filled fields and keep the fuller record.')).toEqual([
      ['decision', 'Count the filled fields and keep the fuller record.', 1],
    ])
    expect(found('Count the filled fields.')).toEqual([])
  })

  it('are list items without their marks, and go on over wrapped lines', () => {
    const text =
      'Rules:\r\n\r\n  - [ ] Never commit generated files to the repository, since they are\r\n    made again by every build.\r\n2. Always sign tags.\r\n'
    expect(found(text)).toEqual([
      [
        'constraint',
        'Never commit generated files to the repository, since they are\r\n    made again by every build.',
        3,
      ],
      ['constraint', 'Always sign tags.', 5],
    ])
  })

  it('14: have 280 characters at most, cut at the end of a clause', () => {
    const long = `We decided to use Redis for the queues, since ${'the queue is long and '.repeat(8)}it grows; ${'and so on '.repeat(20)}.`
    const [only] = statementsOf(long, PROMPT)
    expect(only?.text.length).toBeLessThanOrEqual(280)
    expect(only?.text.endsWith('it grows;')).toBe(true)
    const emoji = statementsOf(`Never use ${'💡'.repeat(300)}`, PROMPT)[0]?.text ?? ''
    expect(/\p{Cs}/u.test(emoji)).toBe(false)
  })

  it('of a very long prompt are taken from its beginning and its end', () => {
    const text = `Never lose the beginning.\n${'x '.repeat(7_000)}\nNever read the middle.\n${'x '.repeat(7_000)}\nNever lose the end.`
    expect(found(text).map(([, own]) => own)).toEqual(['Never lose the beginning.', 'Never lose the end.'])
  })
})

describe('statements in answers', () => {
  const answer = 'The cache is cold.\n\nI recommend keeping the index in memory. We will use a single writer for it.'

  it('count only when the user accepts them', () => {
    expect(found(answer, { kind: 'answer', nextPrompt: 'Yes, do it.' })).toEqual([
      ['decision', 'I recommend keeping the index in memory.', 3],
      ['decision', 'We will use a single writer for it.', 3],
    ])
    expect(found(answer, { kind: 'answer', nextPrompt: 'Why?' })).toEqual([])
    expect(statementsOf(answer, { kind: 'answer', nextPrompt: 'ok' }).map(({ saidBy }) => saidBy)).toEqual([
      'assistant',
      'assistant',
    ])
  })

  it('are accepted by a yes that is not taken back', () => {
    const yes = [
      'yes',
      'Yes.',
      'ok do it',
      'Go ahead',
      'agreed!',
      'LGTM',
      'Perfect, thanks.',
      'sounds good',
      'Right — ship it.',
      '👍',
      'ja',
      'oui, parfait',
      '好的',
    ]
    expect(yes.filter((prompt) => !acceptsPrevious(prompt))).toEqual([])
    const no = [
      'no',
      'yes, but use Redis',
      'ok, why?',
      'Right, I get that. What about Redis?',
      'not yet',
      'Absolutely not',
      'good point',
      'ok wait',
      'Okay, that clarifies it.',
      'now run it',
      'yesterday it worked',
      '',
      'Right. Hmm. No.',
      'ok if it is fast',
    ]
    expect(no.filter(acceptsPrevious)).toEqual([])
  })
})

describe('statements of saves', () => {
  it('are what was saved as a decision, whatever its words', () => {
    expect(statementsOf('\n  Docker: no.\n', { kind: 'save' })).toMatchObject([
      { kind: 'decision', text: 'Docker: no.', start: 3, line: 2, saidBy: 'save' },
    ])
    expect(statementsOf('  \n', { kind: 'save' })).toEqual([])
  })
})

describe('all statements', () => {
  const piece = fc.oneof(
    fc.constantFrom(...DECISION_SENTENCES, ...CONSTRAINT_SENTENCES, ...OTHER_SENTENCES),
    fc.constantFrom('\n', '\r\n', '- ', '# Decisions\n', '```', '> ', '2026-01-02 ', '<x>', ' ', '| ', '💡'),
    fc.string({ maxLength: 20 }),
  )
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' '))
  const origin = fc.constantFrom<StatementOrigin>(
    PROMPT,
    { kind: 'answer', nextPrompt: 'yes' },
    { kind: 'document', path: 'DECISIONS.md', role: 'tracker' },
    { kind: 'document', path: 'docs/adr/1.md', role: 'tracker' },
    { kind: 'document', path: 'AGENTS.md', role: 'rule' },
    { kind: 'save' },
  )

  it('19, 22: are in the text, word for word, where they say', () => {
    fc.assert(
      fc.property(text, origin, (whole, from) => {
        for (const { text: own, start, line, subject } of statementsOf(whole, from)) {
          expect(whole.slice(start, start + own.length)).toBe(own)
          expect(whole.slice(0, start).split('\n').length).toBe(line)
          expect(own.length).toBeLessThanOrEqual(280)
          expect(new Set(subject).size).toBe(subject.length)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('take time with the length of a hostile text, and no more', () => {
    const size = 1_000_000
    const lines = [
      'never '.repeat(size / 6),
      '- '.repeat(size / 2),
      'a'.repeat(size),
      '. '.repeat(size / 2),
      '<a>'.repeat(size / 3),
      '<a>\n'.repeat(size / 4),
      `${'we decided '.repeat(300)}\n`.repeat(size / 3_300),
      'use a, not b; '.repeat(size / 14),
      `use ${'x '.repeat(240)}\n`.repeat(size / 484),
      `${' '.repeat(3_000)}x\n`.repeat(size / 3_002),
      '"'.repeat(size),
      '{ = '.repeat(size / 4),
    ]
    for (const each of lines) {
      for (const from of [
        PROMPT,
        { kind: 'document', path: 'AGENTS.md', role: 'rule' },
        { kind: 'save' },
      ] satisfies StatementOrigin[]) {
        expect(statementsOf(each, from).length).toBeLessThanOrEqual(300)
      }
    }
  })
})
