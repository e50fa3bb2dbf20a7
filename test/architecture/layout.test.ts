import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLoaders, loadCommands } from '../../src/cli/commands/index.ts'
import { harnesses } from '../../src/harness/index.ts'
import { tools } from '../../src/tools/index.ts'
import { readSources, root } from './source-files.ts'

const sources = readSources()

/** Files that define a value of a kind, told by what they call or declare. */
function definitions(folder: string, pattern: RegExp): string[] {
  return sources.filter(({ path, text }) => path.startsWith(`${folder}/`) && pattern.test(text)).map(({ path }) => path)
}

describe('lists are complete', () => {
  test('every harness that is defined is in the list', () => {
    const defined = definitions('harness', /= defineHarness(<\w+>)?\(/)
    expect(defined.length, defined.join(', ')).toBe(harnesses.length)
  })

  test('every tool that is defined is in the list', () => {
    const defined = definitions('tools', /^export const \w+(: Tool)? = \w+Tool\(/m)
    expect(defined.length, defined.join(', ')).toBe(tools.length)
  })

  test('every command file is in the list, under the name it gives itself', async () => {
    const files = readdirSync(join(root, 'src/cli/commands'))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'index.ts')
      .map((name) => basename(name, '.ts'))
    expect(Object.keys(commandLoaders).sort()).toEqual(files.sort())
    expect((await loadCommands()).map(({ name }) => name)).toEqual(Object.keys(commandLoaders))
  })

  test('names are unique', () => {
    const sourceNames = harnesses.flatMap(({ sources: each }) => each.map(({ name }) => name))
    for (const names of [harnesses.map(({ id }) => id), sourceNames, tools.map(({ name }) => name)]) {
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

describe('files stay short', () => {
  /** A file above the limit needs a reason here. */
  const EXEMPT: Record<string, string> = {}
  const SOFT_LIMIT = 300
  const LIMIT = 400

  test(`no file has more than ${LIMIT} lines without a reason`, () => {
    const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    const long = lengths.filter(({ lines }) => lines > SOFT_LIMIT)
    if (long.length > 0)
      console.info(`files above ${SOFT_LIMIT} lines:`, long.map(({ path, lines }) => `${path} ${lines}`).join(', '))
    expect(long.filter(({ path, lines }) => lines > LIMIT && !(path in EXEMPT))).toEqual([])
  })
})
