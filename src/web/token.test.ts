import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTokenCheck, readOrMakeToken, tokenFile } from './token.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'varve-token-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

const mode = (): number => statSync(tokenFile(home)).mode & 0o777

describe('the local token', () => {
  it('is made once, for this installation alone, and is the same ever after', () => {
    const token = readOrMakeToken(home)
    expect(token).toMatch(/^varve_[\w-]{43}$/)
    expect(readOrMakeToken(home)).toBe(token)
    expect(readOrMakeToken(join(home, 'other'))).not.toBe(token)
  })

  it.skipIf(process.platform === 'win32')('can be read by its owner only, even after somebody opened it up', () => {
    readOrMakeToken(home)
    expect(mode()).toBe(0o600)
    chmodSync(tokenFile(home), 0o644)
    readOrMakeToken(home)
    expect(mode()).toBe(0o600)
  })

  it('is never guessed when the file holds something else', () => {
    writeFileSync(tokenFile(home), 'secret\n')
    expect(() => readOrMakeToken(home)).toThrow(/holds no token/)
  })
})

describe('createTokenCheck', () => {
  it('knows the token and its cookie, and takes neither for the other', () => {
    const token = readOrMakeToken(home)
    const check = createTokenCheck(token)
    expect(check.isToken(token)).toBe(true)
    expect(check.isCookie(check.cookieValue)).toBe(true)
    for (const wrong of ['', token.slice(0, -1), `${token} `, check.cookieValue])
      expect(check.isToken(wrong)).toBe(false)
    for (const wrong of ['', token, check.cookieValue.toUpperCase()]) expect(check.isCookie(wrong)).toBe(false)
  })

  it('survives a restart, and gives every installation a cookie of its own name', () => {
    const token = readOrMakeToken(home)
    expect(createTokenCheck(token)).toMatchObject({ cookieValue: createTokenCheck(token).cookieValue })
    const other = createTokenCheck(readOrMakeToken(join(home, 'other')))
    expect(other.cookieName).not.toBe(createTokenCheck(token).cookieName)
  })
})
