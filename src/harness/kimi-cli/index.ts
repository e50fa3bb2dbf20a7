/**
 * Kimi CLI (Moonshot AI, Python) and Kimi Code, which came after it with another layout. Both write a wire, a log of what
 * the agent told whoever showed it, each in its own language; the first clients wrote only the history sent to the model.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, number } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type NativeRecord } from '../harness.ts'
import { readCodeRecord } from './code-wire.ts'
import { contextRecords, readContextRecord } from './context.ts'
import { addUnknown, type Entry, openEntry, openState, readingOf, type State } from './entry.ts'
import { isCodeWire, isContext, projectsSidecar, sources, stateSidecar } from './paths.ts'
import { isWireRecord, readWireRecord } from './wire.ts'

const codeWire = defineLayout<State>({
  matches: isCodeWire,
  format: jsonLines,
  sidecars: [stateSidecar],
  open: openState,
  read: reading(readWire, wireTime),
})

const context = defineLayout<State>({
  matches: isContext,
  format: { kind: 'bundle', related: () => [], records: contextRecords },
  sidecars: [projectsSidecar, stateSidecar],
  open: openState,
  read: reading(readContextRecord, () => undefined),
})

const wire = defineLayout<State>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [projectsSidecar, stateSidecar],
  open: openState,
  read: reading(readWire, wireTime),
})

export const kimiCli = defineHarness({
  id: 'kimi-cli',
  title: 'Kimi CLI',
  sources,
  layouts: [codeWire, context, wire],
  missing: [
    'The version of the client and the git branch are not recorded; the model only by Kimi Code.',
    'Kimi CLI does not tell a step that the user stopped from one that failed: both count as interrupted.',
    'Sessions of the first clients, which wrote no wire, have no times and no tokens.',
    'A turn whose program was killed has no end: its prompt stands without an answer.',
  ],
})

/** A wire that somebody copied elsewhere does not say by its place whose it is; its records do. */
function readWire(entry: Entry): void {
  if (isWireRecord(entry.record)) readWireRecord(entry)
  else readCodeRecord(entry)
}

/** Kimi CLI writes seconds with a fraction, Kimi Code milliseconds. */
function wireTime(record: Fields): number | undefined {
  const seconds = number(record['timestamp'])
  if (seconds !== undefined) return Math.round(seconds * 1000)
  return number(record['time']) ?? number(record['created_at'])
}

function reading(
  readRecord: (entry: Entry) => void,
  timeOf: (record: Fields) => number | undefined,
): (record: NativeRecord, state: State) => Reading {
  return ({ value, index }, state) => {
    const record = fields(value)
    const entry = openEntry(record, index, state, timeOf(record))
    if (isRecord(value)) readRecord(entry)
    else addUnknown(entry, value)
    return readingOf(entry)
  }
}
