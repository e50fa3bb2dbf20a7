/** Programs that crash tests start and kill: bundled into one file, which starts in a fraction of the time. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The bundle lies where native modules are found. The caller removes it. */
export async function bundleProgram(entry: string, name: string): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const outfile = join(root, 'node_modules', '.cache', `varve-${name}-${process.pid}.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3', 'pg'],
    logLevel: 'warning',
  })
  return outfile
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
  errors: string
}

/** Runs a program to its end; `onStart` may kill it. */
export async function runProgram(
  file: string,
  args: string[],
  onStart?: (child: ChildProcess) => void,
): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, errors] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    errors += bytes.toString()
  })
  onStart?.(child)
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, output, errors }))
  })
}
