/** Capture with the index of the context behind it: what the worker thread runs, or the program itself. */

import type { CaptureLoop, CaptureParts } from '../capture/index.ts'
import type { ContextIndexer } from '../context/index.ts'
import { systemClock } from '../core/clock.ts'
import type { CapturingSettings } from './settings.ts'

export async function openCapturing(settings: CapturingSettings, log: (line: string) => void): Promise<CaptureLoop> {
  const { openCapture } = await import('../capture/index.ts')
  return openCapture(settings, log, async (parts) => {
    const indexer = await contextIndexer(settings, parts, log)
    return indexer && (async (signal) => void (await indexer.run(signal)))
  })
}

/** The index of the context as the settings want it; undefined when it is switched off. */
export async function contextIndexer(
  settings: Pick<CapturingSettings, 'context' | 'host'>,
  { engine, owner, projects, redactor }: CaptureParts,
  log: (line: string) => void,
): Promise<ContextIndexer | undefined> {
  const { enabled, documents, folders, exclude, maxFileBytes } = settings.context
  if (!enabled) return undefined
  const [{ createContextIndexer }, { createScrubber }] = await Promise.all([
    import('../context/index.ts'),
    import('../capture/index.ts'),
  ])
  const scrubber = createScrubber((text) => redactor.redact(text))
  return createContextIndexer({
    engine,
    owner,
    clock: systemClock,
    projects,
    scrub: scrubber.text,
    log,
    home: settings.host.home,
    documents: { enabled: documents, folders, exclude, maxFileBytes },
  })
}
