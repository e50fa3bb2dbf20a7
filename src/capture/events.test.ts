import { describe, expect, test } from 'vitest'
import type { Draft } from '../core/event.ts'
import { eventId, toEvent } from './events.ts'
import { createRedactor } from './redact/index.ts'
import { createScrubber } from './scrub.ts'

const redactor = createRedactor({ enabled: true })
const scrubber = createScrubber((text) => redactor.redact(text))
const origin = { harness: 'h', recordIndex: 3, text: '{"a":1}' }
const draft: Draft = { session: 's', type: 'user_input', text: 'hello', native: { index: 0 } }

const event = (changes: Partial<Draft> = {}) => toEvent({ ...draft, ...changes }, 's', origin, scrubber)

describe('the id of an event', () => {
  const id = (changes: Partial<Draft> = {}, from = origin, session = 's') =>
    eventId({ ...draft, ...changes }, session, from).toString('hex')

  test('comes from the native id, wherever the record stands and whatever it says', () => {
    const native = { id: 'n', index: 0 }
    expect(id({ native })).toBe(id({ native, text: 'else' }, { ...origin, recordIndex: 9, text: 'x' }))
    expect(id({ native })).not.toBe(id({ native: { id: 'n', index: 1 } }))
    expect(id({ native })).not.toBe(id({ native }, origin, 't'))
    expect(id({ native })).not.toBe(id({ native }, { ...origin, harness: 'g' }))
  })

  test('else from the record and its place, so that equal records are two events', () => {
    expect(id()).toBe(id({ text: 'redacted otherwise' }))
    expect(id()).not.toBe(id({}, { ...origin, recordIndex: 4 }))
    expect(id()).not.toBe(id({}, { ...origin, text: '{"a":2}' }))
  })

  test('a native id that looks like a place is no place', () => {
    expect(id({ native: { id: 'place', index: 0 } })).not.toBe(id())
  })
})

describe('the digest of an event', () => {
  const digest = (changes: Partial<Draft> = {}) => event(changes).digest.toString('hex')

  test('changes with everything a reader sees', () => {
    const tool = { name: 'Bash', phase: 'call' as const, input: { command: 'ls' } }
    const all = [
      digest(),
      digest({ text: 'bye' }),
      digest({ type: 'system' }),
      digest({ ends: 'answered' }),
      digest({ ends: 'failed' }),
      digest({ tool }),
      digest({ tool: { ...tool, input: { command: 'pwd' } } }),
      digest({ tool: { ...tool, exitCode: 1 } }),
      digest({ tool: { ...tool, error: true } }),
      digest({ text: '', payload: 1 }),
      digest({ text: '', payload: 2 }),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('C38: tells long texts apart that only differ in their end', () => {
    expect(digest({ text: `${'x'.repeat(200_000)}a` })).not.toBe(digest({ text: `${'x'.repeat(200_000)}b` }))
  })

  test('native fields beside a text make none, so that a copy is told as one', () => {
    expect(digest({ payload: { uuid: 1 } })).toBe(digest({ payload: { uuid: 2 } }))
  })
})

describe('what an event holds', () => {
  test('secrets go from text, payload and arguments (fault 109)', () => {
    const secret = `ghp_${'Ab3dE5fG7hI9'.repeat(3)}`
    const { text, payload, input } = event({
      text: `token ${secret}`,
      payload: { note: secret, keep: 'this' },
      tool: { name: 'Bash', phase: 'call', input: { command: `curl -H "Authorization: Bearer ${secret}"` } },
    })
    for (const stored of [text, payload, input]) {
      expect(stored).not.toContain(secret)
      expect(stored).toContain('[REDACTED:')
    }
    expect(JSON.parse(payload ?? '')).toMatchObject({ keep: 'this' })
    expect(JSON.parse(input ?? '')).toHaveProperty('command')
  })

  test('a private key is redacted before its base64 is shortened', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq1Zx9'.repeat(40).replace(/.{64}/g, '$&\n')}\n-----END RSA PRIVATE KEY-----`
    expect(event({ text: `x ${key} y` }).text).toMatch(/^x \[REDACTED:[a-z-]+\] y$/)
    expect(event({ payload: { key } }).payload).toMatch(/^\{"key":"\[REDACTED:[a-z-]+\]"\}$/)
  })

  test('a redaction that would break the JSON is done string by string', () => {
    const greedy = createScrubber((text) => text.replace(/SECRET.*/, '[gone]'))
    const { payload } = toEvent({ ...draft, payload: { a: 'x SECRET y', b: [1, 'z'] } }, 's', origin, greedy)
    expect(JSON.parse(payload ?? '')).toEqual({ a: 'x [gone]', b: [1, 'z'] })
  })

  test('numbers fit their columns', () => {
    const usage = { id: 'u', input: 1.7, output: Number.NaN, cacheRead: -5, cacheWrite: 1e300, reasoning: 2 }
    const { tool, usage: counted } = event({ usage, tool: { name: 'Bash', phase: 'response', exitCode: 3221225786 } })
    expect(tool?.exitCode).toBe(-1073741510)
    expect(counted).toEqual({
      id: 'u',
      input: 1,
      output: 0,
      cacheRead: 0,
      cacheWrite: Number.MAX_SAFE_INTEGER,
      reasoning: 2,
    })
    expect(event({ tool: { name: 'Bash', phase: 'response', exitCode: 0.5 } }).tool?.exitCode).toBeNull()
  })

  test('foreign names are cleaned', () => {
    expect(event({ tool: { name: 'a\0b', phase: 'call', callId: '\ud800' }, model: 'm\0' })).toMatchObject({
      tool: { name: 'a\ufffdb', callId: '\ufffd' },
      model: 'm\ufffd',
    })
  })
})
