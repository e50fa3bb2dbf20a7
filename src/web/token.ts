/**
 * The local token: what a program on this machine shows to prove that it may read its owner's archive. It lies in a
 * file that only the owner can read, so that clients can be given it; a running server keeps nothing but its hash.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/errors.ts'

const PATTERN = /^varve_[A-Za-z0-9_-]{43}$/

/** Where the token of an installation lies. */
export function tokenFile(home: string): string {
  return join(home, 'token')
}

/**
 * The token of an installation, made when there is none yet.
 * @throws UserError when the file is there and holds no token
 */
export function readOrMakeToken(home: string): string {
  const file = tokenFile(home)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  try {
    // `wx` makes the file or fails: of two processes that start at once, one makes the token and both use it.
    writeFileSync(file, `varve_${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const token = readFileSync(file, 'utf8').trim()
  if (!PATTERN.test(token)) {
    throw new UserError('usage', `${file} holds no token`, { remedy: `delete ${file}; the next start makes a new one` })
  }
  return token
}

/** Recognises the token, and the cookie that stands for it in a browser. Comparisons take the same time whatever is given. */
export interface TokenCheck {
  isToken(presented: string): boolean
  isCookie(presented: string): boolean
  /** Name of the cookie: one for each token, since a browser sends cookies to every port of a host. */
  cookieName: string
  /** Value of the cookie; the token cannot be found from it. */
  cookieValue: string
}

export function createTokenCheck(token: string): TokenCheck {
  const tokenHash = sha256(token)
  const cookieValue = createHmac('sha256', token).update('varve browser cookie').digest('base64url')
  const cookieHash = sha256(cookieValue)
  return {
    isToken: (presented) => timingSafeEqual(sha256(presented), tokenHash),
    isCookie: (presented) => timingSafeEqual(sha256(presented), cookieHash),
    cookieName: `varve_${tokenHash.subarray(0, 4).toString('hex')}`,
    cookieValue,
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
