/** Tree -> text. Every value is printed as it is; only an author's fragment is read as a template again. */

import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { isNoteKey } from '../library/notes.ts'
import { type Path, resolvePath } from './path.ts'
import { type BlockTest, parseTemplate, type TemplateNode } from './template-parse.ts'
import { lookup, type Scope } from './template-scope.ts'

/** What a missing value prints. */
export const UNDEFINED_VARIABLE = '[[UNDEFINED_VARIABLE]]'

/** The text of a note of the run's owner; null when there is none. */
export type NoteReader = (key: string) => Promise<string | null>

/** Fragments inside fragments, and notes whose keys hold notes, are followed this many times. */
const MAX_ROUNDS = 10

/** Most characters one text may render to. */
const MAX_CHARACTERS = 10_000_000

/** Most tags one text may run through, loops counted by their rounds. */
const MAX_STEPS = 1_000_000

/** One round of an each block. `origin` is the variable the list came from. */
interface Item {
  value: unknown
  index: number
  origin: string | null
}

interface Rendering {
  scope: Scope
  /** Texts of notes by key; absent: notes stay as they are written. */
  notes: ReadonlyMap<string, string> | null
  /** Keys that were asked for and are not in `notes`. */
  wanted: Set<string>
  fragments: Map<string, TemplateNode[]>
  steps: number
  characters: number
}

/**
 * Renders a template without notes: `{{note:KEY}}` stays, with the variables in its key filled in.
 * @throws UserError `resource_exhausted` when loops make it larger than 10 million characters or a million tags.
 */
export function renderTemplate(text: string, scope: Scope): string {
  return renderOnce(parseTemplate(text).nodes, scope, null, new Map()).text
}

/**
 * Renders a template with the owner's notes. A note that does not exist prints `[NOTE NOT FOUND: KEY]`, one that
 * cannot be read `[NOTE ERROR: KEY]`. The text of a note is printed as it is, whatever it holds.
 * @throws UserError `resource_exhausted` as `renderTemplate`.
 */
export async function renderWithNotes(text: string, scope: Scope, readNote: NoteReader): Promise<string> {
  const { nodes } = parseTemplate(text)
  const notes = new Map<string, string>()
  const fragments = new Map<string, TemplateNode[]>()
  // A key that holds another note is known only when that one has been read, hence the rounds.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { text: rendered, wanted } = renderOnce(nodes, scope, notes, fragments)
    if (wanted.size === 0) return rendered
    await Promise.all([...wanted].map(async (key) => notes.set(key, await noteText(key, readNote))))
  }
  const { text: rendered } = renderOnce(nodes, scope, notes, fragments)
  return rendered
}

async function noteText(key: string, readNote: NoteReader): Promise<string> {
  if (!isNoteKey(key)) return `[NOTE NOT FOUND: ${key}]`
  try {
    return (await readNote(key)) ?? `[NOTE NOT FOUND: ${key}]`
  } catch {
    // The directive is still worth showing; the marker tells the agent what is missing from it.
    return `[NOTE ERROR: ${key}]`
  }
}

function renderOnce(
  nodes: readonly TemplateNode[],
  scope: Scope,
  notes: ReadonlyMap<string, string> | null,
  fragments: Map<string, TemplateNode[]>,
): { text: string; wanted: Set<string> } {
  const rendering: Rendering = { scope, notes, wanted: new Set(), fragments, steps: 0, characters: 0 }
  return { text: render(rendering, nodes, [], 0), wanted: rendering.wanted }
}

function render(rendering: Rendering, nodes: readonly TemplateNode[], items: readonly Item[], round: number): string {
  let text = ''
  for (const node of nodes) {
    if (++rendering.steps > MAX_STEPS) throw tooLarge(`${MAX_STEPS} tags`)
    switch (node.kind) {
      case 'text':
        text += counted(rendering, node.text)
        break
      case 'value':
        text += renderValue(rendering, node.path, items, round)
        break
      case 'note':
        text += renderNote(rendering, render(rendering, node.key, items, round).trim())
        break
      case 'block':
        text += renderBlock(rendering, node, items, round)
        break
      default:
        node satisfies never
    }
  }
  return text
}

function renderValue(rendering: Rendering, path: Path, items: readonly Item[], round: number): string {
  const value = valueAt(rendering, path, items)
  if (typeof value === 'string' && round < MAX_ROUNDS) {
    const origin = locate(rendering, path.root, items).origin
    if (origin !== null && rendering.scope.fragments.get(origin)?.has(value) === true) {
      let nodes = rendering.fragments.get(value)
      if (nodes === undefined) {
        nodes = parseTemplate(value).nodes
        rendering.fragments.set(value, nodes)
      }
      return render(rendering, nodes, items, round + 1)
    }
  }
  return counted(rendering, value === null || value === undefined ? UNDEFINED_VARIABLE : print(value))
}

function renderNote(rendering: Rendering, key: string): string {
  if (rendering.notes === null) return counted(rendering, `{{note:${key}}}`)
  const text = rendering.notes.get(key)
  if (text !== undefined) return counted(rendering, text)
  rendering.wanted.add(key)
  return `[NOTE ERROR: ${key}]`
}

function renderBlock(
  rendering: Rendering,
  block: Extract<TemplateNode, { kind: 'block' }>,
  items: readonly Item[],
  round: number,
): string {
  const { test } = block
  const value = valueAt(rendering, test.path, items)
  if (test.helper === 'each') {
    if (!Array.isArray(value) || value.length === 0) return render(rendering, block.otherwise, items, round)
    const { origin } = locate(rendering, test.path.root, items)
    let text = ''
    for (const [index, item] of value.entries()) {
      text += render(rendering, block.body, [...items, { value: item, index, origin }], round)
    }
    return text
  }
  return render(rendering, holds(rendering, test, value) ? block.body : block.otherwise, items, round)
}

function holds(rendering: Rendering, test: Exclude<BlockTest, { helper: 'each' }>, value: unknown): boolean {
  switch (test.helper) {
    case 'if':
      return isTruthy(value)
    case 'unless':
      return !isTruthy(value)
    case 'eq':
    case 'neq': {
      const text = value === null || value === undefined ? '' : print(value)
      rendering.characters += text.length
      return (text === test.literal) === (test.helper === 'eq')
    }
    default:
      return test satisfies never
  }
}

/** Empty things, zero and the words "no" and "false" are not true. */
function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return false
  if (typeof value === 'string') return value !== '' && value !== 'no' && value !== 'false'
  if (Array.isArray(value)) return value.length > 0
  return !isRecord(value) || Object.keys(value).length > 0
}

function valueAt(rendering: Rendering, path: Path, items: readonly Item[]): unknown {
  return resolvePath(path, (root) => locate(rendering, root, items).value)
}

/**
 * What a root name means here: inside each blocks the item, then a field of an item (the innermost first), then the
 * run's variables. `origin` is the variable it was found in; null for what no variable holds.
 */
function locate(rendering: Rendering, root: string, items: readonly Item[]): { value: unknown; origin: string | null } {
  const current = items.at(-1)
  if (root === '@index') return { value: current?.index, origin: null }
  if (root === 'this' && current !== undefined) return current
  for (let depth = items.length - 1; depth >= 0; depth--) {
    const item = items[depth]
    if (isRecord(item?.value) && Object.hasOwn(item.value, root))
      return { value: item.value[root], origin: item.origin }
  }
  return { value: lookup(rendering.scope, root), origin: root }
}

/** Strings, numbers and booleans plainly; arrays and objects as JSON. */
function print(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (error) {
    // A value nested too deep, or longer than a string can be.
    throw tooLarge('one value', error)
  }
}

function counted(rendering: Rendering, text: string): string {
  rendering.characters += text.length
  if (rendering.characters > MAX_CHARACTERS) throw tooLarge(`${MAX_CHARACTERS} characters`)
  return text
}

function tooLarge(limit: string, cause?: unknown): UserError {
  const remedy = 'Print less: pick fields instead of whole objects, and loop over shorter lists.'
  return new UserError('resource_exhausted', `The text is too large to render (${limit}).`, { remedy }, { cause })
}
