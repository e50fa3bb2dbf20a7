/** The page about harnesses, derived from their definitions: what is read from where, and what is known to be missing. */

import type { Harness, RecordFormat, SourceDefinition } from '../src/harness/harness.ts'
import { table } from './markdown-table.ts'

const PLATFORMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' } as const
type Platform = keyof typeof PLATFORMS

/** What people call the formats. */
const FORMATS: Record<RecordFormat['kind'], string> = {
  jsonl: 'lines of JSON, read as they grow',
  document: 'JSON documents, read whole when they change',
  bundle: 'files that belong together, read whole when one changes',
  database: 'SQLite, opened for reading alone',
  export: 'downloads from the web page: `varve capture FILE` with the zip or a JSON file of it',
}

export function harnessesPage(harnesses: readonly Harness[], note: string): string {
  return [
    '# Harnesses',
    note,
    'What Varve reads, and from where. Folders that are not there cost nothing; `~` is your home. A further folder is named ' +
      'in the configuration under `[[sources]]`, and `varve capture PATH` reads a file or folder anywhere. Nothing is ever ' +
      'written beside a transcript.',
    harnessesTable(harnesses, ''),
    ...harnesses.map(harnessSection),
  ].join('\n\n')
}

/** One row for each harness; `page` is where their sections are, relative to the page with the table. */
export function harnessesTable(harnesses: readonly Harness[], page: string): string {
  return table(
    ['harness', '`harness`', '`source`', 'kept as'],
    harnesses.map((harness) => [
      `[${harness.title}](${page}#${anchor(harness.title)})`,
      `\`${harness.id}\``,
      harness.sources.map(({ name }) => `\`${name}\``).join(', '),
      [...new Set(harness.layouts.map(({ format }) => FORMATS[format.kind]))].join('; '),
    ]),
  )
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

function harnessSection(harness: Harness): string {
  const rows = harness.sources.flatMap((source) => placesOf(source).map((place) => [`\`${source.name}\``, ...place]))
  const variables = [...new Set(harness.sources.flatMap(variablesOf))].sort()
  const exported = harness.layouts.some(({ format }) => format.kind === 'export')
  return [
    `## ${harness.title}`,
    ...(rows.length > 0 ? [table(['source', 'platform', 'folders'], rows)] : []),
    ...(exported ? ['Read only when named: `varve capture FILE`.'] : []),
    ...(variables.length > 0 ? [`Moved by ${variables.map((name) => `\`${name}\``).join(', ')}.`] : []),
    ...(harness.missing && harness.missing.length > 0
      ? [['Known to be missing:', '', ...harness.missing.map((sentence) => `- ${sentence}`)].join('\n')]
      : []),
  ].join('\n\n')
}

/** Platforms with the same folders share a row. */
function placesOf(source: SourceDefinition): [platforms: string, folders: string][] {
  const places = new Map<string, string[]>()
  for (const [platform, title] of Object.entries(PLATFORMS) as [Platform, string][]) {
    const folders = source
      .roots({ home: '~', env: {}, platform })
      .map((folder) => `\`${folder.replaceAll('\\', '/')}\``)
    const key = [...new Set(folders)].join('<br>')
    places.set(key, [...(places.get(key) ?? []), title])
  }
  return [...places].filter(([folders]) => folders !== '').map(([folders, titles]) => [titles.join(', '), folders])
}

/** The variables a source asks for, found by watching it ask. */
function variablesOf(source: SourceDefinition): string[] {
  const asked = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_target, name) => {
        asked.add(String(name))
        return undefined
      },
    },
  )
  for (const platform of Object.keys(PLATFORMS) as Platform[]) source.roots({ home: '~', env, platform })
  return [...asked]
}
