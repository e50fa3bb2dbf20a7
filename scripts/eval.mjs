/** Bundles the evaluation as the program is bundled, so that it measures what users run, and runs it. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundling } from './build.mjs'

await build({ ...bundling, entryPoints: { eval: 'eval/main.ts' } })
const program = join(bundling.outdir, 'eval.js')
const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
