import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebServer, type WebServer } from '../../src/web/server.ts'
import { createTokenCheck } from '../../src/web/token.ts'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const missing = !existsSync(executablePath)
if (missing) console.warn(`skipped the tests of the page: there is no ${executablePath} (set CHROMIUM)`)

const TOKEN = `varve_${'b'.repeat(43)}`
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
const at = '2026-11-29T09:41:12.000Z'
const session = {
  id: 'session:ses_1',
  title: HOSTILE,
  display_label: HOSTILE,
  harness: 'codex',
  source: 'codex',
  started_at: at,
  updated_at: at,
  completed: true,
  turn_count: 1,
  event_count: 2,
}
const turn = {
  id: 'turn:turn_1',
  ordinal: 1,
  completed: true,
  event_count: 2,
  started_at: at,
  user_input: { text: HOSTILE },
  final_response: { text: 'x'.repeat(500) },
  tools_called: ['Bash'],
}
const event = {
  id: 'event:evt_1',
  ordinal: 1,
  type: 'user_input',
  timestamp: at,
  tool_name: null,
  model: null,
  summary: HOSTILE,
  truncated: true,
}

/** Answers of the sessions tools, as the page reads them. */
function answer(tool: string, args: unknown): Record<string, unknown> {
  const id = (args as { id?: string }).id ?? ''
  if (tool === 'list_sessions') return { sessions: [{ id: session.id, session }] }
  if (tool === 'search_sessions') {
    const hit = { session, turn, event, snippet: { text: HOSTILE } }
    return {
      result_count: 1,
      truncated: false,
      results: [hit],
      coverage: { state: 'partial', reason: 'still reading' },
    }
  }
  if (id.startsWith('session:')) return { session, turns: [turn], next_cursor: null }
  if (id.startsWith('turn:')) return { events: [event], next_cursor: null }
  return { content: { text: 'the whole text' } }
}

describe.skipIf(missing)('the page', () => {
  let server: WebServer
  let browser: Browser
  const errors: string[] = []

  beforeAll(async () => {
    server = await startWebServer({
      port: 0,
      mcp: {},
      call: async (tool, args) => ({ text: '', structured: { data: answer(tool, args) }, isError: false }),
      status: async () => ({ version: '9.9.9', sessions: 1, sources: [{ source: 'codex', sessions: 1 }] }),
      check: createTokenCheck(TOKEN),
      onFailure: (_place, cause) => errors.push(String(cause)),
    })
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ]
    browser = await chromium.launch({ executablePath, args })
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  async function open(colorScheme: 'light' | 'dark', width: number): Promise<Page> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const page = await context.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    return page
  }

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('finds and shows a session whose text is hostile, in %s at %i', async (scheme, width) => {
    const page = await open(scheme, width)
    await page.goto(`${server.url}/?token=${TOKEN}`)
    expect(page.url()).toBe(`${server.url}/`)
    await page.getByText('running, version 9.9.9').waitFor()
    await page.getByRole('searchbox').fill('img')
    await page.keyboard.press('Enter')
    await page.getByText('The archive may be incomplete: still reading.').waitFor()
    await page.getByRole('link', { name: HOSTILE }).click()
    await page.getByRole('button', { name: 'Show in full' }).click()
    await page.getByText('the whole text').waitFor()
    expect(await page.title()).toBe('Varve')
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })
})
