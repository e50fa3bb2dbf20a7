/** An export for people: one chapter per session. */

import type { ExportRow } from '../app.ts'

/** Events that are prose; everything else is shown as it is, in a fence. */
const PROSE = new Set(['user_input', 'assistant_response'])

/** The Markdown of one row. Without sensitive fields there is only shape: who did what kind of thing, and when. */
export function toMarkdown(row: ExportRow): string {
  switch (row.kind) {
    case 'session':
      return sessionHeading(row)
    case 'event':
      return eventSection(row)
    case 'save':
      return saveChapter(row)
  }
}

function saveChapter(row: ExportRow): string {
  const title = typeof row['title'] === 'string' ? oneLine(row['title']) : `Save ${row['id']}`
  const text = typeof row['text'] === 'string' ? `${row['text']}\n\n` : ''
  return `# ${title}\n\n- id: ${row['id']}\n- source: ${row['source']}\n- saved: ${row['timestamp']}\n\n${text}`
}

function sessionHeading(row: ExportRow): string {
  const facts = ['harness', 'source', 'model', 'cwd', 'branch', 'started_at', 'updated_at', 'completed', 'turn_count']
    .filter((name) => row[name] !== null && row[name] !== undefined)
    .map((name) => `- ${name}: ${row[name]}`)
  const title = typeof row['title'] === 'string' ? oneLine(row['title']) : row['id']
  return `# ${title}\n\n- id: ${row['id']}\n${facts.join('\n')}\n\n`
}

function eventSection(row: ExportRow): string {
  const type = String(row['type'])
  const notes = [
    row['tool_name'],
    typeof row['exit_code'] === 'number' ? `exit code ${row['exit_code']}` : undefined,
    row['failed'] === true ? 'failed' : undefined,
    row['ending'],
    row['replayed'] === true ? 'replayed' : undefined,
  ].filter((note) => typeof note === 'string')
  const heading = `## ${[`${type}, ${row['timestamp']}`, ...notes].join(', ')}\n\n`
  const text = row['text']
  if (typeof text !== 'string' || text === '') return heading
  return heading + (PROSE.has(type) ? `${text}\n\n` : fenced(text))
}

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}\n\n`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
