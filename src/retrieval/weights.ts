/**
 * Every weight of the ranking, and the measurements that chose them, by `npm run eval -- --ablate`, in percent:
 * questions about conversations (LoCoMo, 495) and about code (CoSQA, 500), through `search_sessions`.
 *
 * | without                        | LoCoMo R@10 | session Hit@1 | MRR  | CoSQA nDCG@10 |
 * |--------------------------------|-------------|---------------|------|---------------|
 * | nothing: as it is              | 79.9        | 74.1          | 59.6 | 40.8          |
 * | related words                  | 79.9        | 74.1          | 59.6 | 39.7          |
 * | conversation                   | 76.4        | 73.7          | 58.9 | 40.7          |
 * | its second best                | 79.1        | 73.5          | 59.2 | 40.8          |
 * | questions and replies          | 78.0        | 74.3          | 56.2 | 40.8          |
 * | what fits the question         | 79.5        | 73.5          | 58.4 | 40.8          |
 * | window                         | 78.1        | 73.5          | 58.7 | 40.6          |
 * | near and far                   | 79.1        | 73.5          | 58.2 | 40.8          |
 * | all that stands around         | 64.6        | 70.5          | 51.0 | 40.6          |
 * | closeness                      | 79.9        | 74.1          | 59.7 | 41.0          |
 * | length                         | 78.6        | 71.5          | 59.5 | 34.3          |
 * | less weight of function words  | 76.6        | 70.9          | 57.9 | 40.1          |
 * | any weight of function words   | 80.0        | 73.7          | 58.7 | 39.7          |
 * | plain FTS5, for comparison     | 53.9        | 54.3          | 36.0 | 36.2          |
 *
 * Closeness stays since it helps our own questions about agents' sessions. Half or double of most values changes less than
 * a point: they are round numbers on a plateau. `meaning` and `toolTraffic` are not measured here.
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
  /** What the event before adds besides, where it asks a question, and what a text that asks one loses of its own score. */
  reply: number
  asking: number
  /** What holding the kind of thing asked for adds: a time, a number. */
  fitting: number
  /** What the best score in its conversation adds, and what the second best. */
  conversation: number
  conversationToo: number
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
  reply: 0.3,
  asking: 0.15,
  fitting: 0.2,
  conversation: 0.6,
  conversationToo: 0.3,
  related: 0.5,
  meaning: 0.4,
  toolTraffic: 0.5,
}
