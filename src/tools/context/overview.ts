/** The resource `rift://rift-context.md`: a short description of what is held. Never text of a transcript. */

import { sourceNameOf } from '../../context/index.ts'
import type { Caller } from '../../core/caller.ts'
import { heldProjects, heldSources } from '../../store/index.ts'
import type { Services } from '../tool.ts'

/** Bytes of UTF-8 the description may take. */
const MAX_BYTES = 4_096

/** Projects named, and characters of their directories. */
const PROJECTS = 10
const DIRECTORY_LENGTH = 200

const MEANING: Readonly<Record<Services['context']['settings']['meaning'], string>> = {
  associations: 'built in',
  encoder: 'with an encoder on this machine',
  http: 'with vectors of a provider',
  off: 'off',
}

/** Markdown of at most 4 KB about what the caller may see. */
export async function contextOverview(services: Services, caller: Caller): Promise<string> {
  const { engine, context } = services
  const [{ memory_diagnostics: memory, capture_diagnostics: capture }, sources, projects] = await Promise.all([
    context.status(caller),
    heldSources(engine, caller),
    heldProjects(engine, caller, PROJECTS),
  ])
  const total = sources.reduce((sum, { conversations }) => sum + conversations, 0)
  const { digests, structured_docs } = memory.counts
  const lines = [
    '# What Varve holds',
    '',
    `${total} conversations of coding agents, ${structured_docs} project documents, ${memory.statements} statements, ${digests} digests.`,
    `Capture: ${capture.status}. Documents: ${memory.documents.status}. Search by keyword: on. Search by meaning: ${MEANING[context.settings.meaning]}.`,
    ...list(
      'Conversations',
      sources.map(
        ({ harness, conversations, from, to }) =>
          `${sourceNameOf(harness)}: ${conversations}, ${day(from)} to ${day(to)}`,
      ),
    ),
    ...list(
      'Projects',
      projects.map(
        ({ directory, conversations }) =>
          `${[...directory.replace(/\s+/gu, ' ')].slice(0, DIRECTORY_LENGTH).join('')}: ${conversations} conversations`,
      ),
    ),
    '',
    'Ask with rift_context_pack before a task, rift_search for something specific, rift_open_evidence to read.',
  ]
  return withinCap(lines)
}

function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${heading}`, '', ...items.map((item) => `- ${item}`)]
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** As many lines from the start as fit. */
function withinCap(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (Buffer.byteLength(text) + Buffer.byteLength(line) + 1 > MAX_BYTES) break
    text += `${line}\n`
  }
  return text
}
