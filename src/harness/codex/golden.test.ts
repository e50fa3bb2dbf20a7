/** What Varve makes of small made-up rollouts, word for word. `UPDATE_GOLDEN=1` writes the files anew. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readFile } from './testing.ts'

const ROOT = fileURLToPath(new URL('../../../test/', import.meta.url))
const FIXTURES = join(ROOT, 'fixtures/codex')

describe('golden drafts of Codex', () => {
  for (const name of readdirSync(FIXTURES).sort()) {
    it(`reads ${name}`, () => {
      const folder = join(FIXTURES, name)
      const read = Object.fromEntries(
        readdirSync(folder)
          .sort()
          .map((file) => {
            const { sessions, records } = readFile(join(folder, file))
            return [file, { sessions, records }]
          }),
      )
      const golden = join(ROOT, 'golden/harness/codex', `${name}.json`)
      if (process.env.UPDATE_GOLDEN === '1') {
        mkdirSync(dirname(golden), { recursive: true })
        writeFileSync(golden, `${JSON.stringify(read, null, 1)}\n`)
      }
      expect(existsSync(golden), `${golden} is missing; UPDATE_GOLDEN=1 writes it`).toBe(true)
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
    })
  }
})
