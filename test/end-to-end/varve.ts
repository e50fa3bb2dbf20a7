/** The program itself, run from its sources in a home of its own. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const run = promisify(execFile)

/** How to start Varve for a made-up home directory. */
export function program(home: string): { command: string[]; env: Record<string, string> } {
  const { PATH = '', SystemRoot } = process.env
  return {
    command: ['--import', 'tsx', main],
    env: { PATH, HOME: home, USERPROFILE: home, VARVE_HOME: join(home, '.varve'), ...(SystemRoot && { SystemRoot }) },
  }
}

/** Runs one command to its end. */
export async function varve(home: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { command, env } = program(home)
  return run(process.execPath, [...command, ...args], { env })
}

export interface Varve {
  url: string
  token: string
  stop(): Promise<void>
}

/** Starts `varve up` on a free port. */
export async function startVarve(home: string): Promise<Varve> {
  const { command, env } = program(home)
  const child = spawn(process.execPath, [...command, 'up', '--port', '0', '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (url === undefined) continue
    // The rest of what it prints must go somewhere.
    child.stdout.resume()
    const token = readFileSync(join(home, '.varve', 'token'), 'utf8').trim()
    return {
      url,
      token,
      async stop() {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
      },
    }
  }
  throw new Error('varve up ended before it listened')
}

export const sentence = 'The sediment core was cut at the wrong depth; the reader must start a byte earlier.'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString()
const sessionId = '5f1c6d5e-0f50-4d2c-9a55-6d0f0f3b7a10'
const base = { sessionId, cwd: '/home/me/project', version: '2.1.332', isSidechain: false, userType: 'external' }

/** A transcript of Claude Code: a prompt, a file read, an answer. */
export const transcript = {
  sessionId,
  text: [
    {
      ...base,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      timestamp: at(0),
      message: { role: 'user', content: 'Why is the core wrong?' },
    },
    {
      ...base,
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      timestamp: at(1),
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-opus',
        content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/home/me/project/core.ts' } }],
        stop_reason: 'tool_use',
      },
    },
    {
      ...base,
      type: 'user',
      uuid: 'u2',
      parentUuid: 'a1',
      timestamp: at(2),
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'const depth = 7' }] },
    },
    {
      ...base,
      type: 'assistant',
      uuid: 'a2',
      parentUuid: 'u2',
      timestamp: at(3),
      message: {
        id: 'm2',
        role: 'assistant',
        model: 'claude-opus',
        content: [{ type: 'text', text: sentence }],
        stop_reason: 'end_turn',
      },
    },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join(''),
}
