/** Capture with the index of the context behind it: what the worker thread runs, or the program itself. */

import type { CaptureLoop, CaptureParts } from '../capture/index.ts'
import type { ContextIndexer, IndexerOptions } from '../context/index.ts'
import { systemClock } from '../core/clock.ts'
import type { Engine } from '../store/index.ts'
import { configuredEmbedder, configuredLabeller, type ModelSettings, restingAfterFailure } from './models.ts'
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
  const { enabled, documents, folders, exclude, maxFileBytes, models } = settings.context
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
    ...(models && (await modelWork(models, settings.host.env, engine, owner))),
  })
}

/** Milliseconds of one run in which further texts are embedded: the next run goes on. */
const EMBED_FOR = 20_000

/** What is done with the models that are configured. */
async function modelWork(
  models: ModelSettings,
  env: CapturingSettings['host']['env'],
  engine: Engine,
  owner: number,
): Promise<Pick<IndexerOptions, 'embed' | 'improveLabels'>> {
  const [embedder, provider] = [await configuredEmbedder(models, env), await configuredLabeller(models, env)]
  const work: Pick<IndexerOptions, 'embed' | 'improveLabels'> = {}
  if (embedder) {
    const { embedPassages } = await import('../retrieval/meaning/vectors/embed-passages.ts')
    work.embed = restingAfterFailure(async (signal) => {
      const options = { engine, owner, embedder, clock: systemClock, signal, budget: EMBED_FOR }
      return (await embedPassages(options)).vectors
    })
  }
  if (provider) {
    const { improveStoredLabels } = await import('../context/index.ts')
    work.improveLabels = restingAfterFailure((signal) =>
      improveStoredLabels({ engine, owner, clock: systemClock, provider, signal }),
    )
  }
  return work
}
