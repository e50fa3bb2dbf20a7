/** The page: files next to this module, sent as they are. */

import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'

const directory = new URL('./page/', import.meta.url)

const FILES = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
} as const

export function pageRoutes(): Hono {
  const routes = new Hono()
  for (const [path, { name, type }] of Object.entries(FILES)) {
    routes.get(path, async (context) => {
      context.header('Cache-Control', 'no-cache')
      return context.body(await readFile(new URL(name, directory)), 200, { 'Content-Type': type })
    })
  }
  return routes
}

/** What a browser without the cookie sees: how to get it. */
export function signInPage(): Promise<string> {
  return readFile(new URL('sign-in.html', directory), 'utf8')
}
