/** What the model says and thinks, told on both sides of a rollout: the first to tell it carries it. */

import { pick } from './fields.ts'
import { add, addAside, type RecordReading, setModel } from './reading.ts'
import { claim, isTwin, noteWork, type Side, say } from './state.ts'

/** What the model said, from whichever side tells it first; the other side is its twin. */
export function readAssistantText(
  reading: RecordReading,
  side: Side,
  text: string,
  phase: string | undefined,
  id: string | undefined,
): void {
  const { state } = reading
  if (isTwin(state, 'answer', side, text)) {
    addAside(reading, 'runtime', pick({ phase }, ['phase']), id === undefined ? undefined : `twin:${id}`)
    return
  }
  const draft = add(reading, 'assistant_response', text, id)
  setModel(reading, draft)
  if (phase !== undefined) draft.payload = { phase }
  if (phase === 'commentary') draft.commentary = true
  if (phase === 'final_answer') draft.ends = 'answered'
  noteWork(state)
}

/**
 * Reasoning from either side. Parts are matched one by one, since an old client shows each as an event of its own. What
 * is only there encrypted keeps its payload whole; beside a summary the cipher is worth no more than its size.
 */
export function readReasoningParts(
  reading: RecordReading,
  side: Side,
  parts: readonly string[],
  encrypted: string | undefined,
  id: string | undefined,
): void {
  const { state } = reading
  const said = parts.filter((part) => part.trim() !== '')
  const news = said.filter((part) => !claim(state, 'reasoning', side, part))
  const size = encrypted === undefined ? undefined : { encrypted_characters: encrypted.length }
  // A hidden thought has nothing to show; the response item holds it.
  const hidden = said.length === 0
  if (hidden ? side === 'event' : news.length === 0) {
    addAside(reading, 'runtime', size, id === undefined ? undefined : `twin:${id}`)
    return
  }
  for (const part of news) say(state, 'reasoning', side, part)
  const draft = add(reading, 'reasoning', news.join('\n\n'), id)
  setModel(reading, draft)
  if (hidden && encrypted !== undefined) draft.payload = { encrypted_content: encrypted }
  else if (size) draft.payload = size
  noteWork(state)
}
