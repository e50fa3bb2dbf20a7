/**
 * Which user message is a prompt. A rollout holds much that is addressed to the model in the user's name: the
 * environment, AGENTS.md, skills, notices. New clients mark what is in a message; older ones repeat every genuine prompt
 * as an event right after it; where there are neither marks nor events, a message counts unless it looks injected.
 */

import type { Draft } from '../../core/event.ts'
import { imagesIn, messageText } from './content.ts'
import { type Fields, fields, list } from './fields.ts'
import { add, addAside, type RecordReading } from './reading.ts'
import { claim, say } from './state.ts'

/** How texts begin that clients put into the user's mouth: a heading, or a tag whose name no person's markup has. */
const INJECTED = /^\s*(?:# AGENTS\.md instructions|<(?:[a-z]+(?:_[a-z]+)+|skill|instructions)[\s>])/i

function isInjected(text: string): boolean {
  return INJECTED.test(text)
}

/** A user message among the response items: what the model was sent. */
export function readUserItem(reading: RecordReading, id: string | undefined): void {
  const { payload, state } = reading
  const kinds = contentKinds(payload)
  const marked = kinds.some((kind) => kind !== 'unknown')
  const genuine = marked ? kinds.some((kind) => kind.startsWith('user.')) : undefined
  const text = messageText(payload.content)
  if (genuine === false || (genuine === undefined && isInjected(text))) {
    const draft = add(reading, 'system', text, id)
    draft.payload = { type: 'message', role: 'user', ...(kinds.length > 0 && { kinds }) }
    return
  }
  if (claim(state, 'prompt', 'item', text)) {
    addAside(reading, 'runtime', { role: 'user' }, id)
  } else if (genuine === undefined && state.confirmed) {
    // The event that is to follow is the prompt; without it this was something else, kept where it is not searched.
    addAside(reading, 'system', { role: 'user', text }, id)
  } else {
    say(state, 'prompt', 'item', text)
    state.promptAt = reading.index
    addUserPrompt(reading, text, payload.content, id)
  }
}

/** `user_message`, and the item `UserMessage`: what the user is shown as their prompt. Always genuine. */
export function readUserEvent(reading: RecordReading, text: string, content: unknown, id: string | undefined): void {
  const { state, index } = reading
  const told = claim(state, 'prompt', 'event', text)
  const follows = state.promptAt === index - 1
  delete state.promptAt
  if (told || follows) {
    // Right after a prompt it is that prompt, even where a picture makes the texts differ.
    if (!told) state.said.pop()
    state.confirmed = true
    addAside(reading, 'runtime', undefined, id)
    return
  }
  say(state, 'prompt', 'event', text)
  addUserPrompt(reading, text, content, id)
}

/** A prompt; it opens a turn. */
export function addPrompt(reading: RecordReading, text: string, id: string | undefined): Draft {
  const draft = add(reading, 'user_input', text, id)
  draft.opensTurn = true
  reading.state.turn.prompted = true
  return draft
}

function addUserPrompt(reading: RecordReading, text: string, content: unknown, id: string | undefined): void {
  const { context, request } = withoutEditorContext(text)
  const draft = addPrompt(reading, request, id)
  const images = imagesIn(content)
  if (images.length > 0) draft.payload = { images }
  if (context !== '') draft.payload = { ...fields(draft.payload), context }
}

/** Extensions of editors put what is open there in front of the prompt. */
const EDITOR_CONTEXT = /^\s*# Context from my IDE setup:\n/
const REQUEST = /^## My request for Codex:[^\S\n]*\n/m

/** The prompt as it was typed. One that is none but context stays whole. */
function withoutEditorContext(text: string): { context: string; request: string } {
  const heading = EDITOR_CONTEXT.test(text) ? REQUEST.exec(text) : null
  const request = heading ? text.slice(heading.index + heading[0].length).trim() : ''
  return heading && request !== ''
    ? { context: text.slice(0, heading.index).trim(), request }
    : { context: '', request: text }
}

function contentKinds(payload: Fields): readonly string[] {
  const kinds = fields(payload.internal_chat_message_metadata_passthrough).content_item_kinds
  return list(kinds).filter((kind) => typeof kind === 'string')
}
