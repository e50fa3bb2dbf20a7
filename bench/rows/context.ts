/** What the index of the context costs capture. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeArchive } from '../archive.ts'
import { megabytes, type Row } from '../row.ts'

/** Events of the archives compared: enough that starting up weighs little. */
const EVENTS = 60_000

export async function contextRows(folder: string): Promise<Row[]> {
  const time = async (name: string, context: boolean, events = EVENTS): Promise<{ seconds: number; bytes: number }> => {
    const place = join(folder, name)
    const { app, seconds, written } = await makeArchive(place, events, { context })
    await app.close()
    rmSync(place, { recursive: true, force: true })
    return { seconds, bytes: written.bytes }
  }
  // Once unmeasured, so that neither pays for compiling what both run.
  await time('context-warm', true, 5_000)
  const bare = await time('context-without', false)
  const whole = await time('context-with', true)
  const speed = (run: { seconds: number; bytes: number }): string => `${megabytes(run.bytes / run.seconds)}/s`
  return [
    {
      name: `capture of ${megabytes(whole.bytes)} with the context indexed`,
      figure: speed(whole),
      baseline: `${speed(bare)} without`,
      ratio: bare.seconds / whole.seconds,
      aim: { least: 0.7 },
    },
  ]
}
