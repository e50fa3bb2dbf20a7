/** The rules of notes, as functions: what may be stored, and which notes a filter means. Storing is the store's. */

export interface NoteLimits {
  /** UTF-8 bytes of one note. */
  noteBytes: number
  /** UTF-8 bytes of all notes of one user. */
  userBytes: number
  /** Versions kept of one note, the current one included. */
  versions: number
}

/** What holds until an administrator sets something else. */
export const defaultNoteLimits: NoteLimits = { noteBytes: 100 * 1024, userBytes: 1024 * 1024, versions: 50 }

export const MAX_NOTE_KEY = 100
export const MAX_NOTE_TAGS = 10
export const MAX_NOTE_TAG = 50

/** Whether a text can be the key of a note: 1 to 100 letters, digits, `_` and `-`. */
export function isNoteKey(key: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(key)
}

/** The size of a note's text, in UTF-8 bytes. */
export function noteSize(value: string): number {
  return Buffer.byteLength(value, 'utf8')
}

/** Tags as they are stored: without blanks around them, each once, in the order given. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

export interface NoteProblem {
  field: 'key' | 'value' | 'tags'
  message: string
  remedy: string
}

/**
 * Why a note cannot be saved; null when it can.
 * @param otherBytes UTF-8 bytes of the user's other notes
 */
export function noteProblem(
  note: { key: string; value: string; tags: readonly string[] },
  otherBytes: number,
  limits: NoteLimits = defaultNoteLimits,
): NoteProblem | null {
  const tags = cleanTags(note.tags)
  const size = noteSize(note.value)
  const longTag = tags.find((tag) => [...tag].length > MAX_NOTE_TAG)
  if (!isNoteKey(note.key)) {
    const remedy = `Use 1 to ${MAX_NOTE_KEY} letters, digits, "_" and "-".`
    return { field: 'key', message: `"${note.key.slice(0, 120)}" cannot be the key of a note.`, remedy }
  }
  if (tags.length > MAX_NOTE_TAGS) {
    const message = `A note has at most ${MAX_NOTE_TAGS} tags; ${tags.length} were given.`
    return { field: 'tags', message, remedy: 'Leave some out.' }
  }
  if (longTag !== undefined) {
    const message = `A tag has at most ${MAX_NOTE_TAG} characters: "${longTag.slice(0, 60)}…".`
    return { field: 'tags', message, remedy: 'Shorten it.' }
  }
  if (size > limits.noteBytes) {
    const message = `A note has at most ${limits.noteBytes} bytes; this one has ${size}.`
    return { field: 'value', message, remedy: 'Shorten it, or spread it over several notes.' }
  }
  if (otherBytes + size > limits.userBytes) {
    const left = Math.max(0, limits.userBytes - otherBytes)
    const message = `All notes of a user have at most ${limits.userBytes} bytes; ${left} are left and this one has ${size}.`
    return { field: 'value', message, remedy: 'Delete or shorten other notes first.' }
  }
  return null
}

export interface NoteFilter {
  /** One tag, exactly. */
  tag?: string | undefined
  /** A part of the key, in any case. */
  keySearch?: string | undefined
  /** A key with `*` for any characters and `?` for one; without either a part of the key. `keySearch` goes first. */
  keyPattern?: string | undefined
}

/** Whether a note is one that a filter means. An empty filter means all. */
export function noteMatches(note: { key: string; tags: readonly string[] }, filter: NoteFilter): boolean {
  if (filter.tag !== undefined && filter.tag !== '' && !note.tags.includes(filter.tag.trim())) return false
  const wanted = (filter.keySearch || filter.keyPattern || '').toLowerCase()
  const key = note.key.toLowerCase()
  const isPattern = !filter.keySearch && /[*?]/.test(wanted)
  return isPattern ? matchesWildcards(key, wanted) : key.includes(wanted)
}

/** Matches from left to right, going back only to the latest `*`: keys are short, so this stays quick. */
function matchesWildcards(text: string, pattern: string): boolean {
  let at = 0
  let inPattern = 0
  let star = -1
  let starAt = 0
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++
      starAt = at
    } else if (inPattern < pattern.length && (pattern[inPattern] === '?' || pattern[inPattern] === text[at])) {
      inPattern++
      at++
    } else if (star !== -1) {
      inPattern = star + 1
      at = ++starAt
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}
