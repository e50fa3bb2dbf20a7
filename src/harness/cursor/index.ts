/**
 * Cursor: the editor and its command line (`agent`). One conversation may stand in three places: a transcript in JSONL,
 * the editor's database or the command line's. They share the session's id, and the names of events make one of what they
 * tell alike (`names.ts`).
 */

import { defineHarness } from '../harness.ts'
import { chat } from './chat.ts'
import { desktop } from './desktop.ts'
import { sources } from './paths.ts'
import { transcript } from './transcript.ts'

export const cursor = defineHarness({
  id: 'cursor',
  title: 'Cursor',
  sources,
  layouts: [transcript, desktop, chat],
  missing: [
    'Transcripts and the command line give no time of an answer: it has that of the prompt before it, which is told to the minute.',
    'Transcripts leave out what tools returned and most reasoning; the databases have both.',
    'Tokens are noted by the editor from September 2025 to January 2026 only, and without caches.',
    'An answer that is being written in the editor is read when it is done.',
    'The working directory of an old conversation of the editor is known only where a message names its workspace.',
    'Transcripts in plain text (`.txt`), which clients wrote until early 2026, are not read.',
  ],
})
