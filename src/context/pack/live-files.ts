/** Holding what was indexed of project files against what is on disk now. Reads, never writes; quotes nothing from disk. */

import type { DocumentFiles } from '../documents/document-files.ts'

export interface LiveFiles {
  /** The line, from 1, where a text stands in a file now; of several the nearest to `near`. Undefined: it is not there. */
  lineOf(file: LiveFile, text: string, near: number): number | undefined
  exists(file: LiveFile): boolean
}

export interface LiveFile {
  root: string
  /** Below the root. */
  path: string
}

/** Files as they are during one call: each is read once. @param maxBytes of a file; what lies beyond is not looked at */
export function openLiveFiles(files: DocumentFiles, maxBytes: number): LiveFiles {
  const contents = new Map<string, string | undefined>()
  const contentOf = ({ root, path }: LiveFile): string | undefined => {
    const place = `${root.replace(/\/+$/, '')}/${path}`
    if (!contents.has(place))
      contents.set(place, isInside(files, root, place) ? read(files, place, maxBytes) : undefined)
    return contents.get(place)
  }
  return {
    exists: (file) => contentOf(file) !== undefined,
    lineOf(file, text, near) {
      const content = contentOf(file)
      return content === undefined ? undefined : findLine(content, text, near)
    },
  }
}

/** A folder on the way may have become a link to elsewhere since. */
function isInside(files: DocumentFiles, root: string, place: string): boolean {
  const [realRoot, real] = [files.realPath(root), files.realPath(place)]
  return realRoot !== undefined && real?.startsWith(`${realRoot.replace(/\/+$/, '')}/`) === true
}

function read(files: DocumentFiles, place: string, maxBytes: number): string | undefined {
  return files
    .read(place, maxBytes)
    ?.toString('utf8')
    .replace(/^\ufeff/, '')
}

/** White space counts as one blank, so that a sentence may go over line ends in another way than it did. */
function findLine(content: string, text: string, near: number): number | undefined {
  const words = text.trim().split(/\s+/u)
  if (words[0] === '' || words[0] === undefined) return undefined
  const [first] = words
  let best: number | undefined
  let [line, counted] = [1, 0]
  for (let at = content.indexOf(first); at >= 0; at = content.indexOf(first, at + 1)) {
    if (!standsAt(content, at, words)) continue
    for (; counted < at; counted++) if (content.charCodeAt(counted) === 0x0a) line++
    if (best === undefined || Math.abs(line - near) < Math.abs(best - near)) best = line
  }
  return best
}

function standsAt(content: string, start: number, words: readonly string[]): boolean {
  let at = start
  for (const [index, word] of words.entries()) {
    if (index > 0) {
      const blanks = /\s*/uy
      blanks.lastIndex = at
      const length = blanks.exec(content)?.[0].length ?? 0
      if (length === 0) return false
      at += length
    }
    if (!content.startsWith(word, at)) return false
    at += word.length
  }
  return true
}
