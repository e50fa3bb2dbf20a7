/**
 * Where search by meaning plugs in. A lane says how near stored text is to a question; the fusion adds that to the
 * keyword score with a weight. A lane that fails or is late costs the answer nothing but a `degraded` mark.
 */

/** Names one stored thing: an event by `event.pk`, or a passage of the context by `context_passage.pk`. */
export type MeaningKey = `event:${number}` | `passage:${number}`

export interface MeaningRequest {
  /** The question, as typed. */
  text: string
  owner: number
  /** Which of the two stores is asked. */
  of: readonly ('event' | 'passage')[]
  /** Matches wanted, the nearest first. */
  limit: number
}

export interface MeaningMatch {
  key: MeaningKey
  /** 0 to 1, absolute: 1 says the same, 0 has nothing to do with it. */
  similarity: number
  /** Where in the stored text the nearest stretch begins, in UTF-16 units; absent when the lane knows only the whole. */
  start?: number
}

/** Why a lane said nothing; `degraded_reason` of the tools. */
export type DegradedReason =
  | 'embed_timeout'
  | 'embed_error'
  | 'vector_index_unavailable'
  | 'dimension_mismatch'
  | 'lane_disabled_after_errors'

/** What a lane answers: matches, or why it has none to offer. An archive without vectors yet answers no matches. */
export type MeaningAnswer = { matches: readonly MeaningMatch[] } | { degraded: DegradedReason }

/** A lane of dense vectors. The caller of `search` holds it to `deadline` and takes whatever it throws for `embed_error`. */
export interface MeaningLane {
  /** For people and for `status`: the encoder's name. */
  readonly name: string
  /** Milliseconds an answer is waited for. */
  readonly deadline: number
  search(request: MeaningRequest, signal: AbortSignal): Promise<MeaningAnswer>
}
