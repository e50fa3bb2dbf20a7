/**
 * Names of events. Cursor tells one conversation in up to three places: a transcript, the editor's database and the
 * command line's. None gives ids to what it holds that the others know, so an event is named after what is said: a prompt
 * after its text, a text of the agent after that and all said before it in the turn, a tool call by its place behind the
 * last text. What two places tell alike is then one event, and a file written anew keeps the names it had.
 */

import { hash128 } from '../../core/hash.ts'

/** Where in the conversation reading stands. Plain JSON, bounded. */
export interface Naming {
  /** How often each prompt has come, by its name: people say `continue` more than once. */
  prompts: Record<string, number>
  /** Name of the last prompt or text of the agent. */
  said: string
  /** How many of each kind have come since. */
  since: Record<string, number>
}

/** Prompts remembered. One that comes again after so many others is taken for the first of its kind. */
const LIMIT = 1000

export function openNaming(): Naming {
  return { prompts: {}, said: '', since: {} }
}

/** Each place has words of its own for what is no text. */
const PICTURES = /\[(?:image|file[^[\]\n]{0,300})\]/gi

/** Names a prompt; what comes next is named after it. */
export function namePrompt(naming: Naming, said: string): string {
  const own = digest('prompt', said.replace(PICTURES, ''))
  const { prompts } = naming
  const earlier = prompts[own] ?? 0
  if (earlier === 0) {
    const [oldest, ...others] = Object.keys(prompts)
    if (oldest !== undefined && others.length >= LIMIT - 1) delete prompts[oldest]
  }
  prompts[own] = earlier + 1
  return follow(naming, `prompt/${own}/${earlier}`)
}

/** Names a text of the agent; what comes next is named after it. */
export function nameText(naming: Naming, said: string): string {
  return follow(naming, `text/${digest(naming.said, said)}`)
}

/** Names what has no text of its own to go by: `call`, `reasoning`, `note`. */
export function nameStep(naming: Naming, kind: string): string {
  const place = naming.since[kind] ?? 0
  naming.since[kind] = place + 1
  return `${kind}/${digest(naming.said)}/${place}`
}

/** Names the end of a turn. */
export function nameEnd(naming: Naming): string {
  return `end/${digest(naming.said)}/${naming.since['call'] ?? 0}`
}

function follow(naming: Naming, name: string): string {
  naming.said = name
  naming.since = {}
  return name
}

/** Blanks differ between the places. 64 bits tell the events of one session apart. */
function digest(...parts: readonly string[]): string {
  const [first = '', ...others] = parts.map((part) => part.replace(/\s+/g, ' ').trim())
  return hash128(first, ...others).toString('hex', 0, 8)
}
