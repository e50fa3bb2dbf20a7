/** The corpus of transcripts as an archive: read through capture, as on any machine. */

import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../src/app.ts'

/** What a transcript in one document holds; by its name alone capture would not take it for one. */
const MESSAGES = /"messages"\s*:/

/** Captures copies of files and folders of the corpus, whose databases can only be opened where one may write. */
export async function captureCorpus(
  folder: string,
  paths: readonly string[],
): Promise<{ app: App; close: () => Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'varve-eval-'))
  // What is derived from conversations is not what is measured here, and takes its time.
  writeFileSync(join(home, 'config.toml'), '[context]\nenabled = false\n')
  const copies = paths.map((path) => {
    const copy = join(home, 'corpus', path)
    cpSync(join(folder, path), copy, { recursive: true, preserveTimestamps: true })
    return copy
  })
  const documents = copies.flatMap(filesBelow).filter((file) => {
    chmodSync(file, 0o644)
    return file.endsWith('.json') && MESSAGES.test(readFileSync(file, 'utf8'))
  })
  const app = await createApp({ home, env: { VARVE_HOME: home }, platform: process.platform, cwd: home })
  await app.capture({ paths: [...copies, ...documents] })
  return {
    app,
    async close() {
      await app.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function filesBelow(path: string): string[] {
  chmodSync(path, 0o755)
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => filesBelow(join(path, entry.name)))
}
