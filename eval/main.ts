/** `npm run eval`: how well things are found, on labelled questions, beside plain full text search; one table. */

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { encoderIn, findEncoder } from '../src/models/index.ts'
import { WEIGHTS, type Weights } from '../src/retrieval/weights.ts'
import { missedAims } from './aims.ts'
import { baseline, contextPack, type Door, riftSearch, riftSearchWithOutcomes, searchSessions } from './doors.ts'
import type { LabelledSet } from './labelled.ts'
import { type Result, runSet } from './run.ts'
import { cosqa } from './sets/cosqa.ts'
import { locomo } from './sets/locomo.ts'
import { ownSet } from './sets/own.ts'
import { sdeBench } from './sets/sde-bench.ts'

const { values } = parseArgs({
  options: { set: { type: 'string', multiple: true }, ablate: { type: 'boolean' }, lane: { type: 'string' } },
})

// Bundled into a folder below the root like the program, or run from its own: both lie one below the root.
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const retrieval = join(root, '..', 'shared', 'retrieval')
const corpus = join(root, '..', 'shared', 'corpus')
const questions = join(root, 'eval', 'questions')

/** A set and the data it is read from. */
const SETS: { needs: string; set: LabelledSet }[] = [
  { needs: join(retrieval, 'locomo'), set: locomo(join(retrieval, 'locomo', 'locomo-3.json')) },
  { needs: join(retrieval, 'sde-bench'), set: sdeBench(join(retrieval, 'sde-bench', 'sde-bench.json')) },
  {
    needs: join(retrieval, 'cosqa'),
    set: cosqa(join(retrieval, 'cosqa', 'dev-500.json'), join(retrieval, 'cosqa', 'code_idx_map.json')),
  },
  { needs: corpus, set: ownSet(questions, corpus, false) },
  { needs: corpus, set: ownSet(questions, corpus, true) },
]

const DOORS: readonly Door[] = [
  baseline,
  searchSessions('lexical'),
  searchSessions('with meaning'),
  riftSearch('lexical'),
  riftSearch('with meaning'),
  riftSearchWithOutcomes('with meaning'),
  contextPack('with meaning'),
]

/** `--lane encoder`: what the installed sentence encoder adds; with `--ablate`, at several weights. */
function encoderDoors(): Door[] {
  const folder = findEncoder([root, process.env['VARVE_HOME'] ?? join(homedir(), '.varve')])
  if (folder === undefined)
    throw new Error('the encoder is not installed; `varve doctor` says how, with provider "encoder"')
  const embedder = encoderIn(folder)
  const weights = values.ablate ? [0.2, 0.4, 0.6, 0.8] : [WEIGHTS.meaning]
  return [
    riftSearch('with meaning'),
    ...weights.map((meaning) => ({
      ...riftSearch('encoder', { ...WEIGHTS, meaning }, embedder),
      name: `rift_search, weight ${meaning}`,
    })),
    contextPack('with meaning'),
    ...weights.map((meaning) => ({
      ...contextPack('encoder', { ...WEIGHTS, meaning }, embedder),
      name: `pack, weight ${meaning}`,
    })),
  ]
}

function doors(): readonly Door[] {
  if (values.lane === 'encoder') return encoderDoors()
  if (values.lane !== undefined) throw new Error(`there is no lane '${values.lane}' to choose: encoder`)
  return values.ablate ? ablations() : DOORS
}

const chosen = doors()
const started = performance.now()
const results: Result[] = []
const missing: string[] = []
for (const { needs, set } of SETS.filter(({ set }) => values.set?.includes(set.name) ?? true)) {
  if (!existsSync(needs)) {
    console.log(`skipped ${set.name}: its data is not there (${needs})`)
    continue
  }
  console.error(`${set.name} ...`)
  const run = await runSet(set, chosen)
  results.push(...run.results)
  missing.push(...run.missing)
}
print(results)
for (const gold of missing) console.log(`not in the archive: ${gold}`)
const missed = values.ablate ? [] : results.flatMap((result) => missedAims(result).map((aim) => [result, aim] as const))
for (const [{ set, door }, aim] of missed) console.log(`missed: ${set}, ${door.name}, ${door.lane}: ${aim}`)
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)
process.exitCode = missed.length + missing.length > 0 ? 1 : 0

/** `search_sessions` as it is, and without each of what makes up its score. */
function ablations(): Door[] {
  const without: Partial<Weights>[] = [
    {},
    { related: 0 },
    { conversation: 0, conversationToo: 0 },
    { conversationToo: 0 },
    { reply: 0, asking: 0 },
    { fitting: 0 },
    { window: 0 },
    { near: 0, far: 0 },
    { near: 0, far: 0, reply: 0, asking: 0, window: 0, conversation: 0, conversationToo: 0 },
    { closeness: 0 },
    { length: 0 },
    { functionWord: 1, lightWord: 1 },
    { functionWord: 0, lightWord: 0 },
  ]
  return without.map((change) => ({
    ...searchSessions('with meaning', { ...WEIGHTS, ...change }),
    name: Object.keys(change).length === 0 ? 'as it is' : JSON.stringify(change).replace(/[{}"]/g, ''),
  }))
}

function print(rows: readonly Result[]): void {
  console.log(
    '\n| set | door | lane | n | R@1 | R@5 | R@10 | session Hit@1 | nDCG@10 | MRR | in pack | p50 ms | p95 ms |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|')
  for (const { set, door, questions: count, measures, evidence, p50, p95 } of rows) {
    const { recall1, recall5, recall10, talk1, ndcg10, mrr } = measures ?? {}
    const shares = [recall1, recall5, recall10, talk1, ndcg10, mrr, evidence].map((share) =>
      share === undefined ? '' : (100 * share).toFixed(1),
    )
    console.log(`| ${[set, door.name, door.lane, count, ...shares, p50.toFixed(1), p95.toFixed(1)].join(' | ')} |`)
  }
}
