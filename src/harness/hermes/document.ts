/** The JSON file of a session, which older clients write anew with each message. */

import { isRecord } from '../../core/json.ts'
import { list } from '../fields.ts'
import type { DocumentFormat } from '../harness.ts'
import { createNames } from '../message-names.ts'
import { saidIn } from './records.ts'

export const documentFormat: DocumentFormat = { kind: 'document', records }

/** The document's own fields, its messages, and when it was written. */
function* records(document: unknown): Iterable<unknown> {
  if (!isRecord(document) || !Array.isArray(document['messages'])) {
    yield document
    return
  }
  const { messages, ...session } = document
  yield { type: 'session', session }
  const nameOf = createNames()
  for (const message of list(messages)) yield { type: 'message', id: nameOf(...saidIn(message)), message }
  const at = session['last_updated']
  if (at !== undefined) yield { type: 'end', storage: 'document', end: { at } }
}
