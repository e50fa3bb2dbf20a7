/** `npm run bench`: every speed claim of Varve as a ratio against a baseline measured beside it, in one table. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchArchive, makeArchive } from './archive.ts'
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

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '300000' },
    keep: { type: 'boolean' },
    /** Only these groups of rows, by the names below. */
    row: { type: 'string', multiple: true },
  },
})
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
/** The groups of rows by name. */
const groups: readonly { name: string; rows: () => Promise<Row[]> }[] = [
  { name: 'process', rows: () => processRows(root, folder) },
  { name: 'workflow', rows: () => workflowRows(folder) },
  { name: 'workflow-http', rows: () => workflowHttpRows(folder) },
  { name: 'capture', rows: async () => captureRows(await large(), folder) },
  { name: 'disk', rows: async () => diskRows(await large(), join(folder, 'bare.db')) },
  { name: 'context', rows: () => contextRows(folder) },
  { name: 'search', rows: async () => searchRows(await large()) },
  { name: 'growth', rows: async () => growthRows(await small(), await large()) },
  // Adds to the large archive, so it comes last.
  { name: 'pack', rows: async () => packRows(await large()) },
]
const unknown = values.row?.find((name) => !groups.some((group) => group.name === name))
if (unknown !== undefined) {
  console.error(`there are no rows '${unknown}'; there are ${groups.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const archives = new Map<number, Promise<BenchArchive>>()
const archive = (name: string, count: number): Promise<BenchArchive> => {
  const made = archives.get(count) ?? makeArchive(join(folder, name), count)
  archives.set(count, made)
  return made
}
const large = (): Promise<BenchArchive> => archive('large', events)
const small = (): Promise<BenchArchive> => archive('small', SMALL)

try {
  for (const group of groups) {
    if (values.row && !values.row.includes(group.name)) continue
    console.error(group.name)
    add(await group.rows())
  }
  for (const made of archives.values()) await (await made).app.close()
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
