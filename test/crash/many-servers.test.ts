/** Many clients on one archive while it grows (fault log 94, 97): nobody is refused, and the write-ahead log stays small. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeHome } from '../../bench/transcripts.ts'
import { type LineClient, startLineClient } from '../end-to-end/line-client.ts'

const bin = fileURLToPath(new URL('../../bin/varve.js', import.meta.url))

const SERVERS = 8
const EVENTS = 12_000

/** The log is folded back at 32 MiB; a reader in the way lets it grow by a few transactions more. */
const WAL_LIMIT = 96 * 1024 * 1024

const QUERIES = [
  ['search_sessions', { query: 'server config' }],
  ['search_sessions', { query: 'the', event_types: ['tool_response'] }],
  ['list_sessions', { start_datetime: '2025-01-01T00:00:00Z', end_datetime: '2027-01-01T00:00:00Z' }],
  ['file_attention', { path: 'src/index.ts', scope: 'all' }],
] as const

let home: string
let children: ChildProcess[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'varve-many-'))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

test('eight servers answer every call while another process captures (faults 94, 97)', {
  timeout: 120_000,
}, async () => {
  const { lines } = writeHome(home, EVENTS)
  const env = { ...process.env, HOME: home, USERPROFILE: home, VARVE_HOME: join(home, '.varve') }
  const capture = spawn(process.execPath, [bin, 'capture', '--once', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(capture)
  let report = ''
  let capturing = true
  capture.stdout.on('data', (chunk: Buffer) => {
    report += chunk.toString()
  })
  capture.stderr.resume()
  const ended = once(capture, 'exit').then(([code]) => {
    capturing = false
    return code as number
  })

  const clients = Array.from({ length: SERVERS }, () => startLineClient(process.execPath, [bin, 'mcp'], env))
  for (const client of clients) children.push(client.process)
  await Promise.all(clients.map((client) => client.initialize()))
  let largest = 0
  const wal = join(home, '.varve', 'varve.db-wal')
  const answered = await Promise.all(
    clients.map((client) =>
      askWhile(client, () => {
        if (existsSync(wal)) largest = Math.max(largest, statSync(wal).size)
        return capturing
      }),
    ),
  )

  expect(await ended).toBe(0)
  expect(JSON.parse(report)).toMatchObject({ records: lines, skipped: [] })
  expect(Math.min(...answered)).toBeGreaterThan(0)
  expect(largest).toBeLessThan(WAL_LIMIT)
  for (const client of clients) client.process.stdin.end()
  expect(await Promise.all(clients.map((client) => client.exited))).toEqual(clients.map(() => 0))
})

/** Asks one question after the other until `more` says no; the number of answers. @throws at the first error */
async function askWhile(client: LineClient, more: () => boolean): Promise<number> {
  let asked = 0
  do {
    const [tool, args] = QUERIES[asked % QUERIES.length] ?? QUERIES[0]
    client.call(asked, tool, args)
    const gone = client.exited.then((code) => Promise.reject(new Error(`a server ended with ${code}`)))
    const answer = (await Promise.race([client.response(asked), gone])) as {
      error?: unknown
      result?: { isError?: boolean; content: unknown }
    }
    if (answer.error || answer.result?.isError) throw new Error(`${tool} failed: ${JSON.stringify(answer)}`)
    asked++
  } while (more() || asked < QUERIES.length)
  return asked
}
