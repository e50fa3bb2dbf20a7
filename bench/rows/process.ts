/** How long a stdio server takes to its first answer, and what it weighs while idle, against the bare SDK. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { megabytes, milliseconds, percentile, type Row } from '../row.ts'

const STARTS = 11

interface Started {
  milliseconds: number
  bytes: number
}

export async function processRows(root: string, folder: string): Promise<Row[]> {
  const home = join(folder, 'empty-home')
  mkdirSync(home, { recursive: true })
  const ours = [join(root, 'bin', 'varve.js'), 'mcp']
  const bare = [join(root, 'dist', 'bench-bare-server.js')]
  const samples: { ours: Started[]; bare: Started[] } = { ours: [], bare: [] }
  // In turn, so that both see the same machine.
  for (let round = 0; round < STARTS; round++) {
    samples.bare.push(await start(bare, home))
    samples.ours.push(await start(ours, home))
  }
  const median = (list: readonly Started[], of: keyof Started): number =>
    percentile(
      list.map((item) => item[of]),
      0.5,
    )
  const [time, bareTime] = [median(samples.ours, 'milliseconds'), median(samples.bare, 'milliseconds')]
  const [size, bareSize] = [median(samples.ours, 'bytes'), median(samples.bare, 'bytes')]
  return [
    {
      name: 'stdio start to first tools/list',
      figure: milliseconds(time),
      baseline: `${milliseconds(bareTime)} bare SDK server`,
      ratio: time / bareTime,
      aim: { most: 1.3 },
    },
    {
      name: 'idle stdio server, resident memory',
      figure: megabytes(size),
      baseline: `${megabytes(bareSize)} bare SDK server`,
      ratio: size / bareSize,
      aim: { most: 1.5 },
    },
  ]
}

async function start(args: readonly string[], home: string): Promise<Started> {
  const started = performance.now()
  const env = { ...process.env, HOME: home, USERPROFILE: home, VARVE_HOME: join(home, '.varve') }
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env })
  try {
    await firstToolsList(child)
    const milliseconds = performance.now() - started
    return { milliseconds, bytes: residentBytes(child) }
  } finally {
    child.kill('SIGKILL')
  }
}

async function firstToolsList(child: ChildProcess): Promise<void> {
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('the server has no pipes')
  const send = (message: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const clientInfo = { name: 'bench', version: '1.0.0' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  for await (const line of createInterface({ input: stdout })) {
    const { id } = JSON.parse(line) as { id?: number }
    if (id === 2) return
    if (id !== 1) continue
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/list' })
  }
  throw new Error('the server ended before it answered')
}

function residentBytes({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' })) * 1024
}
