/**
 * Makes a bare clone ready: installs what is missing, builds what is stale, says nothing when there is nothing to do.
 * Plain Node, no dependency: this runs before any is installed.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build, isBuilt, root } from './build.mjs'

/**
 * True when every package of the lock that belongs on this machine is installed in the locked version. npm writes its
 * own copy of the lock into node_modules when, and only when, an installation is complete.
 */
function isInstalled() {
  const installedLock = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedLock)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  )
}

/** A native module built for another version of Node does not load. */
function nativeModuleLoads() {
  try {
    const Database = createRequire(join(root, 'package.json'))('better-sqlite3')
    new Database(':memory:').close()
    return true
  } catch {
    return false
  }
}

/**
 * The headers of this Node, where they lie beside it; node-gyp would download the same ones. Undefined where there are none.
 */
function headersFolder() {
  const prefix = dirname(dirname(process.execPath))
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? prefix : undefined
}

/** Runs npm through the script that started us where there is one: on Windows `npm` alone is no program. */
function npm(...words) {
  const script = process.env.npm_execpath
  const viaNode = script !== undefined && /\.[cm]?js$/.test(script)
  const command = viaNode ? process.execPath : 'npm'
  const headers = headersFolder()
  const { status, error } = spawnSync(command, viaNode ? [script, ...words] : words, {
    cwd: root,
    env: headers === undefined ? process.env : { npm_config_nodedir: headers, ...process.env },
    stdio: ['ignore', 2, 2],
    shell: !viaNode && process.platform === 'win32',
  })
  if (status === 0) return
  console.error(`varve: \`npm ${words.join(' ')}\` failed${error ? `: ${error.message}` : ''}`)
  console.error('varve: better-sqlite3 is compiled on installation; it needs Python 3, make and a C++ compiler')
  process.exit(1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`varve: Node ${process.versions.node} is too old; install Node 20.19 or newer (https://nodejs.org)`)
  process.exit(1)
}

if (!isInstalled()) {
  console.error('varve: installing dependencies (about a minute)')
  npm('ci', '--include=dev', '--no-audit', '--no-fund')
}
if (!nativeModuleLoads()) {
  console.error(`varve: building better-sqlite3 for Node ${process.versions.node}`)
  npm('rebuild', 'better-sqlite3')
}
if (!isBuilt()) {
  console.error('varve: building')
  await build()
}
