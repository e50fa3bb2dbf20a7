/** JSON files that are read as a whole: a document, or those around a transcript. */

import type { Files } from '../harness/harness.ts'
import { accessFailure, type FileSystem, type OpenFile, openFile, ReadFailure } from './file-system.ts'

/** Largest file that is read as a whole; a text of more cannot be held. */
const LIMIT = 512 * 1024 * 1024

const BYTE_ORDER_MARK = 0xfeff

/** The text of a file. @throws ReadFailure also `too-large` */
export function readText(open: OpenFile, limit = LIMIT): string {
  const { size } = open.look
  if (size > limit) throw new ReadFailure('too-large', `${size} bytes are too many`)
  const bytes = Buffer.allocUnsafe(size)
  try {
    const text = bytes.toString('utf8', 0, open.read(bytes, 0))
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  } catch (error) {
    if (error instanceof ReadFailure) throw error
    throw new ReadFailure('too-large', error)
  }
}

/** The text of a file that is opened for it. @throws ReadFailure also `too-large` */
export function readTextOf(path: string, fileSystem: FileSystem, limit = LIMIT): string {
  const open = openFile(fileSystem, path)
  try {
    return readText(open, limit)
  } finally {
    open.close()
  }
}

/** The value of a JSON file's text. @throws ReadFailure `not-json`, as for one that is half written */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ReadFailure('not-json', error)
  }
}

/** Files beside a transcript. One that is there and cannot be read throws a ReadFailure. */
export function createFiles(fileSystem: FileSystem): Files {
  return {
    names: (folder) =>
      orNothing(() =>
        fileSystem
          .readDirectory(folder)
          .map(({ name }) => name)
          .sort(),
      ) ?? [],
    json: (path) => orNothing(() => parseOrText(readTextOf(path, fileSystem))),
  }
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    const failure = error instanceof ReadFailure ? error : new ReadFailure(accessFailure(error), error)
    if (failure.reason === 'missing') return undefined
    throw failure
  }
}
