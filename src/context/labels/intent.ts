/** What a session was for, by its first prompt and its last ones. Pure. */

import { INTENTS, type SessionEvidence, type SessionIntent } from './label.ts'

const LAST_PROMPTS = 3

/** Characters of one prompt that are looked at: what is pasted comes later. */
const PROMPT_LENGTH = 2_000

/** Tools that change files, by the words in their names. */
const EDITS = /edit|write|patch|replace|create_file|notebook|apply/i
const SEARCHES = /web|fetch|browse|search_web|google/i

const TROUBLESHOOT =
  /\b(?:errors?|fails?|failed|failing|failure|broken|breaks?|crash(?:es|ed|ing)?|bugs?|stack ?trace|traceback|exit code|exception|not working|doesn't work|does not work|isn't working|won't (?:start|load|build|run)|hangs?|stuck|why (?:does|is|do|are|did)|debug|regression|flaky|timeouts?|wrong result|investigate)\b/i
const BUILD =
  /\b(?:add|implement|create|build|refactor|rewrite|write|make|generate|migrate|port|rename|set ?up|scaffold|extend|integrate|support|convert|update|upgrade|remove)\b/i
const RESEARCH =
  /\b(?:compare|comparison|find (?:out|all|me)|look (?:up|into)|options?|alternatives?|research|survey|which (?:is|one|library|tool|package)|best (?:way|library|tool|practice)|pros and cons|links?|sources?|evaluate|benchmark)\b|https?:\/\//i
const LEARN =
  /\b(?:how (?:does|do|is|are|can|to)|explain|what (?:is|are|does)|teach|understand|tutorial|difference between|walk me through|meaning of|learn)\b/i
const BRAINSTORM =
  /\b(?:ideas?|brainstorm|names? for|what if|suggest(?:ions?)?|come up with|imagine|concepts?|inspiration)\b/i

/** @param session its `decisions` are those that were accepted */
export function intentOf(session: SessionEvidence): SessionIntent {
  const signs = signsOf(session)
  return INTENTS.find((intent) => signs[intent]) ?? 'build'
}

function signsOf({ prompts, toolCalls, filesChanged, decisions }: SessionEvidence): Record<SessionIntent, boolean> {
  const text = [...new Set([...prompts.slice(0, 1), ...prompts.slice(-LAST_PROMPTS)])]
    .map((prompt) => prompt.slice(0, PROMPT_LENGTH))
    .join('\n')
  const calls = Object.keys(toolCalls)
  const edited = filesChanged.length > 0 || calls.some((name) => EDITS.test(name) && !SEARCHES.test(name))
  // "How do I add a column?" asks; it does not order.
  const asks = LEARN.test(text) || RESEARCH.test(text) || BRAINSTORM.test(text)
  return {
    decision: decisions.length > 0,
    troubleshoot: TROUBLESHOOT.test(text),
    build: edited || (BUILD.test(text) && !asks),
    research: RESEARCH.test(text) || calls.some((name) => SEARCHES.test(name)),
    learn: LEARN.test(text),
    brainstorm: BRAINSTORM.test(text),
  }
}
