import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tools } from './index.ts'
import type { Surface, Tool } from './tool.ts'

const folder = fileURLToPath(new URL('../../test/golden/tools/', import.meta.url))

/** A machine with a fixed configuration. */
const surface: Surface = {
  sourceNames: ['claude', 'codex'],
  harnesses: [
    { id: 'claude-code', title: 'Claude Code' },
    { id: 'codex', title: 'Codex' },
  ],
  maxResults: 25,
}

function published({ name, toolset, title, description, annotations, input, output, describe }: Tool): string {
  const inputSchema = z.toJSONSchema(describe?.(surface, input) ?? input, { io: 'input' })
  const outputSchema = z.toJSONSchema(output)
  const definition = { name, toolset, title, description, annotations, inputSchema, outputSchema }
  return `${JSON.stringify(definition, null, 2)}\n`
}

/** Clients keep what a tool publishes, so it changes only on purpose: UPDATE_GOLDEN=1 rewrites the files. */
describe('what a tool publishes', () => {
  for (const tool of tools) {
    it(`${tool.name} is as test/golden/tools/${tool.name}.json says`, () => {
      const path = join(folder, `${tool.name}.json`)
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, published(tool))
      expect(existsSync(path), `${path} is missing; make it with UPDATE_GOLDEN=1`).toBe(true)
      expect(published(tool)).toBe(readFileSync(path, 'utf8'))
    })
  }
})
