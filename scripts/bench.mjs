/** Bundles the bench as the program is bundled, so that it measures what users run, and runs it. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundling } from './build.mjs'

// It lands beside the program: what lies around that (docs, workflows) is found from there.
await build({
  ...bundling,
  entryPoints: { bench: 'bench/main.ts', 'bench-bare-server': 'bench/bare-server.ts' },
})
const bench = join(bundling.outdir, 'bench.js')
const { status } = spawnSync(process.execPath, ['--expose-gc', bench, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
