/**
 * The command line's database, one for each conversation: blobs named after their content. A root blob lists the messages
 * (protobuf, field 1), the workspace (9) and the repository with its branch (21); messages are JSON.
 */

import { isRecord } from '../../core/json.ts'
import { fields, text } from '../fields.ts'
import type { Database, DatabaseFormat, DatabaseRow } from '../harness.ts'

export interface ChatRecord {
  type: 'chat'
  meta: unknown
  /** Address of the folder, as `file://…`. */
  workspace: string
  branch: string
}

export interface ChatMessageRecord {
  type: 'message'
  /** Name of the blob. */
  blob: string
  /** The message; its text where it is no JSON. */
  message: unknown
}

export const chatFormat: DatabaseFormat = {
  kind: 'database',
  *transcripts(database) {
    if (!isChat(database)) return
    const meta = metaOf(database)
    const [row] = database.all('SELECT count(*) AS blobs, max(rowid) AS newest FROM blobs')
    // The root is named after all it holds.
    const version = JSON.stringify([meta, row?.['blobs'], row?.['newest']])
    yield { key: text(fields(meta)['agentId']) || 'chat', version, modifiedAt: 0 }
  },
  *records(database) {
    if (!isChat(database)) return
    const meta = metaOf(database)
    const root = text(fields(meta)['latestRootBlobId'])
    const rootData = root === '' ? undefined : blobOf(database, root)
    const list = rootData ? readRoot(rootData) : { messages: [], workspace: '', branch: '' }
    const { workspace, branch } = list
    yield { type: 'chat', meta, workspace, branch } satisfies ChatRecord
    const blobs = list.messages.length > 0 ? listed(database, list.messages) : unlisted(database)
    for (const [blob, data] of blobs)
      yield { type: 'message', blob, message: parsedBytes(data) } satisfies ChatMessageRecord
  },
}

function isChat(database: Database): boolean {
  return database.columns('blobs').includes('data') && database.columns('meta').includes('value')
}

/** JSON, written as hexadecimal digits. */
function metaOf(database: Database): unknown {
  const [row] = database.all("SELECT value FROM meta WHERE key = '0'")
  const value = row?.['value']
  const written = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : text(value)
  const isHex = written.length % 2 === 0 && /^[0-9a-f]+$/i.test(written)
  return parsedText(isHex ? Buffer.from(written, 'hex').toString('utf8') : written)
}

function blobOf(database: Database, id: string): Uint8Array | undefined {
  return bytesOf(database.all('SELECT data FROM blobs WHERE id = ?', id)[0])
}

function bytesOf(row: DatabaseRow | undefined): Uint8Array | undefined {
  const data = row?.['data']
  if (typeof data === 'string') return Buffer.from(data)
  return data instanceof Uint8Array ? data : undefined
}

const OPENING_BRACE = 0x7b

/** The messages of a list; an entry may be a list itself, and one that was tidied away is passed over. */
function* listed(database: Database, ids: readonly string[], depth = 0): Generator<[string, Uint8Array]> {
  for (const id of ids) {
    const data = blobOf(database, id)
    if (!data || data.length === 0) continue
    const inner = data[0] === OPENING_BRACE ? [] : readRoot(data).messages
    if (inner.length === 0) yield [id, data]
    else if (depth < 8) yield* listed(database, inner, depth + 1)
  }
}

/** Without a list, whatever looks like a message, in the order it was written. */
function* unlisted(database: Database): Generator<[string, Uint8Array]> {
  for (const row of database.all('SELECT id FROM blobs ORDER BY rowid')) {
    const id = text(row['id'])
    const data = blobOf(database, id)
    if (data?.[0] === OPENING_BRACE && isRecord(parsedBytes(data)) && 'role' in fields(parsedBytes(data)))
      yield [id, data]
  }
}

function parsedBytes(data: Uint8Array): unknown {
  return parsedText(Buffer.from(data).toString('utf8'))
}

function parsedText(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

interface Root {
  messages: string[]
  workspace: string
  branch: string
}

const ID_BYTES = 32

/** Reads the fields we know of a root; a blob that is no protobuf has none. */
function readRoot(data: Uint8Array): Root {
  const root: Root = { messages: [], workspace: '', branch: '' }
  for (const { number, bytes } of fieldsOf(data)) {
    if (number === 1 && bytes.length === ID_BYTES) root.messages.push(Buffer.from(bytes).toString('hex'))
    if (number === 9) root.workspace ||= Buffer.from(bytes).toString('utf8')
    if (number === 21) {
      for (const inner of fieldsOf(bytes))
        if (inner.number === 2) root.branch ||= Buffer.from(inner.bytes).toString('utf8')
    }
  }
  return root
}

interface Field {
  number: number
  bytes: Uint8Array
}

/** Fields of a protobuf message that have a length; numbers are passed over. Ends early where the bytes are none. */
function* fieldsOf(data: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; at < data.length; scale *= 128) {
      const byte = data[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < data.length) {
    const tag = varint()
    const wire = tag % 8
    if (wire === 0) varint()
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire === 2) {
      const length = varint()
      if (!(at + length <= data.length)) return
      yield { number: Math.floor(tag / 8), bytes: data.subarray(at, at + length) }
      at += length
    } else return
  }
}
