/** What the context tools are made of on this machine. */

import { resolve } from 'node:path'
import type { PackParts, SearchParts } from '../../context/index.ts'
import type { Caller } from '../../core/caller.ts'
import { searchPassages } from '../../retrieval/passages.ts'
import { WEIGHTS } from '../../retrieval/weights.ts'
import type { Reply } from '../checked-tool.ts'
import type { Services } from '../tool.ts'

export function contextParts({ engine, clock, projects, context }: Services): PackParts & SearchParts {
  const { settings, lanes } = context
  return {
    engine,
    clock,
    projects,
    search: settings.meaning === 'off' ? searchByKeyword : searchPassages,
    ...(lanes && { lanes }),
    boosts: context.outcomeBoosts,
    maxFileBytes: settings.maxFileBytes,
  }
}

/** With search by meaning off, what the archive taught about words stays out as well. */
const searchByKeyword: PackParts['search'] = (engine, caller, request, signal) =>
  searchPassages(engine, caller, request, signal, {}, { ...WEIGHTS, related: 0 })

/** Characters of a reason: it may name a path. */
const COVERAGE_LENGTH = 160

/** A directory as a caller named it; relative to where the client was started. */
export function directoryOf(caller: Caller, cwd: string): string {
  return resolve(caller.launchDirectory, cwd)
}

/** What the archive may lack, as a field of an answer; nothing when it is complete. */
export async function coverageField(services: Services, caller: Caller): Promise<{ coverage?: string }> {
  const { state, reason } = await services.coverage(caller)
  return state === 'complete' ? {} : { coverage: `${state}: ${[...reason].slice(0, COVERAGE_LENGTH).join('')}` }
}

/** An answer whose text is its data, without blanks: what counts is what it costs to read. */
export function compact(structured: Record<string, unknown>): Reply {
  return { text: JSON.stringify(structured), structured }
}
