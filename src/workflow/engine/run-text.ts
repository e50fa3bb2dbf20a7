/** Short texts that callers attach to runs. */

import { invalidRequest } from '../../core/errors.ts'

/** Longest note of a run, in characters. */
export const MAX_RUN_NOTE = 500

/** A note for a run; null when it says nothing. @throws UserError `invalid_request` beyond 500 characters */
export function runNote(note: string | undefined): string | null {
  if (note === undefined || note === '') return null
  return boundedText(note, 'note', MAX_RUN_NOTE)
}

/** A text of at most `most` characters. @throws UserError `invalid_request` */
export function boundedText(text: string, field: string, most: number): string {
  if (text.length > most) {
    throw invalidRequest(`${field} has ${text.length} characters; at most ${most} are kept`, field, {
      remedy: 'shorten it',
    })
  }
  // PostgreSQL cannot store it in a text.
  if (text.includes('\0')) throw invalidRequest(`${field} holds the character U+0000`, field, { remedy: 'take it out' })
  return text
}
