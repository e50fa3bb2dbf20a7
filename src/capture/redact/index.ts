/** Takes secrets out of text before anything is stored: `redact` leaves a placeholder that names the rule. */

import { RE2JS } from 're2js'
import { UserError } from '../../core/errors.ts'
import { createKeywordScan, type KeywordHit } from './keyword-scan.ts'
import { withoutPrivate } from './private.ts'
import { RULES, type Rule } from './rules.ts'

export interface Redactor {
  /** The text without its secrets, each replaced by `[REDACTED:<rule id>]`. Redacting twice changes nothing more. */
  redact(text: string): string
  /** Secrets replaced since the redactor was made, by rule id. */
  counts(): Map<string, number>
}

interface Range {
  start: number
  end: number
}

/** A part of a text to be replaced. `order` is its rule's place, which decides between equal parts. */
interface Span extends Range {
  id: string
  order: number
}

const NOTHING: readonly Span[] = []

/** A user's pattern. They run in time linear in the text, whatever the pattern. */
interface ExtraRule {
  id: string
  order: number
  pattern: RE2JS
}

const PLACEHOLDER = /\[REDACTED:[a-z0-9-]{1,64}\]/y
const PLACEHOLDER_KEYWORD = '[redacted:'
/** Its place among the keywords. */
const PLACEHOLDER_HIT = 0

/** How much of the text before a keyword a rule may ask about. */
const LOOK_BACK = 200

/** A replaced secret can uncover another one that was glued to it; that ends soon, and this makes sure of it. */
const MAX_PASSES = 4

/**
 * Makes a redactor.
 * @param options.extraPatterns regular expressions in RE2's syntax, named `extra-pattern-1`, ... in placeholders
 * @throws UserError `usage` for a pattern that does not compile
 */
export function createRedactor(options: { enabled: boolean; extraPatterns?: string[] }): Redactor {
  const counted = new Map<string, number>()
  const extras = (options.extraPatterns ?? []).map(compileExtra)
  const redact = (text: string): string => {
    let current = text
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const spans = findSpans(current, extras)
      if (spans.length === 0) break
      for (const { id } of spans) counted.set(id, (counted.get(id) ?? 0) + 1)
      current = replaceSpans(current, spans)
    }
    return current
  }
  // What its author marked as private is never stored, also where redaction is off.
  const open = (text: string): string =>
    withoutPrivate(text, () => counted.set('private', (counted.get('private') ?? 0) + 1))
  return {
    redact: (text) => (options.enabled ? redact(open(text)) : open(text)),
    counts: () => new Map(counted),
  }
}

function compileExtra(source: string, index: number): ExtraRule {
  try {
    return { id: `extra-pattern-${index + 1}`, order: RULES.length + index, pattern: RE2JS.compile(source) }
  } catch (error) {
    throw new UserError(
      'usage',
      `redaction pattern ${index + 1} is not a valid regular expression: ${error instanceof Error ? error.message : error}`,
      {
        field: `redaction.extra_patterns[${index}]`,
        pattern: source,
        remedy: 'correct or remove the pattern; the syntax is RE2',
      },
    )
  }
}

interface CompiledRule extends Rule {
  order: number
  /** The rule's pattern, matching only where it is told to and reporting where its groups lie. */
  matcher: RegExp
}

const COMPILED: readonly CompiledRule[] = RULES.map((rule, order) => ({
  ...rule,
  order,
  matcher: new RegExp(rule.pattern.source, `${rule.pattern.flags}dy`),
}))

const KEYWORDS: readonly string[] = [...new Set([PLACEHOLDER_KEYWORD, ...RULES.flatMap((rule) => rule.keywords)])]
const RULES_BY_KEYWORD = KEYWORDS.map((keyword) => COMPILED.filter((rule) => rule.keywords.includes(keyword)))
const scan = createKeywordScan(KEYWORDS)

/** The parts of a text to replace, in order and without overlap. */
function findSpans(text: string, extras: readonly ExtraRule[]): readonly Span[] {
  const hits = scan(text)
  if (hits.length === 0 && extras.length === 0) return NOTHING
  const { found, kept } = tryRules(text, hits)
  for (const extra of extras) found.push(...matchesOf(extra, text))
  return found.length === 0 ? NOTHING : settle(found, kept)
}

/** What the rules find at their keywords, and the placeholders that stand in the text already. */
function tryRules(text: string, hits: readonly KeywordHit[]): { found: Span[]; kept: Range[] } {
  const found: Span[] = []
  const kept: Range[] = []
  /** Where each rule's last match ended: it is not tried inside it. */
  const taken = new Map<CompiledRule, number>()
  for (const { keyword, at } of hits) {
    if (keyword === PLACEHOLDER_HIT) {
      PLACEHOLDER.lastIndex = at
      if (PLACEHOLDER.test(text)) kept.push({ start: at, end: PLACEHOLDER.lastIndex })
      continue
    }
    if (at < (kept.at(-1)?.end ?? 0)) continue
    for (const rule of RULES_BY_KEYWORD[keyword] ?? []) {
      if (at < (taken.get(rule) ?? 0)) continue
      const span = matchAt(rule, text, at)
      if (span === undefined) continue
      taken.set(rule, span.end)
      found.push(span)
    }
  }
  return { found, kept }
}

function* matchesOf({ id, pattern, order }: ExtraRule, text: string): Generator<Span> {
  const matcher = pattern.matcher(text)
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()]
    if (end > start) yield { start, end, id, order }
  }
}

function matchAt(rule: CompiledRule, text: string, at: number): Span | undefined {
  if (!rule.insideWord && !beginsWord(text, at)) return undefined
  const { matcher } = rule
  matcher.lastIndex = at
  const match = matcher.exec(text)
  if (match === null) return undefined
  const secret = match.groups?.secret ?? match[0]
  if (rule.accepts !== undefined && !rule.accepts(secret)) return undefined
  if (rule.before !== undefined && !rule.before.test(text.slice(Math.max(0, at - LOOK_BACK), at))) return undefined
  const [start, end] = match.indices?.groups?.secret ?? [at, at + match[0].length]
  return { start, end, id: rule.id, order: rule.order }
}

const isWordCode = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** What looks like a letter before a word and is none: the end of `\n`, of a terminal's colour code, or of `%3D`. */
const ESCAPE_END = /\\[nrtbfv]$|(?:\x1b|\\u001b|\\x1b|\\e|\\033)\[[\d;]{0,16}[mK]$|%[0-9A-Fa-f]{2}$|\\u[0-9a-fA-F]{4}$/

/** Whether a word begins at `at`, or what is there begins with something else than a letter or digit. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at - 1)) || !isWordCode(text.charCodeAt(at))) return true
  return ESCAPE_END.test(text.slice(Math.max(0, at - 24), at))
}

/**
 * Parts that overlap become one, named after the one that begins first, then the longest, then the earlier rule. Parts
 * that reach into a placeholder already there are dropped.
 */
function settle(found: Span[], kept: readonly Range[]): Span[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end || a.order - b.order)
  const settled: Span[] = []
  let place = 0
  for (const span of found) {
    while ((kept[place]?.end ?? Number.POSITIVE_INFINITY) <= span.start) place++
    if ((kept[place]?.start ?? Number.POSITIVE_INFINITY) < span.end) continue
    const last = settled.at(-1)
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end)
    else settled.push(span)
  }
  return settled
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  let result = ''
  let from = 0
  for (const { start, end, id } of spans) {
    result += `${text.slice(from, start)}[REDACTED:${id}]`
    from = end
  }
  return result + text.slice(from)
}
