/** The models of the configuration: nothing here is made, loaded or asked unless it names one. */

import type { Config } from '../config.ts'
import type { Caller } from '../core/caller.ts'
import { systemClock } from '../core/clock.ts'
import type { ChatRequest, Embedder } from '../models/index.ts'
import type { MeaningLane } from '../retrieval/meaning/lane.ts'
import { countVectors, type Engine } from '../store/index.ts'
import type { Services } from '../tools/index.ts'

type MeaningStatus = Awaited<ReturnType<Services['context']['status']>>['memory_diagnostics']['meaning']

/** Plain data, since it may cross into another thread. */
export interface ModelSettings {
  meaning: Config['context']['meaning']
  labels: Config['context']['labels']
  /** Where an encoder is looked for; it is installed in the last. */
  encoderFolders: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** What makes vectors; undefined when none are configured. One that cannot work says why when it is asked. */
export async function configuredEmbedder(
  { meaning, encoderFolders }: ModelSettings,
  env: Environment,
): Promise<Embedder | undefined> {
  const { provider, url = '', model = '', dimensions, key_variable } = meaning
  if (provider !== 'encoder' && provider !== 'http') return undefined
  const { encoderIn, findEncoder, httpEmbedder } = await import('../models/index.ts')
  if (provider === 'encoder') {
    const folder = findEncoder(encoderFolders)
    return folder === undefined ? unable(provider, 'the encoder is not installed; see varve doctor') : encoderIn(folder)
  }
  const { key, missing } = keyOf(key_variable, env)
  if (missing !== undefined) return unable(model, missing)
  return httpEmbedder({ url, model, ...(dimensions === undefined ? {} : { dimensions }), ...(key && { key }) })
}

/** Asks the model that improves labels; undefined when none is configured. */
export async function configuredLabeller(
  { labels }: ModelSettings,
  env: Environment,
): Promise<((request: ChatRequest) => Promise<string>) | undefined> {
  const { provider, url = '', model = '', key_variable } = labels
  if (provider !== 'http') return undefined
  const { key, missing } = keyOf(key_variable, env)
  if (missing !== undefined) return () => Promise.reject(new Error(missing))
  const { httpChat } = await import('../models/index.ts')
  return httpChat({ url, model, ...(key && { key }) })
}

function keyOf(variable: string | undefined, env: Environment): { key?: string; missing?: string } {
  if (variable === undefined) return {}
  const key = env[variable]?.trim()
  return key ? { key } : { missing: `the environment variable ${variable}, which should hold the key, is not set` }
}

function unable(model: string, reason: string): Embedder {
  return {
    model,
    dimensions: undefined,
    batch: 1,
    embed: () => Promise.reject(new Error(reason)),
    close: async () => {},
  }
}

export interface ConfiguredLane {
  lane: MeaningLane
  close(): Promise<void>
}

/** The lane of vectors of an archive; undefined when none are configured. What it needs is loaded at the first question. */
export function configuredLane(settings: ModelSettings, env: Environment, engine: Engine): ConfiguredLane | undefined {
  const { provider } = settings.meaning
  if (provider !== 'encoder' && provider !== 'http') return undefined
  let opened: ReturnType<typeof open> | undefined
  const open = async () => {
    const { createVectorLane } = await import('../retrieval/meaning/vectors/vector-lane.ts')
    const embedder = await configuredEmbedder(settings, env)
    if (!embedder) throw new Error(`provider ${provider} makes no vectors`)
    return createVectorLane({ engine, embedder, clock: systemClock })
  }
  return {
    lane: {
      name: provider,
      deadline: LANE_DEADLINE,
      search: async (request, signal) => {
        opened ??= open()
        return (await opened).search(request, signal)
      },
    },
    close: async () => (await opened)?.close(),
  }
}

/** Milliseconds an answer waits for the lane: those for the question's vector, and some for loading and comparing. */
const LANE_DEADLINE = 1_800

/** How search by meaning does, for `rift_status` and `varve doctor`. */
export async function meaningStatus(settings: ModelSettings, engine: Engine, caller: Caller): Promise<MeaningStatus> {
  const { meaning, encoderFolders } = settings
  const { encoderInstallCommand, findEncoder, placeOf } = await import('../models/index.ts')
  const vectors = async (model: string) => `${await countVectors(engine, caller.owner, model)} vectors are stored.`
  switch (meaning.provider) {
    case 'off':
      return { status: 'off', summary: 'Off: keywords alone are searched.' }
    case 'associations':
      return { status: 'ok', summary: 'Built in: words that the archive uses together.' }
    case 'http': {
      const { url = '', model = '' } = meaning
      return { status: 'ok', summary: `${model} at ${placeOf(url)}. ${await vectors(model)}` }
    }
    case 'encoder': {
      const folder = findEncoder(encoderFolders)
      const command = encoderInstallCommand(encoderFolders.at(-1) ?? '.')
      if (folder === undefined) return { status: 'not_installed', summary: `The encoder is not installed: ${command}` }
      const { ENCODER_MODEL } = await import('../models/index.ts')
      return { status: 'ok', summary: `Sentence encoder in ${folder}. ${await vectors(ENCODER_MODEL)}` }
    }
  }
}

/** Milliseconds until work that failed is tried again: more each time. */
const FIRST_REST = 30_000
const LONGEST_REST = 30 * 60_000

/** Work that leaves a model alone for a while when it failed; meanwhile it does nothing. The failure itself is thrown. */
export function restingAfterFailure(
  work: (signal: AbortSignal) => Promise<number>,
  clock = systemClock,
): (signal: AbortSignal) => Promise<number> {
  let rest = 0
  let until = 0
  return async (signal) => {
    if (clock() < until) return 0
    try {
      const done = await work(signal)
      rest = 0
      return done
    } catch (error) {
      if (!signal.aborted) {
        rest = Math.min(LONGEST_REST, Math.max(FIRST_REST, rest * 2))
        until = clock() + rest
      }
      throw error
    }
  }
}
