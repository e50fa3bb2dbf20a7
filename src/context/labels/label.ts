/** Labels of a session: what it was about, what it was for and how good it is. */

export const DOMAINS = ['business', 'tech', 'personal', 'travel', 'health', 'finance', 'creative'] as const
export type Domain = (typeof DOMAINS)[number]

/** In the order they are decided: the first that fits holds. */
export const INTENTS = ['decision', 'troubleshoot', 'build', 'research', 'learn', 'brainstorm'] as const
export type SessionIntent = (typeof INTENTS)[number]

export const QUALITIES = ['high', 'medium', 'low'] as const
export type Quality = (typeof QUALITIES)[number]

/** What is known of a session when it is labelled. Texts may be heads and tails: the counts are of the whole session. */
export interface SessionEvidence {
  /** The harness: `claude-code`, `codex`, `chatgpt`, … */
  harness: string
  /** The title the client gave it. */
  title?: string
  /** What the user typed, oldest first; the first and the last prompts are enough. */
  prompts: readonly string[]
  /** What the agent answered, oldest first; the last one last. */
  answers: readonly string[]
  /** Prompts in all. */
  promptCount: number
  /** Bytes of prompts and answers in all, UTF-8. */
  proseBytes: number
  /** Calls by tool name, without the server's prefix. */
  toolCalls: Readonly<Record<string, number>>
  /** Paths of files changed and read, most important first. */
  filesChanged: readonly string[]
  filesRead: readonly string[]
  /** The working directory. */
  cwd?: string
  /** How the last turn ended, when it did. */
  ending?: 'answered' | 'interrupted' | 'failed' | 'exited'
  /** Texts of accepted decisions found in it, oldest first. */
  decisions: readonly string[]
}

/** How many of the archive's documents hold each term. */
export interface TermFrequencies {
  /** Documents in all; 0 when nothing is known. */
  documents: number
  /** Documents that hold a lower-cased word; undefined when unknown, which counts as rare. */
  frequencyOf(word: string): number | undefined
}

export interface Labels {
  domain: Domain
  intent: SessionIntent
  quality: Quality
  /** Lower-case, singular; up to 6. */
  topics: string[]
  /** Up to 20, newest last. */
  decisions: string[]
  /** At most 160 characters. */
  title: string
  /** Sentences of the session itself; at most 800 characters. */
  summary: string
  labelSource: 'rules' | 'provider'
}
