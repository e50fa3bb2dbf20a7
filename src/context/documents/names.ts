/** Which files are documents, by their names alone, and what a name says about their role. Pure. */

import type { DocumentRole } from './document.ts'

/** Directories below the root a document may lie in; below a `docs` or `decisions` directory one more. */
const MAX_DEPTH = 3

/** Written for people; any such file is a document. `.txt` is too common for that: its name or place must say so. */
const PROSE = /\.(?:md|markdown|mdx|mdc|org|rst|adoc)$/
const TEXT = /\.(?:txt|text)$/

/** What others wrote, what programs made, and what tests feed on. */
const SKIPPED_DIRECTORIES = new Set(
  `node_modules bower_components vendor third_party third-party site-packages venv env pods deriveddata dist build out
  target obj coverage __pycache__ __snapshots__ __fixtures__ fixtures testdata test-data test_data golden goldens
  snapshots corpus`.split(/\s+/),
)

/** Of the hidden directories only these are entered. */
const HIDDEN_DIRECTORIES = new Set(['.cursor', '.github'])

const MANIFESTS = new Set(
  `package.json deno.json deno.jsonc pyproject.toml setup.cfg requirements.txt pipfile cargo.toml go.mod gemfile
  composer.json pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts mix.exs pubspec.yaml
  package.swift pnpm-workspace.yaml cmakelists.txt`.split(/\s+/),
)

const SCRIPT = /^(?:install|setup|bootstrap)(?:[-_.][\w-]+)?\.(?:sh|bash|ps1|bat|cmd|py|mjs|js)$/
const SCRIPTS = new Set(
  'makefile gnumakefile justfile dockerfile taskfile.yml docker-compose.yml docker-compose.yaml compose.yml compose.yaml'.split(
    ' ',
  ),
)

/** Files that agents and people are told to follow. */
const RULE_FILE =
  /^(?:claude|agents|agent|gemini|claude\.local|agents\.override|copilot-instructions|contributing|security|style[\w-]*|[\w-]*style[-_]?guide|conventions?|guidelines?)\.(?:md|mdc|markdown|txt|org|rst|adoc)$|^(?:contributing|security|\.cursorrules|\.windsurfrules|\.clinerules)$/

const RULE_WORD = /(?:^|[^a-z])(?:rules?|polic(?:y|ies)|guidelines?|conventions?|checklists?|runbooks?)(?:[^a-z]|$)/
const REPORT_WORD = /(?:^|[^a-z])(?:reports?|post-?mortems?|findings?|gates?)(?:[^a-z]|$)/

const TRACKER_FILE =
  /^(?:project[_-]?state|state|status|todos?|roadmap|progress|plans?|decisions|decision[_-]?log|changelog|changes|history|handoff|backlog)(?:\.(?:md|markdown|txt|org))?$/

/** Places where decisions are written down one by one. */
const DECISION_PLACE = /(?:^|\/)(?:docs?\/(?:adrs?|decisions)|decisions|adrs?)\//

/** Whether a directory is looked into. @param name its own name */
export function isDocumentDirectory(name: string): boolean {
  const folded = name.toLowerCase()
  return folded.startsWith('.') ? HIDDEN_DIRECTORIES.has(folded) : !SKIPPED_DIRECTORIES.has(folded)
}

/** Whether documents may lie in a directory that far down. @param path relative to the root, empty for it */
export function isWithinDepth(path: string): boolean {
  const names = path === '' ? [] : path.toLowerCase().split('/')
  const deeper = names.some((name) => name === 'docs' || name === 'doc' || name === 'decisions')
  return names.length <= MAX_DEPTH + (deeper ? 1 : 0)
}

/** Whether a path, relative to the root, names a document. Its directories are judged as well. */
export function isDocumentPath(path: string): boolean {
  const names = path.split('/')
  const name = names.pop() ?? ''
  return names.every(isDocumentDirectory) && isWithinDepth(names.join('/')) && isDocumentName(path, name.toLowerCase())
}

function isDocumentName(path: string, name: string): boolean {
  const folded = path.toLowerCase()
  if (folded.startsWith('.github/')) return RULE_FILE.test(name) || /\.instructions\.md$/.test(name)
  if (folded.includes('.cursor/')) return /(?:^|\/)\.cursor\/rules\/.*\.(?:mdc|md)$/.test(folded)
  if (name.startsWith('.')) return RULE_FILE.test(name)
  if (PROSE.test(name) || roleOfName(path) !== undefined) return true
  if (/^readme(?:\.txt)?$/.test(name)) return true
  return TEXT.test(name) && (/(?:^|\/)docs?\//.test(folded) || saysRole(folded))
}

function saysRole(folded: string): boolean {
  return RULE_WORD.test(folded) || REPORT_WORD.test(folded)
}

/** The role that a path alone gives a document; undefined when its content must tell. */
export function roleOfName(path: string): DocumentRole | undefined {
  const folded = path.toLowerCase()
  const name = folded.slice(folded.lastIndexOf('/') + 1)
  if (MANIFESTS.has(name) || /\.(?:csproj|fsproj|gemspec)$/.test(name)) return 'manifest'
  if (SCRIPTS.has(name) || SCRIPT.test(name)) return 'script'
  if (RULE_FILE.test(name) || /(?:^|\/)\.cursor\/rules\//.test(folded) || /\.instructions\.md$/.test(name))
    return 'rule'
  if (TRACKER_FILE.test(name)) return 'tracker'
  const isProse = PROSE.test(name) || TEXT.test(name)
  return isProse && DECISION_PLACE.test(folded) ? 'tracker' : undefined
}

/** The role that words of a path or title give a document; undefined when they give none. */
export function roleOfWords(text: string): 'rule' | 'report' | undefined {
  const folded = text.toLowerCase()
  if (REPORT_WORD.test(folded)) return 'report'
  return RULE_WORD.test(folded) ? 'rule' : undefined
}

/** A changelog tells of the past but for its newest entries. */
export function isChangelog(path: string): boolean {
  return /(?:^|\/)(?:changelog|changes|history)(?:\.\w+)?$/i.test(path)
}

export function isReadme(path: string): boolean {
  return /(?:^|\/)readme[^/]*$/i.test(path)
}
