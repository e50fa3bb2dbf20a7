/**
 * Every weight of the ranking, and the measurements that chose them, by `npm run eval -- --ablate`, in percent:
 * questions about conversations (LoCoMo, 495) and about code (CoSQA, 500), through `search_sessions`.
 *
 * | without                        | LoCoMo R@10 | session Hit@1 | CoSQA nDCG@10 |
 * |--------------------------------|-------------|---------------|---------------|
 * | nothing: as it is              | 77.6        | 73.5          | 39.4          |
 * | related words                  | 77.2        | 73.3          | 38.3          |
 * | conversation                   | 72.4        | 74.5          | 39.4          |
 * | window                         | 74.3        | 73.1          | 39.4          |
 * | near and far                   | 74.7        | 72.7          | 39.4          |
 * | all that stands around         | 63.5        | 70.9          | 39.4          |
 * | closeness                      | 78.0        | 73.1          | 39.7          |
 * | length                         | 76.8        | 70.7          | 33.6          |
 * | less weight of function words  | 73.7        | 68.1          | 39.2          |
 * | any weight of function words   | 78.1        | 73.3          | 38.4          |
 * | plain FTS5, for comparison     | 53.9        | 54.3          | 36.2          |
 *
 * Closeness stays since it helps our own questions about agents' sessions (MRR 62.1 without, 62.7 with). Half or double of
 * most values changes less than a point: they are round numbers on a plateau. `meaning` and `toolTraffic` are not measured.
 */

/** Characters of a passage, about 120 words: what is scored and quoted at a time. */
export const PASSAGE_LENGTH = 800

export interface Weights {
  /** How soon repeating a word stops counting, and how much length does: BM25's k1 and b (Robertson & Zaragoza 2009). */
  repetition: number
  length: number
  /** Characters of a text that is neither short nor long; fixed, so that a score does not hang on the rest of the archive. */
  ordinaryLength: number
  /** Share of a score that is how close together the words stand. */
  closeness: number
  /** What a word that says nothing counts (`the`), and one that says little (`not`, `before`), of what its rarity is worth. */
  functionWord: number
  lightWord: number
  /** What the scores of the prompts and answers next to an event, and of those one further, add to it. */
  near: number
  far: number
  /** What the words found in the five events around it add, and how soon a word found often enough stops counting there. */
  window: number
  windowRepetition: number
  /** What the best score in its conversation adds. */
  conversation: number
  /** Strength of a related word where the word itself is missing, for the strongest relation. */
  related: number
  /** What the similarity of a lane of vectors adds to what is missing of a score. */
  meaning: number
  /** Kinds of events, where their words are told apart: tool traffic is bulky and seldom what is meant. */
  toolTraffic: number
}

export const WEIGHTS: Weights = {
  repetition: 1,
  length: 0.75,
  ordinaryLength: 280,
  closeness: 0.05,
  functionWord: 0.2,
  lightWord: 0.6,
  near: 0.3,
  far: 0.15,
  window: 0.5,
  windowRepetition: 0.5,
  conversation: 0.7,
  related: 0.5,
  meaning: 0.4,
  toolTraffic: 0.5,
}
