/**
 * Runs the official MCP conformance suite against Varve's HTTP stack, for both protocol revisions it knows. The suite
 * needs a newer Node than the product, so both live in a folder of their own, which is installed on the first run.
 * `npm run conformance [-- REVISION…]`; exits 0 only when every revision passes.
 */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const REVISIONS = ['2025-11-25', '2026-07-28']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'tools', 'conformance')
const modules = join(folder, 'node_modules')
const suite = join(modules, '@modelcontextprotocol', 'conformance')

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(dependencies).every(([name, version]) => {
    const manifest = join(modules, name, 'package.json')
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  })
}

function install() {
  // npm is a script file on Windows, which only a shell can start.
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Starts the fixtures; resolves with their address. */
async function serve() {
  const server = spawn(process.execPath, ['--import', 'tsx', join('test', 'conformance', 'serve.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const url of createInterface({ input: server.stdout })) return { server, url }
  throw new Error('the fixture server ended before it listened')
}

function run(revision, url) {
  console.log(`\n== ${revision}`)
  const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const results = join(folder, 'results', revision)
  const args = [join(suite, 'dist', 'index.js'), 'server', '--url', url, '--requirements', revision, '-o', results]
  return new Promise((resolve) => spawn(node, args, { cwd: folder, stdio: 'inherit' }).on('exit', resolve))
}

if (!isInstalled()) install()
const { server, url } = await serve()
const chosen = process.argv.slice(2)
let failed = false
for (const revision of chosen.length > 0 ? chosen : REVISIONS) failed = (await run(revision, url)) !== 0 || failed
server.kill()
process.exitCode = failed ? 1 : 0
