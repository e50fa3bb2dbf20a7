/** Bundles the bench as the program is bundled, so that it measures what users run, and runs it. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './build.mjs'

// Beside the program: what lies around it (docs, workflows) is found from there.
const outdir = join(root, 'dist')
await build({
  absWorkingDir: root,
  entryPoints: { bench: 'bench/main.ts', 'bench-bare-server': 'bench/bare-server.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['better-sqlite3', 'pg'],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, ['--expose-gc', join(outdir, 'bench.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
