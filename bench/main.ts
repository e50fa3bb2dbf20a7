/** `npm run bench`: every speed claim of Varve as a ratio against a baseline measured beside it, in one table. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeArchive } from './archive.ts'
import { holds, type Row } from './row.ts'
import { captureRows } from './rows/capture.ts'
import { contextRows } from './rows/context.ts'
import { diskRows } from './rows/disk.ts'
import { growthRows } from './rows/growth.ts'
import { packRows } from './rows/pack.ts'
import { processRows } from './rows/process.ts'
import { searchRows } from './rows/search.ts'
import { workflowRows } from './rows/workflow.ts'
import { workflowHttpRows } from './rows/workflow-http.ts'

const MOST_EVENTS = 3_000_000

/** Events of the archive that growth is held against. */
const SMALL = 10_000

const { values } = parseArgs({ options: { events: { type: 'string', default: '300000' }, keep: { type: 'boolean' } } })
const events = Number(values.events)
if (!Number.isInteger(events) || events < SMALL || events > MOST_EVENTS) {
  console.error(`--events takes a whole number from ${SMALL} to ${MOST_EVENTS}`)
  process.exit(2)
}

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'))
const rows: Row[] = []
const add = (more: readonly Row[]): void => {
  rows.push(...more)
  for (const row of more) console.error(`  ${row.name}: ${row.figure} (${row.baseline})`)
}
try {
  console.error('start and memory')
  add(await processRows(root, folder))
  console.error('workflows')
  add(await workflowRows(folder))
  add(await workflowHttpRows(folder))
  console.error(`capture of ${events} events`)
  const large = await makeArchive(join(folder, 'large'), events)
  add(await captureRows(large, folder))
  add(await diskRows(large, join(folder, 'bare.db')))
  console.error('context')
  add(await contextRows(folder))
  console.error('search')
  add(await searchRows(large))
  add(await packRows(large))
  console.error('growth')
  const small = await makeArchive(join(folder, 'small'), SMALL)
  add(await growthRows(small, large))
  await small.app.close()
  await large.app.close()
} finally {
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}
print(rows)

function print(table: readonly Row[]): void {
  console.log(`\n| what, ${events} generated events | measured | held against | ratio | aim |`)
  console.log('|---|---|---|---|---|')
  for (const row of table) {
    const { name, figure, baseline, ratio, aim } = row
    const wanted = aim ? ('most' in aim ? `<= ${aim.most}` : `>= ${aim.least}`) : 'report'
    const verdict = holds(row) === false ? ', not met' : ''
    console.log(`| ${name} | ${figure} | ${baseline} | ${ratio.toFixed(2)} | ${wanted}${verdict} |`)
  }
}
