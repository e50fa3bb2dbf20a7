/** Projects on disk for tests, and Git's index as Git writes it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TestProject {
  /** Forward slashes. */
  root: string
  write(path: string, content: string | Buffer): void
  remove(path: string): void
  dispose(): void
}

export function makeProject(files: Readonly<Record<string, string | Buffer>> = {}): TestProject {
  const root = mkdtempSync(join(tmpdir(), 'varve-documents-')).replaceAll('\\', '/')
  const project: TestProject = {
    root,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
  for (const [path, content] of Object.entries(files)) project.write(path, content)
  return project
}

export interface TestEntry {
  path: string
  /** A sparse checkout leaves it out. */
  absent?: boolean
  mode?: number
}

/** The bytes of an index of that version, its checksum zeros. */
export function encodeIndex(version: 2 | 3 | 4, entries: readonly (string | TestEntry)[], hashLength = 20): Buffer {
  const header = Buffer.alloc(12)
  header.write('DIRC', 0, 'latin1')
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(entries.length, 8)
  let previous = Buffer.alloc(0)
  const encoded = entries.map((each) => {
    const entry = typeof each === 'string' ? { path: each } : each
    const name = Buffer.from(entry.path)
    const bytes = encodeEntry(version, entry, name, previous, hashLength)
    previous = name
    return bytes
  })
  return Buffer.concat([header, ...encoded, Buffer.alloc(hashLength)])
}

function encodeEntry(
  version: 2 | 3 | 4,
  { absent = false, mode = 0o100644 }: TestEntry,
  name: Buffer,
  previous: Buffer,
  hashLength: number,
): Buffer {
  const stat = Buffer.alloc(40 + hashLength)
  stat.writeUInt32BE(mode, 24)
  const isExtended = version >= 3 && absent
  const flags = Buffer.alloc(isExtended ? 4 : 2)
  flags.writeUInt16BE((isExtended ? 0x4000 : 0) | Math.min(name.length, 0xfff), 0)
  if (isExtended) flags.writeUInt16BE(0x4000, 2)
  if (version === 4) {
    let common = 0
    while (common < previous.length && previous[common] === name[common]) common++
    return Buffer.concat([stat, flags, encodeOffset(previous.length - common), name.subarray(common), Buffer.alloc(1)])
  }
  const length = stat.length + flags.length + name.length
  return Buffer.concat([stat, flags, name, Buffer.alloc(8 - (length % 8))])
}

function encodeOffset(value: number): Buffer {
  const bytes = [value & 127]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((--rest & 127) | 128)
  return Buffer.from(bytes)
}
