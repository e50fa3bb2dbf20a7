#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

const program = new URL('../dist/varve.js', import.meta.url)
if (existsSync(program)) {
  // Node 22 and later keep compiled code between runs.
  module.enableCompileCache?.()
  await import(program.href)
} else {
  console.error('varve: not built yet; run `npm ci && npm run build` in the folder of the clone, or `npm start`')
  process.exitCode = 1
}
