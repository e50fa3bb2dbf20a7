/**
 * Bundles the program into dist/: one file per entry, and one per module that is only imported when it is needed.
 * Reading few files is most of a short start.
 */

import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const output = join(root, 'dist')

/** Names the sources a build was made from; written last, so that a broken build is never taken for a good one. */
const stamp = join(output, '.built-from')

/** Hash of everything a build depends on. */
function sourceHash() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...files, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)]) {
    hash
      .update(`${file.slice(root.length).replaceAll(sep, '/')}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** True when dist/ was built from the sources as they are. */
export function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()
}

/** zod brings its error messages in fifty languages; ours are in one, and half of its size is not read at each start. */
const oneLanguage = {
  name: 'one-language',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

/** How everything of ours is bundled; what is measured must be bundled like what is shipped. */
export const bundling = {
  absWorkingDir: root,
  outdir: output,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Native code cannot be bundled; pg is only for the team engine and loads parts of itself by name, yauzl parts of Node.
  external: ['better-sqlite3', 'pg', 'yauzl'],
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [oneLanguage],
  logLevel: 'warning',
}

export async function build() {
  const { build: bundle } = await import('esbuild')
  const hash = sourceHash()
  rmSync(output, { recursive: true, force: true })
  await bundle({
    ...bundling,
    entryPoints: {
      varve: 'src/cli/main.ts',
      'capture-worker': 'src/app/capture-worker.ts',
      'encoder-thread': 'src/models/encoder-thread.ts',
      'publish-tools': 'src/cli/publish-tools.ts',
    },
    sourcemap: true,
  })
  // The page's files are sent as they are; `web/page.ts` looks for them beside the program.
  cpSync(join(root, 'src', 'web', 'page'), join(output, 'page'), { recursive: true })
  const { publishedTools, PUBLISHED_TOOLS } = await import(pathToFileURL(join(output, 'publish-tools.js')).href)
  writeFileSync(join(output, PUBLISHED_TOOLS), await publishedTools(output))
  writeFileSync(stamp, hash)
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await build()
