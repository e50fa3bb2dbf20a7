/**
 * Template text -> tree, in one pass over its tokens. Nothing is refused here: what cannot be read is kept as text and
 * reported as a problem, so that a run always has something to print and validation always has something to say.
 */

import { isNoteKey } from '../library/notes.ts'
import { type Path, parsePath } from './path.ts'
import { type Token, tokenize } from './template-tokens.ts'

export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'value'; at: number; path: Path; text: string }
  | { kind: 'note'; at: number; key: TemplateNode[] }
  | { kind: 'block'; at: number; test: BlockTest; body: TemplateNode[]; otherwise: TemplateNode[] }

export type BlockTest =
  | { helper: 'each'; path: Path }
  | { helper: 'if' | 'unless'; path: Path }
  | { helper: 'eq' | 'neq'; path: Path; literal: string }

export interface ParseProblem {
  kind: 'unclosed' | 'stray' | 'unbalanced' | 'malformed' | 'too-deep'
  /** Offset in the text, from 0. */
  position: number
  message: string
  remedy: string
}

export interface ParsedTemplate {
  nodes: TemplateNode[]
  problems: ParseProblem[]
}

/** Deepest nesting of blocks and of notes inside keys of notes. */
const MAX_DEPTH = 100

/** A block or note whose end has not come yet. `raw` is its opening tag as written. */
type Pending =
  | {
      kind: 'block'
      at: number
      raw: string
      helper: string
      /** Null when the tag could not be read: the block then prints as it is written. */
      test: BlockTest | null
      body: TemplateNode[]
      otherwise: TemplateNode[] | null
      rawElse: string
    }
  | { kind: 'note'; at: number; raw: string; key: TemplateNode[] }

interface State {
  text: string
  tokens: Token[]
  root: TemplateNode[]
  stack: Pending[]
  /** Escaped openings whose `}}` has not come: that one is plain text too. */
  escaped: number
  problems: ParseProblem[]
}

export function parseTemplate(text: string): ParsedTemplate {
  if (!text.includes('{{') && !text.includes('}}')) return { nodes: [{ kind: 'text', text }], problems: [] }
  const state: State = { text, tokens: tokenize(text), root: [], stack: [], escaped: 0, problems: [] }
  for (let index = 0; index < state.tokens.length; index++) {
    const token = state.tokens[index]
    if (token === undefined) break
    switch (token.kind) {
      case 'text':
        addText(state, token.text)
        break
      case 'escaped':
        state.escaped++
        addText(state, token.text)
        break
      case 'close':
        closeBraces(state, token.at)
        break
      case 'open':
        index = openTag(state, index)
        break
      default:
        token satisfies never
    }
  }
  while (state.stack.length > 0) printAsWritten(state)
  state.problems.sort((a, b) => a.position - b.position)
  return { nodes: state.root, problems: state.problems }
}

function children(state: State): TemplateNode[] {
  const top = state.stack.at(-1)
  if (top === undefined) return state.root
  return top.kind === 'note' ? top.key : (top.otherwise ?? top.body)
}

function addText(state: State, text: string): void {
  children(state).push({ kind: 'text', text })
}

/** A `}}` that ends no tag of its own: the end of a note with tags in its key, of an escape, or a stray one. */
function closeBraces(state: State, at: number): void {
  const top = state.stack.at(-1)
  if (top?.kind === 'note') {
    state.stack.pop()
    children(state).push({ kind: 'note', at: top.at, key: top.key })
    return
  }
  if (state.escaped > 0) state.escaped--
  else report(state, 'stray', at, 'Stray "}}"', 'Remove it, or put a space between the braces: "} }".')
  addText(state, '}}')
}

/** Reads the tag that opens at a token; returns the index of the last token it used. */
function openTag(state: State, index: number): number {
  const open = state.tokens[index]
  if (open === undefined) return index
  const next = state.tokens[index + 1]
  const content = next?.kind === 'text' ? next : null
  const last = content === null ? index + 1 : index + 2
  const end = state.tokens[last]
  if (end?.kind === 'close') {
    readTag(state, open.at, (content?.text ?? '').trim(), state.text.slice(open.at, end.at + 2))
    return last
  }
  if (content !== null && end?.kind === 'open' && content.text.trimStart().startsWith('note:')) {
    if (state.stack.length < MAX_DEPTH) {
      const start = content.text.trimStart().slice('note:'.length).trimStart()
      const raw = state.text.slice(open.at, content.at + content.text.length)
      state.stack.push({ kind: 'note', at: open.at, raw, key: [{ kind: 'text', text: start }] })
      return index + 1
    }
    report(state, 'too-deep', open.at, `Tags nest deeper than ${MAX_DEPTH}`, 'Nest less.')
  } else {
    report(state, 'unclosed', open.at, 'Unclosed "{{"', 'Close it with "}}", or write "\\{{" to print the braces.')
  }
  addText(state, '{{')
  return index
}

function readTag(state: State, at: number, content: string, raw: string): void {
  if (content.startsWith('#')) openBlock(state, at, content, raw)
  else if (content.startsWith('/')) closeBlock(state, at, content.slice(1).trim(), raw)
  else if (content === 'else') switchToElse(state, at, raw)
  else if (content.startsWith('note:')) readNote(state, at, content.slice('note:'.length).trim(), raw)
  else {
    const path = parsePath(content)
    if (path !== null) children(state).push({ kind: 'value', at, path, text: content })
    else malformed(state, at, raw, 'Write a name or a path, as in {{name}} or {{node-id.items[0].title}}.')
  }
}

function readNote(state: State, at: number, key: string, raw: string): void {
  if (isNoteKey(key)) children(state).push({ kind: 'note', at, key: [{ kind: 'text', text: key }] })
  else
    malformed(state, at, raw, 'The key of a note holds letters, digits, _ and - only; a variable inside is {{name}}.')
}

function openBlock(state: State, at: number, content: string, raw: string): void {
  if (state.stack.length >= MAX_DEPTH) {
    report(state, 'too-deep', at, `Blocks nest deeper than ${MAX_DEPTH}`, 'Nest less.')
    addText(state, raw)
    return
  }
  const space = /\s/.exec(content.slice(1).trimStart())
  const inner = content.slice(1).trimStart()
  const helper = space === null ? inner : inner.slice(0, space.index)
  const test = space === null ? null : readTest(helper, inner.slice(space.index).trim())
  if (test === null) {
    const remedy =
      'Blocks are {{#if path}}, {{#unless path}}, {{#each path}}, {{#eq path \'text\'}} and {{#neq path "text"}}.'
    report(state, 'malformed', at, `Block that cannot be read: ${shorten(raw)}`, remedy)
  }
  state.stack.push({ kind: 'block', at, raw, helper, test, body: [], otherwise: null, rawElse: '' })
}

function readTest(helper: string, argument: string): BlockTest | null {
  switch (helper) {
    case 'if':
    case 'unless':
    case 'each': {
      const path = parsePath(argument)
      return path === null ? null : { helper, path }
    }
    case 'eq':
    case 'neq': {
      const quote = argument.at(-1)
      const start = quote === "'" || quote === '"' ? argument.indexOf(quote) : -1
      if (start <= 0 || start === argument.length - 1) return null
      const path = parsePath(argument.slice(0, start).trimEnd())
      return path === null ? null : { helper, path, literal: argument.slice(start + 1, -1) }
    }
    default:
      return null
  }
}

function closeBlock(state: State, at: number, helper: string, raw: string): void {
  let match = state.stack.length - 1
  for (; match >= 0; match--) {
    const pending = state.stack[match]
    if (pending?.kind !== 'block' || pending.helper === helper) break
  }
  const block = state.stack[match]
  if (block?.kind !== 'block') {
    report(state, 'unbalanced', at, `${shorten(raw)} closes nothing`, `Open the block with {{#${helper || 'if'} …}}.`)
    addText(state, raw)
    return
  }
  while (state.stack.length > match + 1) printAsWritten(state)
  if (block.test === null) {
    printAsWritten(state)
    addText(state, raw)
    return
  }
  state.stack.pop()
  children(state).push({
    kind: 'block',
    at: block.at,
    test: block.test,
    body: block.body,
    otherwise: block.otherwise ?? [],
  })
}

function switchToElse(state: State, at: number, raw: string): void {
  const top = state.stack.at(-1)
  if (top?.kind === 'block' && top.otherwise === null) {
    top.otherwise = []
    top.rawElse = raw
    return
  }
  report(state, 'unbalanced', at, '{{else}} belongs to no open block', 'Put it inside a block, once.')
  addText(state, raw)
}

/** Gives up on the innermost open block or note: its opening tag becomes text, its content moves up. */
function printAsWritten(state: State): void {
  const pending = state.stack.pop()
  if (pending === undefined) return
  const target = children(state)
  target.push({ kind: 'text', text: pending.raw })
  if (pending.kind === 'note') {
    report(state, 'unclosed', pending.at, 'Unclosed "{{note:"', 'Close it with "}}".')
    // The raw opening already holds the key's first text.
    for (const node of pending.key.slice(1)) target.push(node)
    return
  }
  if (pending.test !== null) {
    const remedy = `Close it with {{/${pending.helper}}}.`
    report(state, 'unbalanced', pending.at, `${shorten(pending.raw)} is never closed`, remedy)
  }
  for (const node of pending.body) target.push(node)
  if (pending.otherwise !== null) {
    target.push({ kind: 'text', text: pending.rawElse })
    for (const node of pending.otherwise) target.push(node)
  }
}

function malformed(state: State, at: number, raw: string, remedy: string): void {
  report(state, 'malformed', at, `Tag that cannot be read: ${shorten(raw)}`, remedy)
  addText(state, raw)
}

function report(state: State, kind: ParseProblem['kind'], position: number, message: string, remedy: string): void {
  state.problems.push({ kind, position, message: `${message} at position ${position}.`, remedy })
}

function shorten(raw: string): string {
  return raw.length <= 60 ? raw : `${raw.slice(0, 57)}...`
}
