/** A pack for people: headings, texts and where they stand. */

import { z } from 'zod'
import type { Terminal } from './terminal.ts'

const passage = z.object({ text: z.string(), matched: z.string() })

const statement = z.object({
  text: z.string(),
  source: z.string(),
  timestamp: z.string(),
  source_path: z.string().optional(),
  id: z.string().optional(),
})

const conversation = z.object({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  timestamp: z.string(),
  passage,
  more: z.array(passage).default([]),
  expand: z.object({ params: z.record(z.string(), z.unknown()) }),
})

/** What of the tool's answer is shown. */
const packSchema = z.object({
  decisions: z.array(statement),
  constraints: z.array(statement),
  examples: z.array(conversation),
  rules: z.array(z.object({ title: z.string(), source_path: z.string() })),
  current_truth: z.array(z.object({ text: z.string(), source_path: z.string(), trust: z.string() })).default([]),
  past_reasoning: z.array(conversation).default([]),
  older_memory: z.array(conversation).default([]),
  discounted: z.array(z.object({ source_path: z.string(), reason: z.string() })).default([]),
  recommended_live_files: z.array(z.string()).default([]),
  conflicts: z
    .array(z.object({ a: z.string(), b: z.string(), subject: z.string(), newer: z.enum(['a', 'b']) }))
    .default([]),
  other_projects: z.array(z.object({ title: z.string(), source_path: z.string() })).default([]),
  current_truth_caveat: z.string().optional(),
  project_scope: z.object({ root: z.string(), conversations: z.number() }).optional(),
  coverage: z.string().optional(),
  degraded_reason: z.string().optional(),
  truncated: z.boolean(),
  total_bytes: z.number(),
})

type Pack = z.infer<typeof packSchema>
type Paint = Pick<Terminal, 'paint'>

/** Lines for a terminal, from the structured answer of rift_context_pack. */
export function packLines(answer: unknown, terminal: Paint): string[] {
  const pack = packSchema.parse(answer)
  const { paint } = terminal
  const sections: [heading: string, lines: string[]][] = [
    ['Decisions', pack.decisions.flatMap((item) => statementLines(item, paint))],
    ['Constraints', pack.constraints.flatMap((item) => statementLines(item, paint))],
    [
      'What is true now',
      pack.current_truth.flatMap(({ text, source_path, trust }) => quoted(text, `${source_path}, ${trust}`, paint)),
    ],
    [
      'Conversations',
      [...pack.examples, ...pack.past_reasoning, ...pack.older_memory].flatMap((item) =>
        conversationLines(item, paint),
      ),
    ],
    ['Rules', pack.rules.map(({ title, source_path }) => `  ${title}  ${paint('dim', source_path)}`)],
    [
      'They disagree',
      pack.conflicts.flatMap(({ a, b, newer }) => [
        `  ${oneLine(newer === 'a' ? b : a)}`,
        `  now: ${oneLine(newer === 'a' ? a : b)}`,
      ]),
    ],
    ['Read first', pack.recommended_live_files.map((path) => `  ${path}`)],
    [
      'Not to be trusted',
      pack.discounted.map(({ source_path, reason }) => `  ${source_path}  ${paint('dim', reason)}`),
    ],
    [
      'In other projects',
      pack.other_projects.map(({ title, source_path }) => `  ${title}  ${paint('dim', source_path)}`),
    ],
  ]
  const filled = sections.filter(([, lines]) => lines.length > 0)
  if (filled.length === 0)
    return ['Nothing that is held bears on this task.', footer(pack, paint)].filter((line) => line !== '')
  return [...filled.flatMap(([heading, lines]) => [paint('bold', heading), ...lines, '']), footer(pack, paint)]
}

function statementLines(
  { text, source, timestamp, source_path, id }: Pack['decisions'][number],
  paint: Terminal['paint'],
): string[] {
  return quoted(text, `${source_path ?? id ?? source}, ${timestamp.slice(0, 10)}`, paint)
}

function conversationLines(
  { id, title, source, timestamp, passage: best, more, expand }: Pack['examples'][number],
  paint: Terminal['paint'],
): string[] {
  return [
    `  ${oneLine(title)}  ${paint('dim', `${source}, ${timestamp.slice(0, 10)}`)}`,
    ...[best, ...more].map(({ text }) => `    > ${oneLine(text)}`),
    `    ${paint('dim', openCommand(id, expand.params))}`,
  ]
}

/** Digests and saves are no sessions: they open in full where they were found. */
function openCommand(id: string, params: Record<string, unknown>): string {
  return id.startsWith('session:') ? `varve open ${id}` : `varve call rift_search '${JSON.stringify(params)}'`
}

function quoted(text: string, place: string, paint: Terminal['paint']): string[] {
  return [`  > ${oneLine(text)}`, `    ${paint('dim', place)}`]
}

/** Nothing quoted may move the cursor or begin a line of ours. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function footer(pack: Pack, paint: Terminal['paint']): string {
  const facts = [
    ...(pack.project_scope
      ? [`project ${pack.project_scope.root}, ${pack.project_scope.conversations} conversations`]
      : []),
    ...(pack.current_truth_caveat === undefined ? [] : [pack.current_truth_caveat]),
    ...(pack.degraded_reason === undefined ? [] : [`by keyword only: ${pack.degraded_reason}`]),
    ...(pack.coverage === undefined ? [] : [`the archive may lack something (${pack.coverage})`]),
    ...(pack.truncated ? ['there is more: raise --max-bytes'] : []),
  ]
  return paint('dim', facts.join('; '))
}
