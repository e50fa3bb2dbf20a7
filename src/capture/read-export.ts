/** What people download from a web page: a zip, or one of its JSON files, read conversation by conversation. */

import type { ExportFormat } from '../harness/harness.ts'
import { type FileSystem, type OpenFile, openFile, ReadFailure } from './file-system.ts'
import { readJsonList } from './json-list.ts'
import { readChunks } from './read-file.ts'
import { isZip, zipMembers } from './read-zip.ts'

/**
 * The conversations, after the whole file was read once to see that all of it is sound: what is broken changes nothing in
 * the archive. @throws ReadFailure `damaged`, `not-json` with the place, `too-large`
 */
export async function readExport(
  path: string,
  format: ExportFormat,
  fileSystem: FileSystem,
): Promise<AsyncIterable<unknown>> {
  for await (const _ of conversations(path, format, fileSystem)) {
    // Reading is the test.
  }
  return conversations(path, format, fileSystem)
}

/** Bytes in which the first conversation must lie for a file to be recognised. */
const SNIFFED_BYTES = 64 * 1024 * 1024

/** The first conversation; undefined when there is none, or the file is something else. @throws ReadFailure */
export async function firstConversation(path: string, format: ExportFormat, fileSystem: FileSystem): Promise<unknown> {
  const open = openFile(fileSystem, path)
  try {
    for (const { read } of await texts(open, format)) {
      const first = await firstItem(readJsonList(read(), format.list, SNIFFED_BYTES))
      if (first !== undefined) return first
    }
  } finally {
    open.close()
  }
  return undefined
}

/** What is no JSON, or one value without end, is just not of this maker. */
async function firstItem(items: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const item of items) return item
  } catch (error) {
    const isOther = error instanceof ReadFailure && (error.reason === 'not-json' || error.reason === 'too-large')
    if (!isOther) throw error
  }
  return undefined
}

async function* conversations(path: string, format: ExportFormat, fileSystem: FileSystem): AsyncGenerator<unknown> {
  const open = openFile(fileSystem, path)
  try {
    for (const { name, read } of await texts(open, format)) yield* inText(name, readJsonList(read(), format.list))
  } finally {
    open.close()
  }
}

interface Text {
  /** Empty for a file that is no zip. */
  name: string
  read(): AsyncIterable<Uint8Array>
}

async function texts(open: OpenFile, { member }: ExportFormat): Promise<Text[]> {
  const first = Buffer.alloc(4)
  if (open.read(first, 0) === first.length && isZip(first)) return zipMembers(open.descriptor, member)
  return [{ name: '', read: () => readChunks(open, 0, open.look.size) }]
}

/** Says in which text of several it broke. */
async function* inText(name: string, items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* items
  } catch (error) {
    if (error instanceof ReadFailure && name !== '') throw new ReadFailure(error.reason, `${name}: ${error.message}`)
    throw error
  }
}
