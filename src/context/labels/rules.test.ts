import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DOMAINS, INTENTS, QUALITIES, type SessionEvidence, type TermFrequencies } from './label.ts'
import { labelsOf } from './rules.ts'
import { singularOf } from './topics.ts'

const UNKNOWN: TermFrequencies = { documents: 0, frequencyOf: () => undefined }

const session = (facts: Partial<SessionEvidence>): SessionEvidence => {
  const { prompts = [], answers = [] } = facts
  return {
    harness: 'claude-code',
    prompts,
    answers,
    promptCount: prompts.length,
    proseBytes: Buffer.byteLength([...prompts, ...answers].join('')),
    toolCalls: {},
    filesChanged: [],
    filesRead: [],
    decisions: [],
    ...facts,
  }
}
const label = (facts: Partial<SessionEvidence>, frequencies = UNKNOWN) => labelsOf(session(facts), frequencies)

describe('67: the domain', () => {
  const domain = (harness: string, ...prompts: string[]) => label({ harness, prompts }).domain

  it('is that of the words', () => {
    expect(domain('chatgpt', 'Plan a trip: cheap flight, a hotel near the beach, two museums.')).toBe('travel')
    expect(domain('chatgpt', 'Which medication helps against a headache with fever?')).toBe('health')
    expect(domain('claude-web', 'Should I put my savings into an ETF or pay back the mortgage?')).toBe('finance')
    expect(domain('grok-web', 'Write a short poem about autumn, the narrator is a fox, with a rhyme.')).toBe('creative')
    expect(domain('chatgpt', 'Draft a sales pitch for our enterprise customers, and a pricing strategy.')).toBe(
      'business',
    )
    expect(domain('chatgpt', 'Fix this TypeScript function, the compiler complains about the module.')).toBe('tech')
    expect(domain('chatgpt', 'What gift could I get my sister for her birthday?')).toBe('personal')
  })

  it('is tech in a doubtful case of a program for developers, personal in one of a web client', () => {
    expect(domain('codex', 'Continue.')).toBe('tech')
    expect(domain('codex', 'Show the price of a hotel.')).toBe('tech')
    expect(domain('chatgpt', 'Continue.')).toBe('personal')
    expect(domain('claude-code', 'Plan our holiday: flight, hotel, itinerary, passport, luggage, a museum.')).toBe(
      'travel',
    )
  })
})

describe('68: the intent', () => {
  const intent = (facts: Partial<SessionEvidence>) => label(facts).intent
  const said = (...prompts: string[]) => intent({ prompts })

  it('is the first that fits: decision, troubleshoot, build, research, learn, brainstorm', () => {
    expect(intent({ prompts: ['The build fails.'], decisions: ['Use pnpm.'] })).toBe('decision')
    expect(said('The build fails with exit code 2, add a retry.')).toBe('troubleshoot')
    expect(said('Implement the export.')).toBe('build')
    expect(intent({ prompts: ['Make it nicer, ideas?'], filesChanged: ['a.css'] })).toBe('build')
    expect(said('Compare the libraries for charts.')).toBe('research')
    expect(intent({ prompts: ['The state of the art'], toolCalls: { WebSearch: 2 } })).toBe('research')
    expect(said('Explain how the scheduler works.')).toBe('learn')
    expect(said('How do I add a column?')).toBe('learn')
    expect(said('Give me ideas for the name of a boat.')).toBe('brainstorm')
  })

  it('is read from the first prompt and the last three', () => {
    expect(said('Explain this.', 'It crashes.', 'Explain a.', 'Explain b.', 'Explain c.')).toBe('learn')
    expect(said('Explain this.', 'Explain a.', 'It crashes.', 'Explain b.', 'Explain c.')).toBe('troubleshoot')
  })
})

describe('69: the quality', () => {
  const long = 'We went through the whole exporter. '.repeat(30)

  it('is high with three signs of a result in a session long enough', () => {
    const prompts = [long, 'a b c', 'd e f', 'g h i', 'j k l', 'Perfect, thanks.']
    const answers = ['Done, 12 tests passed.']
    expect(label({ prompts, answers, filesChanged: ['a.ts'], ending: 'answered' }).quality).toBe('high')
    expect(label({ prompts, answers, filesChanged: [], ending: 'answered' }).quality).toBe('medium')
    expect(label({ prompts: [long, 'ok'], answers, filesChanged: ['a.ts', 'b.ts', 'c.ts'] }).quality).toBe('medium')
    expect(label({ prompts: [long.repeat(9), 'ok'], filesChanged: ['a', 'b', 'c'] }).quality).toBe('high')
  })

  it('is low with next to no prose, one prompt without result, or commands alone', () => {
    expect(label({ prompts: ['hi', 'there'] }).quality).toBe('low')
    expect(label({ prompts: [long] }).quality).toBe('low')
    expect(label({ prompts: [long], filesChanged: ['a.ts'] }).quality).toBe('medium')
    expect(label({ prompts: ['/clear', '/model x'], proseBytes: 5_000 }).quality).toBe('low')
  })
})

describe('70: topics', () => {
  it('are phrases that are rare in the archive, and folders, lower-case and singular', () => {
    const frequencies: TermFrequencies = {
      documents: 1_000,
      frequencyOf: (word) => (word === 'button' ? 900 : word === 'installers' ? 2 : 40),
    }
    const { topics } = label(
      {
        prompts: ['Check the macOS installers on the button.', 'The macOS installers need a signature.'],
        cwd: '/home/ada/projects/rift',
        filesChanged: ['/home/ada/projects/rift/src/notarize/sign.ts'],
      },
      frequencies,
    )
    expect(topics[0]).toBe('macos installer')
    expect(topics).toContain('rift')
    expect(topics).toContain('notarize')
    expect(topics).not.toContain('src')
    expect(topics.length).toBeLessThanOrEqual(6)
  })

  it('are not of code, links and paths', () => {
    const { topics } = label({
      prompts: [
        'Rewrite the importer:\n```\nconst zebra = 1\n```\nsee https://example.com/giraffe and src/monkey/lion.ts `panther`',
      ],
    })
    expect(topics.join(' ')).not.toMatch(/zebra|giraffe|monkey|lion|panther/)
    expect(topics.join(' ')).toContain('importer')
  })

  it('have their plurals taken away, and nothing else', () => {
    expect(
      ['queries', 'boxes', 'files', 'class', 'status', 'analysis', 'css', 'bus', 'matches', 'kubernetes'].map(
        singularOf,
      ),
    ).toEqual(['query', 'box', 'file', 'class', 'status', 'analysis', 'css', 'bus', 'match', 'kubernete'])
  })
})

describe('title and summary', () => {
  it("are the client's title, or the first sentence that says something", () => {
    expect(label({ title: ' Installer\n check ', prompts: ['x'] }).title).toBe('Installer check')
    expect(label({ prompts: ['hi', '```\ncode here now\n```\nCheck the installer. Then stop.'] }).title).toBe(
      'Check the installer.',
    )
    expect(label({ prompts: [] }).title).toBe('')
  })

  it('61: the summary is of sentences of the session, 800 characters at most', () => {
    const prompts = [
      'The exporter drops rows of large tables.',
      'I like tea.',
      'Large tables lose rows in the exporter when the batch is full.',
    ]
    const { summary } = label({
      prompts,
      answers: ['Working on it now.', 'The exporter keeps all rows of large tables now.'],
    })
    expect(summary).not.toContain('tea')
    expect(summary).toContain('The exporter keeps all rows of large tables now.')
    expect(label({ prompts: [`${'word '.repeat(70)}. `.repeat(9)] }).summary.length).toBeLessThanOrEqual(800)
  })
})

describe('labels', () => {
  it('are within their bounds, and the same for the same session', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('/clear', 'Fix it.', '```'),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (prompts, answers) => {
        const labels = label({ prompts, answers })
        expect(DOMAINS).toContain(labels.domain)
        expect(INTENTS).toContain(labels.intent)
        expect(QUALITIES).toContain(labels.quality)
        expect(labels.topics.length).toBeLessThanOrEqual(6)
        expect(labels.title.length).toBeLessThanOrEqual(160)
        expect(labels.summary.length).toBeLessThanOrEqual(800)
        expect(label({ prompts, answers })).toEqual(labels)
      }),
      { numRuns: 200 },
    )
  })

  it('of hostile texts take time with their length', () => {
    const size = 200_000
    for (const text of [
      'a'.repeat(size),
      'ab '.repeat(size / 3),
      './'.repeat(size / 2),
      '`'.repeat(size),
      '<'.repeat(size),
      '['.repeat(size),
      'a/'.repeat(size / 2),
      '\n at x'.repeat(size / 6),
      '-a'.repeat(size / 2),
      'Error: '.repeat(size / 7),
      'A b c. '.repeat(size / 7),
    ]) {
      expect(label({ prompts: [text], answers: [text] }).labelSource).toBe('rules')
    }
  })
})
