/**
 * Continue: its command line and its extensions of editors. A session is one JSON document, written anew at the end of a
 * turn; `sessions.json` beside it lists all of them and alone knows when each was begun.
 */

import { dirname, join, posix, win32 } from 'node:path'
import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { isTime } from '../../core/time.ts'
import { fields, foreign, list, text } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, type Files, type Host, type SourceFile } from '../harness.ts'
import { openEntry, openState, readingOf, type State } from './entry.ts'
import { readHeader } from './header.ts'
import { readItem } from './messages.ts'

export const continueHarness = defineHarness({
  id: 'continue',
  title: 'Continue',
  sources: [{ name: 'continue', roots, matches: isTranscript }],
  layouts: [
    defineLayout<State>({
      matches: everyFile,
      format: { kind: 'bundle', related: () => [], records },
      open: openState,
      read: ({ value, index }, state) => {
        const entry = openEntry(state, index)
        const record = fields(value)
        if (isRecord(record['session'])) readHeader(entry, record)
        else if (state.isBegun && isRecord(record['message'])) readItem(entry, record)
        else
          entry.drafts.push({
            session: state.session,
            type: 'unknown',
            text: '',
            payload: foreign(value),
            native: { index: 0 },
          })
        return readingOf(entry) satisfies Reading
      },
    }),
  ],
  missing: [
    'Messages have no times: all of them have the time at which the session was begun.',
    'A turn that was stopped or failed is not written down, and an answer that was stopped in an editor looks like one that was not.',
    'Tools of MCP servers are not told from its own, nor their errors from answers.',
    'The version of the client and the git branch are not recorded.',
  ],
})

/** `CONTINUE_GLOBAL_DIR` stands in for the folder `.continue`. */
function roots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  return [path.join(host.env['CONTINUE_GLOBAL_DIR']?.trim() || path.join(host.home, '.continue'), 'sessions')]
}

/** `<uuid>.json`; what else lies there is no session. */
function isTranscript(path: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/.test(path)
}

/** The document's own fields, with its line of the list, then what was said. */
function* records(files: Files, file: SourceFile): Iterable<unknown> {
  const document = files.json(file.path)
  if (!isRecord(document) || !Array.isArray(document['history'])) {
    yield document
    return
  }
  const { history, ...session } = document
  const id = text(document['sessionId'])
  const listed = list(files.json(join(dirname(file.path), 'sessions.json'))).map(fields)
  const created = Number(listed.find((line) => line['sessionId'] === id)?.['dateCreated'] ?? Number.NaN)
  // Where no message says what it used, the session's sum is all there is.
  const isCounted = list(history).some((item) => isRecord(fields(fields(item)['message'])['usage']))
  yield { session, ...(isTime(created) ? { created } : {}), isCounted }
  yield* list(history)
}
