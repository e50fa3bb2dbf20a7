/** Who may call: the checks every request passes before anything else looks at it. */

import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { problem } from './problem.ts'
import type { TokenCheck } from './token.ts'

/** Hosts that are this machine, as browsers write them. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** How long a browser stays signed in, in seconds. */
const COOKIE_AGE = 180 * 24 * 60 * 60

/** Whether a server may listen on `host` without accounts. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(host.toLowerCase()) || host === '::1'
}

/**
 * Refuses requests that a foreign web page could have made. A name that an attacker owns can be pointed at this machine
 * (DNS rebinding), so the Host must be a name of this machine; its port may be any, as behind a tunnel. A page of any
 * other site names itself in Origin.
 */
export const localOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host')
  if (host === undefined || !isLoopback(`http://${host}`)) {
    return problem(context, 403, 'forbidden_host', 'this server answers to localhost and 127.0.0.1 only')
  }
  const origin = context.req.header('origin')
  if (origin !== undefined && !isLoopback(origin)) {
    return problem(context, 403, 'forbidden_origin', 'this server answers to pages of this machine only')
  }
  return next()
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  // An Origin or Host is nothing but a scheme, a name and a port.
  return LOOPBACK.has(url.hostname) && url.username === '' && url.pathname === '/'
}

/** Lets in who shows the token, as a bearer or through the browser's cookie. Without a check everybody is let in. */
export function signedInOnly(check: TokenCheck | undefined): MiddlewareHandler {
  return async (context, next) => {
    if (check === undefined || hasBearer(context, check) || hasCookie(context, check)) return next()
    context.header('WWW-Authenticate', 'Bearer realm="Varve"')
    return problem(context, 401, 'unauthorized', 'the token is missing or wrong', {
      remedy: 'send "Authorization: Bearer TOKEN" with the token that `varve up` wrote into VARVE_HOME/token',
    })
  }
}

/** True when a browser shows the cookie, and a page of this server makes it do so. */
export function hasCookie(context: Context, check: TokenCheck): boolean {
  const cookie = getCookie(context, check.cookieName)
  if (cookie === undefined || !check.isCookie(cookie)) return false
  // A browser takes all ports of a host for one site and sends the cookie for a page on any of them.
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const origin = context.req.header('origin')
  return origin === undefined || origin === `http://${context.req.header('host')}`
}

function hasBearer(context: Context, check: TokenCheck): boolean {
  const match = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')
  return match?.[1] !== undefined && check.isToken(match[1])
}

/** Signs a browser in that follows the link `/?token=…`, and takes the token out of its address bar. */
export function signIn(context: Context, check: TokenCheck, token: string): Response | undefined {
  if (!check.isToken(token)) return undefined
  setCookie(context, check.cookieName, check.cookieValue, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: COOKIE_AGE,
  })
  return context.redirect('/', 303)
}
