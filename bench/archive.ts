/** Archives to measure: generated transcripts, captured as on any machine. */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type App, createApp } from '../src/app.ts'
import type { Engine } from '../src/store/index.ts'
import { callTool } from '../src/tools/call.ts'
import { type WrittenHome, writeHome } from './transcripts.ts'

export interface BenchArchive {
  events: number
  written: WrittenHome
  database: string
  app: App
  engine: Engine
  /** Seconds of the first capture. */
  seconds: number
  /** Reads what is new once more; the number of records it read. */
  capture(): Promise<number>
  /** The structured answer of a tool. @throws when the tool fails */
  call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
}

/**
 * Writes and captures `events` generated events below `folder`, which is emptied first; with `context`, its index is made
 * along with it.
 */
export async function makeArchive(
  folder: string,
  events: number,
  { context = false }: { context?: boolean } = {},
): Promise<BenchArchive> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const written = writeHome(join(folder, 'home'), events)
  const app = await createApp({
    home: written.home,
    env: { VARVE_HOME: folder, VARVE_CONTEXT_ENABLED: String(context) },
    platform: process.platform,
    cwd: written.home,
  })
  const capture = async (): Promise<number> => (await app.capture({})).records
  const started = performance.now()
  await capture()
  const seconds = (performance.now() - started) / 1000
  const services = await app.services()
  const caller = await app.caller()
  return {
    events,
    written,
    database: join(folder, 'varve.db'),
    app,
    engine: services.engine,
    seconds,
    capture,
    call: async (tool, args) => {
      const { structured, isError, text } = await callTool(services, caller, tool, args)
      if (isError) throw new Error(text)
      return structured
    },
  }
}
