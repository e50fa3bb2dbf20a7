/** Labelled questions over archives, in the one form that everything here measures. */

import type { Engine } from '../src/store/index.ts'

/** One thing said, before it is in an archive. */
export interface Said {
  /** Names it within its set. */
  key: string
  type: 'user_input' | 'assistant_response'
  text: string
}

export interface Talk {
  id: string
  /** When it began, milliseconds since 1970. */
  at: number
  said: Said[]
}

export interface Question {
  id: string
  text: string
  /** Keys of the events that answer it. */
  gold: readonly string[]
  /** What must stand literally in a pack that answers it: one of these. Empty: not measured. */
  evidence: readonly string[]
}

/** An archive and the questions put to it. */
export interface LabelledArchive {
  engine: Engine
  /** Key of each event, by `event.pk`, and key of its session. */
  events: ReadonlyMap<number, { key: string; talk: string; text: string }>
  questions: readonly Question[]
  /** Gold that is not in the archive, for people: an error of the labels or of what filled it. */
  missing?: readonly string[]
}

/** What must be found: all gold events, any one of them, or only their conversation. */
export type Unit = 'event' | 'any-event' | 'conversation'

export interface LabelledSet {
  name: string
  unit: Unit
  /** Opened one after the other, so that only one is in memory. */
  archives(): AsyncGenerator<LabelledArchive>
}
