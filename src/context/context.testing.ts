/** Archives of both engines for tests of the context. */

import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { TEST_ENGINES as ENGINES } from '../store/archive.testing.ts'
import type { Engine } from '../store/engine.ts'

export { answer, call, prompt, START, touched, writeSession } from '../store/archive.testing.ts'

/** For `describe.each`. */
export const TEST_ENGINES = ENGINES.map(({ name, open }) => [name, open] as const)

export const ME: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/work/demo' }

/** Texts of the passages that hold a word. */
export async function textsWith(engine: Engine, word: string, caller: Caller = ME): Promise<string[]> {
  const hits = await engine.textIndex.contextCandidates({
    caller,
    kinds: ['document', 'save', 'digest', 'statement'],
    required: [{ terms: [word] }],
    optional: [],
    excluded: [],
    order: 'newest',
    limit: 50,
    window: 5_000,
  })
  return hits.map(({ text }) => text)
}

/** Everything the context holds, without numbers and times of indexing, for comparing two archives. */
export async function contextRows(engine: Engine): Promise<Record<string, unknown[]>> {
  return {
    items: await engine.all(
      'SELECT kind, stable_key, path, title, state, content, project_id FROM context_item ORDER BY kind, stable_key',
    ),
    passages: await engine.all('SELECT kind, heading, start, text FROM context_passage ORDER BY kind, text, start'),
    statements: await engine.all('SELECT key, text, session_pk, event_pk, start FROM statement ORDER BY key'),
    labels: await engine.all('SELECT session_pk, domain, intent, title FROM session_label ORDER BY session_pk'),
    totals: await engine.all("SELECT documents, characters FROM search_lane WHERE lane = 'context'"),
  }
}
