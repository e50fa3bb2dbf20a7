import { describe, expect, test } from 'vitest'
import { foldTurns, usageTotals } from '../reading.testing.ts'
import { readConversations } from '../web-export.testing.ts'
import { textOfHtml } from './html.ts'
import { geminiWeb } from './index.ts'

const user = (text: string, more: object = {}) => ({ role: 'user', text, ...more })
const model = (text: string, more: object = {}) => ({ role: 'model', text, ...more })
const readChunks = (...chunks: object[]) => readConversations(geminiWeb, { id: 'p', chunkedPrompt: { chunks } })
const turns = (...chunks: object[]) => foldTurns(readChunks(...chunks).drafts)

describe('a prompt of AI Studio', () => {
  test('has a turn for each prompt, with what was attached in chunks of its own', () => {
    const told = turns(
      user('What is this?'),
      user('', { driveDocument: { id: '1', name: 'spec.pdf' } }),
      model('A plan.', { finishReason: 'STOP' }),
      user('And now?'),
      model('Begin.', { finishReason: 'STOP' }),
    )
    expect(told).toMatchObject([
      { prompt: 'What is this?', answer: 'A plan.', ending: 'answered' },
      { prompt: 'And now?', answer: 'Begin.', ending: 'answered' },
    ])
  })

  test.each<[object, string | undefined]>([
    [{ finishReason: 'STOP' }, 'answered'],
    [{ finishReason: 'SAFETY' }, 'failed'],
    [{ finishReason: 'MAX_TOKENS' }, 'failed'],
    [{ errorMessage: 'Stream interrupted' }, 'failed'],
    [{}, undefined],
  ])('with %j at its end has ended %s', (more, ending) => {
    expect(turns(user('u'), model('m', more))[0]?.ending).toBe(ending)
  })

  test('46: tells what was attached by name, never by content', () => {
    const inline = { inlineFile: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
    const { drafts } = readChunks(user('', inline), user('', { youtubeVideo: { id: 'abc' } }))
    expect(drafts.slice(1).map(({ text }) => text)).toEqual(['[file image/png]', '[file youtubeVideo abc]'])
  })

  test('has thoughts, and code that ran, whether in one chunk or in two', () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(4)' } }
    const failed = { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } }
    const { drafts } = readChunks(
      user('u'),
      model('Hm.', { isThought: true, tokenCount: 5 }),
      model('So:', { ...code, codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4' } }),
      model('', code),
      model('', failed),
      model('4.', { finishReason: 'STOP', tokenCount: 2 }),
    )
    expect(drafts.slice(2).map(({ type }) => type)).toEqual([
      'reasoning',
      'assistant_response',
      'tool_call',
      'tool_response',
      'tool_call',
      'tool_response',
      'assistant_response',
    ])
    expect(foldTurns(drafts)[0]).toMatchObject({ calls: ['code_execution', 'code_execution failed'], answer: '4.' })
    expect(usageTotals(drafts)).toEqual({ input: 0, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 5 })
  })

  test('without an id is known by its beginning, however it goes on', () => {
    const talk = (...chunks: object[]) => ({ chunkedPrompt: { chunks } })
    const begun = user('u', { createTime: '2026-01-01T00:00:00Z' })
    const [first, grown] = readConversations(geminiWeb, talk(begun), talk(begun, model('m'))).sessions
    expect(grown?.nativeId).toBe(first?.nativeId)
  })
})

describe('the activity of the Gemini app', () => {
  const item = (title: string, more: object = {}) => ({
    header: 'Gemini Apps',
    title,
    time: '2026-05-01T10:00:00.250Z',
    products: ['Gemini Apps'],
    ...more,
  })
  const read = (title: string, more?: object) => readConversations(geminiWeb, item(title, more))
  const html = (text: string) => ({ safeHtmlItem: [{ html: text }] })

  test('is a prompt and its answer', () => {
    expect(foldTurns(read('Prompted Name a herb', html('<p>Thyme.</p>')).drafts)).toMatchObject([
      { prompt: 'Name a herb', answer: 'Thyme.', ending: 'answered' },
    ])
    expect(foldTurns(read('Nenne ein Kraut', html('Thymian.')).drafts)[0]).toMatchObject({ prompt: 'Nenne ein Kraut' })
  })

  test('without an answer is a prompt that is open, or no prompt at all', () => {
    expect(foldTurns(read('Prompted Name a herb').drafts)[0]?.ending).toBeUndefined()
    expect(read('Used an Assistant feature').drafts).toMatchObject([{ type: 'system' }])
  })

  test('belongs to the conversation it links to, and else stands alone', () => {
    const session = (titleUrl?: string) => read('Prompted x', { titleUrl }).sessions[0]?.nativeId
    expect(session('https://gemini.google.com/app/0123456789abcdef')).toBe('0123456789abcdef')
    expect(session('https://gemini.google.com/u/1/app/0123456789abcdef')).toBe('0123456789abcdef')
    expect(session()).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each([
    ['<p>a</p><p>b</p>', 'a\nb'],
    ['a<br>b &lt;i&gt; &amp;amp; &#39;c&#39; &#x1F331; &bogus; &#xD800;', "a\nb <i> &amp; 'c' 🌱 &bogus; &#xD800;"],
    ['<ul>\n  <li>x</li>\n  <li>y</li>\n</ul>', '- x\n- y'],
    ['<pre><code>if (a < b) {}</code></pre>', 'if (a < b) {}'],
  ])('%s reads %j', (given, text) => {
    expect(textOfHtml(given)).toBe(text)
  })

  test('HTML that only begins is text', () => {
    expect(textOfHtml('<'.repeat(500_000)).length).toBe(500_000)
    expect(textOfHtml(`${'\n '.repeat(200_000)}x`)).toBe('x')
  })
})
