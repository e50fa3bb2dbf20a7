/** Conversations of the editor. */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, foreign, number, text } from '../fields.ts'
import { defineLayout, type NativeRecord } from '../harness.ts'
import { bubbleTime, readBubble, readComposer, readStatus, readUnlisted } from './bubbles.ts'
import { desktopFormat } from './desktop-database.ts'
import { add, type Entry, openEntry, openState, type State } from './entry.ts'
import { isDesktopFile } from './paths.ts'

export const desktop = defineLayout<State>({
  matches: isDesktopFile,
  format: desktopFormat,
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const { drafts, sessions } = readRecord(value, state)
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

function readRecord(value: unknown, state: State): Entry {
  const record = fields(value)
  const { bubble, composer } = record
  if (record['type'] === 'composer' && isRecord(composer)) {
    const entry = openEntry(state, number(composer['createdAt']))
    readComposer(entry, composer)
    return entry
  }
  if (record['type'] === 'bubble' && isRecord(bubble)) {
    const entry = openEntry(state, bubbleTime(bubble))
    if (record['unlisted'] === true) readUnlisted(entry, text(record['key']), bubble)
    else readBubble(entry, bubble)
    return entry
  }
  const entry = openEntry(state, record['type'] === 'end' ? number(record['at']) : undefined)
  if (record['type'] === 'end') readStatus(entry, text(record['status']))
  else add(entry, 'unknown', '', undefined, { payload: foreign(value) })
  return entry
}
