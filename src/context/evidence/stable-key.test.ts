import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { harnessesNamed, sourceNameOf } from '../source-names.ts'
import { isStableKey } from './locate.ts'
import { conversationKey, digestKey, documentKey, saveKey, sectionKey, statementKey } from './stable-key.ts'

describe('stable evidence keys (2.11)', () => {
  it('have the forms of their kinds', () => {
    expect(conversationKey('codex', '73403f50-d94b')).toBe('conversation:codex_cli:73403f50-d94b')
    expect(saveKey('claude_code', 'a1')).toBe('conversation:claude_code:a1')
    expect(documentKey('0123abcd', 'docs/Über uns.md')).toBe('document:0123abcd:docs/%C3%9Cber%20uns.md')
    expect(sectionKey('document:0123abcd:README.md', 'set-up')).toBe('document:0123abcd:README.md#set-up')
    expect(sectionKey('document:0123abcd:README.md', '')).toBe('document:0123abcd:README.md')
    expect(digestKey('0123abcd', '2026-W07')).toBe('digest:0123abcd:2026-W07')
    expect(statementKey('decision', 'document:0123abcd:TODO.md', 'We  use\nX')).toMatch(
      /^statement:decision:document:0123abcd:TODO\.md@[0-9a-f]{8}$/,
    )
  })

  it('of statements depend on the words, not on white space or case', () => {
    const of = (text: string) => statementKey('decision', 'conversation:codex_cli:1', text)
    expect(of('We use  X')).toBe(of('we use\nx '))
    expect(of('We use X')).not.toBe(of('We use Y'))
  })

  it('are ASCII of at most 256 bytes for any name, and differ where names do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 }), (id, text) => {
        const parent = conversationKey('codex', id)
        for (const key of [parent, sectionKey(documentKey('0', id), id), statementKey('constraint', parent, text)]) {
          expect(Buffer.byteLength(key)).toBeLessThanOrEqual(256)
          expect(isStableKey(key)).toBe(true)
        }
        expect(conversationKey('codex', `${id}x`)).not.toBe(parent)
      }),
    )
    expect(documentKey('0', `${'a/'.repeat(300)}x`)).not.toBe(documentKey('0', `${'a/'.repeat(300)}y`))
    expect(conversationKey('codex', 'a\ud800b')).toBe('conversation:codex_cli:a%EF%BF%BDb')
  })

  it('name conversations by the sources of the tools, and back', () => {
    const harnesses = ['claude-code', 'codex', 'grok-cli', 'cursor', 'gemini-cli', 'chatgpt', 'gemini-web', 'kiro-cli']
    for (const harness of harnesses) expect(harnessesNamed(sourceNameOf(harness))).toContain(harness)
    expect(harnesses.map(sourceNameOf)).toEqual([
      'claude_code',
      'codex_cli',
      'grok_cli',
      'cursor_composer',
      'gemini_cli',
      'chatgpt_web',
      'gemini_web',
      'kiro_cli',
    ])
  })
})
