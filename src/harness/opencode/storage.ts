/** The folder of JSON files that was OpenCode's storage until 1.2: a file for each session, message and part. */

import { fields, text } from '../fields.ts'
import type { BundleFormat, Files } from '../harness.ts'
import { fromOldest } from './oldest-messages.ts'
import { type StorageFolders, stemOf, storageFolders } from './paths.ts'
import { type StoredMessage, toRecords } from './records.ts'

export const storageFormat: BundleFormat = {
  kind: 'bundle',
  /**
   * A new message changes the folder of messages. The parts' folders are not watched, one for each message of the
   * archive: what is written into the newest message shows in the session's file, which the client writes at each step.
   */
  related: (file) => [storageFolders(file, stemOf(file)).messages],
  *records(files, file) {
    const session = files.json(file.path)
    const own = text(fields(session)['id'])
    const id = own || stemOf(file)
    // Any other JSON file is no session; its neighbours may be messages all the same.
    yield own === '' ? session : { type: 'session', session }
    yield* toRecords(messagesOf(files, storageFolders(file, id), id))
  },
}

function* messagesOf(files: Files, folders: StorageFolders, session: string): Generator<StoredMessage> {
  const messages = valuesIn(files, folders, folders.messages).sort((left, right) => createdAt(left) - createdAt(right))
  const stored = messages.map(
    (message) => fromOldest(session, message) ?? { session, message, parts: partsOf(files, folders, message) },
  )
  // Copies made by hand may have all parts in one folder; it is not looked into where messages have folders.
  const loose = stored.some(({ parts }) => parts.length > 0) ? [] : valuesIn(files, folders, folders.looseParts)
  for (const { message, parts } of stored) {
    const { id } = fields(message)
    const own = loose.filter((part) => id !== undefined && fields(part)['messageID'] === id)
    yield { session, message, parts: [...parts, ...own] }
  }
}

function partsOf(files: Files, folders: StorageFolders, message: unknown): unknown[] {
  const id = text(fields(message)['id'])
  return id === '' ? [] : valuesIn(files, folders, folders.partsOf(id))
}

/** The values of a folder's JSON files, by name. A file that is written at this moment has another ending. */
function valuesIn(files: Files, folders: StorageFolders, folder: string): unknown[] {
  return files
    .names(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => files.json(folders.join(folder, name)))
    .filter((value) => value !== undefined)
}

function createdAt(message: unknown): number {
  const { time, metadata } = fields(message)
  const created = fields(time ?? fields(metadata)['time'])['created']
  return typeof created === 'number' ? created : 0
}
