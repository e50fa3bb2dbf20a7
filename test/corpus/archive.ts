/** The laid-out homes, captured by the program into one archive. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { harnesses } from '../../src/harness/index.ts'
import { openStore } from '../../src/store/index.ts'
import { type Machine, makeMachine } from '../end-to-end/recording-terminal.ts'
import { type Counted, countHome } from './count.ts'
import {
  COWORK,
  COWORK_AGAIN,
  DOWNLOADS,
  FIXTURES_AGAIN,
  type Layout,
  layOut,
  PROJECTS,
  TRAJECTORIES,
} from './layout.ts'

/** What `varve capture --json` prints, as far as it is looked at. */
export interface Report {
  files: number
  unchanged: number
  records: number
  events: number
  changed: number
  sessions: number
  bytes: number
  finished: boolean
  skipped: { reason: string; path: string; line?: number; count: number }[]
}

/** A capture of one home, or of what was named in it. */
export interface Pass {
  home: string
  /** Where the home lies. */
  folder: string
  /** What should be found, counted by other means. */
  counted: Counted[]
  report: Report
  /** The same once more, right after it. */
  again: Report
}

export interface CorpusArchive {
  layout: Layout
  passes: Pass[]
  /** One more capture of every home, after all others have been there. */
  returns: Report[]
  rows<Row>(sql: string): Promise<Row[]>
  /** What a tool answers to an agent: its `data`. */
  ask<Data>(tool: string, args: object): Promise<Data>
  close(): Promise<void>
}

/** Whether a home holds what another one does. */
export const isCopy = (home: string): boolean => home === FIXTURES_AGAIN || home === COWORK_AGAIN

/** A harness that does not exist yet finds nothing. */
const isKnown = ({ harness }: Counted): boolean => harnesses.some(({ id }) => id === harness)

/** Folders of a home whose files are read only when they are named: exports one by one, the others as a folder. */
const NAMED = [DOWNLOADS, PROJECTS, TRAJECTORIES]

const isBelow = (folder: string, { path }: Counted): boolean => path.startsWith(`${folder}/`)

export async function captureCorpus(): Promise<CorpusArchive> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-corpus-'))
  const layout = layOut(folder)
  const directory = join(folder, 'archive')
  mkdirSync(directory)
  // What is asked later reads nothing new.
  writeFileSync(join(directory, 'config.toml'), '[capture]\nenabled = false\n')
  const env = { VARVE_HOME: directory }
  const homes = [...new Set(layout.laid.map(({ home }) => home))].sort(
    (left, right) => Number(isCopy(left)) - Number(isCopy(right)),
  )
  // A home is one of Linux whatever runs the test, but for the mode that Linux does not have.
  const machines = new Map(
    homes.map((home) => {
      const platform = home.startsWith(COWORK) ? 'darwin' : 'linux'
      return [home, makeMachine({ home: join(folder, home), env, platform })] as const
    }),
  )
  const passes: Pass[] = []
  for (const [home, machine] of machines) {
    const counted = countHome(machine.home).filter(isKnown)
    const pass = async (what: Counted[], ...paths: string[]): Promise<void> => {
      const report = await capture(machine, ...paths)
      passes.push({ home, folder: machine.home, counted: what, report, again: await capture(machine, ...paths) })
    }
    await pass(counted.filter((each) => !NAMED.some((name) => isBelow(name, each))))
    for (const name of NAMED) {
      const below = counted.filter((each) => isBelow(name, each))
      const paths = name === DOWNLOADS ? below.map(({ path }) => path) : [name]
      if (below.length > 0) await pass(below, ...paths.map((path) => join(machine.home, path)))
    }
  }
  const returns: Report[] = []
  for (const machine of machines.values()) returns.push(await capture(machine))
  const engine = await openStore({ url: join(directory, 'varve.db') })
  const [any] = machines.values()
  return {
    layout,
    passes,
    returns,
    rows: (sql) => engine.all(sql),
    ask: async (tool, args) => {
      const { out, err } = (await any?.run(['call', tool, JSON.stringify(args)])) ?? { out: '', err: '' }
      const answer = JSON.parse(out || '{}') as { data?: unknown }
      if (answer.data === undefined) throw new Error(`${tool} ${JSON.stringify(args)}: ${out}${err}`)
      return answer.data as never
    },
    close: async () => {
      await engine.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function capture(machine: Machine, ...paths: string[]): Promise<Report> {
  const { code, out, err } = await machine.run(['capture', '--once', '--json', ...paths])
  if (code !== 0) throw new Error(`capture of ${machine.home} ended with ${code}: ${err}`)
  return JSON.parse(out) as Report
}
