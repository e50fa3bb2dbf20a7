/**
 * What decisions and constraints are worded like, in what people write to agents and to each other. Pure. All patterns are
 * anchored or short, and a sentence is judged by its first part, so that time goes with the length of the text.
 */

import { OTHER_CONSTRAINTS, OTHER_DECISIONS } from './other-languages.ts'

/** Characters of a sentence that are judged. */
const MAX_JUDGED = 500

/** Links to what went before that say nothing by themselves. */
const LEAD =
  /^(?:(?:and|but|so|also|then|well|oh|hey|please|actually|honestly|fyi|btw|plus|again|alright|hmm|first|second|third|finally|careful|note|important|reminder|one more thing|for now|in short|overall|look|cool|great|nice|ok|okay)\b\s?[,.:;!—–-]*\s+)+/

/** A sentence as it is judged: lower case, plain apostrophes and blanks, no emphasis, no link to what went before. */
export function plainWords(sentence: string): string {
  return sentence
    .slice(0, MAX_JUDGED)
    .replace(/[’‘´]/g, "'")
    .replace(/[*_]{2,}|`/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/^["'(\s]+/, '')
    .replace(LEAD, '')
}

/** Fewer words say nothing by themselves: "Keep it." */
const MIN_WORDS = 3

export function wordCount(words: string): number {
  const ideographs = words.match(/[\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0
  return words.split(' ').length + Math.floor(ideographs / 2)
}

const any = (...patterns: readonly string[]) => new RegExp(patterns.join('|'))

/** How a clause ends, or how its reason begins. */
const STOP = '(?:[,.;:!]|$| -| —| –|\\()'

const WE = '(?:we|i|the team|team|everyone|management|product|security|ops|legal|finance|engineering)'
const HAVE =
  "(?:'ve|'re|'m|'ll| have| had| are| am| were| will| all| both| finally| already| just| now| then| also| deliberately| explicitly| jointly)*"

const CHOSE =
  "(?:decided\\b(?! (?:whether|if|yet)\\b)|chose\\b|chosen\\b|agreed\\b(?! with\\b)|settled (?:on|that|for)\\b|went with\\b|going (?:with|for)\\b|go with\\b|going to (?:use|go with|stick|stay|keep|drop|skip|avoid)\\b|picked\\b|opted\\b|switched (?:from|to|over|away)\\b|switching (?:from|to|over)\\b|moved (?:off|away from)\\b|moving (?:off|to)\\b|standardi[sz](?:ed|ing|e) on\\b|dropped\\b|dropping\\b|rejected\\b|ruled out\\b|abandoned\\b|deprecated\\b|stick(?:ing)? (?:with|to)\\b|stay(?:ing)? (?:with|on)\\b|keep(?:ing)? (?!waiting|monitoring|watching|looking|working|digging|iterating|polling|checking|investigating|thinking|getting|seeing|having|hitting|running|trying|going|coming|forgetting|finding|asking|losing)|will use\\b|(?:won't|will not|no longer) (?:use|using|support|supporting|ship|shipping|do|need|allow|be (?:using|supporting|adding)|add|pursue))"

const NO_LONGER =
  "(?:don't|do not|dont) (?:use|support|ship|allow|want (?:any|to (?:use|support|ship|keep|add|introduce|rely|depend))|need (?!to\\b)|do\\b)"

const LETS =
  '(?:use|keep|go (?:with|for)|stick|stay|drop|skip|avoid|not|switch|adopt|standardi[sz]e|leave|call it|pick|choose|defer|postpone|ship|settle|treat|make it|do it (?:as|with|in|via|the)|limit|cap|default|follow|ditch|scrap|move to|hold off|split|agree|default)'

/** Verbs that set how something is to be. */
const SET =
  '(?:use|take|pick|choose|go with|go for|prefer|make|put|call|name|return|store|write|run|deploy|build|ship|default to|switch to|sort|order|treat|set|target|track|log|match|do|install|import|test|measure|show|render|read|send|add|create|keep|parse|pass|wrap|inject|implement|model)'

const DECISIONS = any(
  `^${WE}${HAVE} ${CHOSE}`,
  `^(?:we|the team|everyone) ${NO_LONGER}`,
  `(?<!\\b(?:why|how|when|if|whether|what|that|before|since|than|as|which|forget|because) )\\b(?:we|i)(?:'ve|'re|'m| have| are| am)? (?:finally |already |just )?(?:decided|settled on|agreed|ruled out|opted for|going with|went with|sticking with|standardi[sz]ed on)\\b(?! with\\b)`,
  `\\b(?:let's|lets|let us) (?:just |please |simply |also |not )?${LETS}\\b`,
  `^(?:we|you) should (?:just |simply |definitely )?(?:use|keep|avoid|stick|go with|drop|switch|stay|default|prefer|standardi[sz]e)\\b`,
  '^(?:decision|final (?:answer|decision|call|policy|rule|word|version)|settled|resolved|agreed|ruling|verdict|amendment|amended(?: \\w+)?|conclusion|decided|policy)(?: (?:to|on|for|about|from) [^:.]{1,60})?(?::| -| —| –)',
  '^the (?:decision|call|verdict|ruling|rule|policy|plan|answer|convention|final answer) (?:is|was|stands|has to be)\\b(?! (?:wrong|unclear|not clear|missing|broken|ignored|that i|to (?:fix|add|look)))',
  '\\b(?:is|are|was|were|been|remains?|stays?) (?:now |already |explicitly |officially |still )?(?:rejected|approved by|approved\\b(?=[.,;]|$)|final\\b(?=[.,;!]|$)|off the table|out of scope|ruled out|locked in|pinned|agreed|settled|decided|deferred|postponed|non-negotiable|frozen|the (?:source of truth|winner|way to go|contract)\\b)',
  `^(?:no|nope)\\s?[,:;—–-]+ (?:just |please |always |instead,? )?(?:${SET}|keep|leave|cap|limit|drop|stay|stick|we (?:want|keep|use|need|take|go|are going|should)|it (?:should|stays|must|has to)|that (?:should|stays|must)|only|not|\\d+|one|two|three|neither|both)\\b(?! (?:sure|really|yet|working|work|there|what|quite))`,
  '^no (?!real |clear |obvious |good |problem|worries|idea|rush|luck|clue|change|changes|difference|errors?|output|results?|tests?|response|way|matter|one|longer|wonder|doubt|thanks|sorry|offen[cs]e|such|file|module|i\\b|it\\b|this\\b|that\\b|the\\b|you\\b)[\\w/.-]+(?: [\\w/.-]+){0,3}(?: -| —| –|;|: ?)',
  '^no need (?:for|to (?:support|keep|handle|maintain|preserve|worry about|migrate|be backward))\\b',
  '^(?:just )?(?:stick|stay|go) with\\b',
  '^(?:just )?(?:keep|leave) (?!going|working|trying|in mind|me\\b|up|at it|a note|track|an eye|reading|the good|digging|everything running|iterating|that in mind|it in mind|looking|it and\\b|in (?:touch|sync))(?:\\S+ )\\S',
  '^(?:skip|drop|ditch|scrap|abandon|defer|postpone|park) (?!me|a |table|database|to\\b|it\\b)(?:\\S+ )\\S',
  `^(?:just |instead,? |always |simply |only )?${SET} (?:[^.;:]{1,120}?)(?:, not |,? instead of | rather than | over (?!the (?:last|next|network|past|years|course)|\\d)| and not |, never )`,
  '^(?:use|go with|pick|choose|prefer) (?:\\S+ ){1,5}not \\S',
  `^(?:don't|do not|never) (?:[^.;:]{1,100}?)[,;—–-]+ ?(?:just |always )?(?:use|go with|keep|prefer|stick)\\b`,
  "^(?:i|we)(?:'d| would)? (?:much |strongly )?(?:prefer|rather)\\b",
  '\\b(?:want|need|should|will) (?:[^.;:]{1,100}?)(?: instead of | rather than )',
  '\\b(?:from now on|going forward|for the foreseeable future|until further notice|from here on|henceforth)\\b',
  `^(?!it\\b|this\\b|that\\b|he\\b|she\\b|the (?:test|bug|error|problem|issue|build|thing)\\b)(?:[\\w/.'#+-]+ ){1,6}(?:it is(?=[.,;!]|$| then)|wins${STOP}|stays\\b(?! (?:broken|empty|blank|stuck|red|the same|at 0|open|hanging))|should stay\\b|is the way to go|is good enough|is overkill)`,
  '\\b(?:signed off on|superseded by|supersed(?:es|ing) |replaces the (?:old|previous|current)|takes precedence|is authoritative|has the final say)',
)

/** A choice without a verb, which begins its sentence: "A counter, not a log line". */
const FRAGMENT = any(
  `^(?!it\\b|it's|this\\b|that's|that\\b|there|i\\b|we\\b|you\\b|why|what|how|\\S+ says)(?:(?!\\b(?:is|are|was|were|got|gets|returns?|shows?|says|seems|has|had|have|fails?)\\b)[^,.;:!?—–]){3,70}, not (?!just\\b|only\\b|sure\\b|yet\\b|to mention)(?:a |an |the |one )?[\\w'./-]+`,
)

/** After "do not": what is no order. */
const NO_ORDER =
  '(?!know|think|understand|see\\b|have (?:to|any|a|the|time|access)|get\\b|remember|want|believe|worry|mind|care\\b|really|even\\b|seem|look like|like\\b|feel|recall|find\\b|need|be (?:afraid|shy|sorry)|you\\b|we\\b|i\\b|they\\b|mean|exist|match|work|hesitate|matter|trust me|happen|apply|appear|support|show up|expect)'

/** After "never" and "always": the past and the third person tell what happens, and what is to be has neither. */
const TELLS =
  '(?![a-z]+(?<![su])s\\b(?<!bias|alias|canvas|always)|[a-z]+(?<!e|emb|sh)ed\\b|(?:was|were|had|did|does|got|came|went|ran|made|took|gave|threw|saw|found|sent|built|kept|left|held|being|been)\\b)'

const NEGATIVE_ORDER = `(?:(?:do not|don't|dont) ${NO_ORDER}|never ${NO_ORDER}${TELLS})[a-z]{2,}`

/** Verbs that say how a thing is to behave, not what to do next. */
const POLICY =
  '(?:ignore|reject|treat|cap|limit|allow|disallow|forbid|default to|round|prefer|avoid|restrict|require|refuse|normali[sz]e|lowercase|preserve|enforce|raise|fail fast|fail closed)'

const NUMBER = '(?:\\d|one\\b|two\\b|three\\b|four\\b|five\\b|six\\b|seven\\b|eight\\b|ten\\b|a hundred\\b)'

const CONSTRAINTS = any(
  `^(?:(?:just|absolutely|under any circumstances|at this point|remember|ps|warning|critical|caution|and|yes|no|right|exactly|agreed|we|you|i said|deliberately|also)[,:!—–-]* )*${NEGATIVE_ORDER}`,
  `(?:[,;:—–-] ?|\\band |\\bso |\\bthen |, but (?=never) ?|\\bplease |\\bplus |\\bjust )(?:please |just )?${NEGATIVE_ORDER}`,
  `^(?:always|never) ${TELLS}(?!once|ever|been|had|got|one|thing|problem|saw|seen|heard|worked|works|happens|fails|issue|mind\\b|know|a\\b|good|nice|great|fun|the\\b|understood|quite|really)[a-z]{2,}`,
  '^only (?:ever )?(?:use|do|run|touch|edit|change|call|return|allow|accept|read|write|add|include|show|list|log|commit|deploy|install|import|respond|answer|output|give|make|keep|fix|modify|consider|when|if|after|on|for|within|support|retry)\\b(?! ties)',
  `^(?:[\\w/.'-]+ ){1,4}only${STOP}`,
  `^(?:${SET}|level|apply|retry|allow|accept|edit|touch) (?:[^.;:]{1,80}? )?only (?:when|if|in|within|for|after|on|through|via|from|inside)\\b`,
  "(?<!\\b(?:it|that|this|there|something|someone|you|he|she|i|they|which) )\\b(?:must|shall)(?:n't| not| never| always| only)?\\b(?! have (?!an? |the |at |no |one |both |unique |exactly |its |their |\\d|corresponding)| be fixed|-)",
  "(?:\\b(?:it|this|they|you|we)|(?:^|[,;:—–-] |\\b(?:and|so|but|then|all|with) )(?:that|which)) (?:must|shall)(?:n't| not| never| always| only)? (?!have\\b|be (?:a |an |the |some|something|because|that|due|related|missing|wrong|confus|nice|hard|that|using|getting|doing|fixed))[a-z]+",
  '\\b(?:should (?:never|always|only)|may only)\\b',
  "(?<!\\b(?:when|which|that|why|where|though|if|it) )(?<!\\b(?:when|that|which|where|but|though|if) (?:it|they|this|that|we) )\\bshould(?:n't| not) (?!be (?:hard|difficult|a problem|an issue|surprised|too)|have\\b|matter|we\\b|it\\b|this\\b|that\\b|they\\b|you\\b|i\\b|the\\b|there\\b)[a-z]+",
  '^(?:we|you|agents?|developers?|contributors?|users?|services?|callers?) (?:never|always) (?!seem|get|had|have|forget|fail|return(?:ed)?\\b|crash|see\\b|saw|show|happen|work)[a-z]{2,}',
  "\\b(?:we|you) (?:can't|cannot|can not|may not) (?:use|add|change|break|ship|touch|require|rely|depend|drop|remove|rename|deploy|store|log|expose|share|introduce)\\b",
  "^(?:i|we) (?:don't|do not|dont|never) want (?!to (?:lose|interrupt|bother|waste|go|do|talk)|you to think)\\S",
  '\\b(?:is|are|be|remain|stays?) (?:strictly |absolutely |explicitly |always |not )?(?:mandatory|forbidden|prohibited|disallowed|banned|allowed to|permitted|off-limits|off limits|a hard (?:requirement|limit|rule)|not negotiable|not allowed|not permitted|not an option|not acceptable|unacceptable|a must)\\b',
  '\\b(?:is|are) (?:always |strictly )?required (?:for|to|in|on|before|when|by|everywhere)\\b',
  '^no (?:[\\w/.-]+ ){1,5}(?:without|unless|until|outside|beyond|except)\\b',
  '^no (?:new|external|extra|more|additional|hard-?coded|third-party|global|magic|silent|breaking|runtime|unsafe|inline|raw|direct|floating|default|circular|emojis?|comments?|mocks?|abbreviations|trailing|network|secrets|any) ?[\\w/.-]*',
  `(?:^(?:[\\w-]+ ){0,4}(?!at least)|\\b(?:must|should|needs?|has to|have to|keep|limit|allow|retry|retries|wait|run|use|be|to|takes?|stays?|for) (?:\\w+ ){0,4})(?:at most|at least|no more than|no less than|no fewer than|not more than|maximum(?: of)?|minimum(?: of)?|limited to|capped at|up to) ${NUMBER}`,
  `\\b(?:cap|limit) (?:\\S+ ){1,6}(?:at|to) ${NUMBER}`,
  '\\b(?:under no circumstances|hard (?:limit|requirement|rule|constraint|cap)|non-negotiable|at all costs|without exception|no exceptions|full stop\\b|, period\\b|, always\\b(?! (?:been|was|had|gives|gets)))',
  '^(?:make sure|be sure|ensure|take care) (?![^.;:]{0,160}\\b(?:already|were|was|(?:has|have) been|did)\\b)(?:[^.;:]{0,60} )?(?:not|never|no|always|only|all|every|each|any|stays?|remains?)\\b',
  '\\b(?:has|have) to (?:be (?!fixed|updated|done|a bug|something|careful|extra careful|very careful)|stay|remain|keep|match|support|work|pass)\\b',
  `^(?:${POLICY}) (?!my\\b|me\\b|it(?:[.,;]|$)|the (?:last|previous|above)|that$|this$|all (?:that|this)$)(?:\\S+ )\\S`,
  '^(?:if|when|whenever|on|for|with|unless) (?!you\\b|(?:it|that|this) (?:works|fails|is)|possible|needed|necessary|everything|all (?:good|done))[^,?]{3,100}, (?:then )?(?:just |always |never )?(?:keep|use|take|reject|raise|ignore|treat|leave|drop|sort|default|prefer|skip|fail|round|we (?:keep|use|reject|ignore|never|always))\\b',
  '\\bread-only\\b(?=[^.;]{0,40}\\b(?:must|always|strictly|mode only)\\b)',
)

/** An answer to a question, and what it rules. */
const RULED = any(
  `^(?:yes|yep|right|exactly|correct|confirmed|absolutely|sure|no|nope|neither|both|not quite|almost)\\b ?[,.:;—–-]* (?:just |always |then )?(?:${POLICY}|keep|leave|use|take|drop|cap|pin|map|split|match|count|order|sort|return|encode|write it as|go with|stick|stay) (?:\\S+ )?\\S`,
)
const BARE_ANSWER =
  /^(?:yes|yep|no|nope|right|exactly|correct|confirmed|agreed|neither|both|settled|deliberately|absolutely)(?: not)?[.!,]?$/
const RULING = any(
  `^(?:just |always |then )?(?:${POLICY}|keep|leave|use|take|drop|cap|pin|map|split|match|count|order|sort|encode|write it as|go with|stick|stay) (?:\\S+ )?\\S`,
)

/** Asked, wished or supposed, not said as settled. */
const QUESTION =
  '\\?["\')\\]*_]*$|^(?:should|could|can|shall|would|do you|do we|does|did|is|are|was|were|have|has|had|what|why|how|where|who|which|whether|any (?:idea|chance|thoughts)|wdyt|thoughts|maybe|perhaps|suppose|imagine|wondering|i wonder|i think|i guess|not sure|unsure|in case|wait,? (?:why|what|how|so))\\b'
const UNSETTLED =
  "\\b(?:maybe|perhaps|not sure|i wonder|wondering|i'm thinking|i am thinking|thinking (?:about|of)|considering|should we|should i|could we|can we|would it|do we|do you|shouldn't (?:we|it|this|that|they)|what if|i guess|possibly|let me know|we could|you could|one option|another option|should have|could have|would have|must have (?:been|changed|broken|happened|gotten|got|forgotten|missed|simplified|handled)|tbd|to be decided|undecided|i vaguely|i recall|reminds me|for instance|for example|implies|clarif(?:y|ies|ied|ying)|sometimes)\\b"

/** A rule may well begin with its condition, a decision does not. */
const OPEN_DECISION = any(QUESTION, UNSETTLED, '^(?:if|unless|assuming|when|whenever|what if|once)\\b', '\\bmight\\b')
const OPEN_CONSTRAINT = any(QUESTION, UNSETTLED)

/** JSON, code and messages of programs, which come to stand in prose. */
const PRINTED =
  /\w+error\(|"\}|[{[]"|":\s|=>|\w\(\)\s*[{;]|\b(?:error|exception|traceback)\b[^.]{0,40}(?::|at line)|[{}<>|\\=;]{3,}|(?:[{}<>|\\=;][^{}<>|\\=;]{0,12}){6,}/

/** About the one answer that is asked for, unless it is said for all of them. */
const ABOUT_THE_ANSWER =
  /^(?!.*\b(?:always|never|from now on|going forward)\b)(?:(?:keep|make) (?:your \w+|(?:the |it |this )?(?:final )?(?:answer|reply|response|summary|explanation|output)) (?:as )?(?:very )?(?:short|brief|concise|crisp)\b|(?:keep|make) it (?:short|brief|concise)\b|(?:only )?(?:reply|respond|answer) (?:only |just |briefly )?(?:with|in|as|only|using)\b(?! (?:an? |the )?(?:\d|https?\b|error|status|empty))|(?:do not|don't) (?:add|include|write|output|give|use|provide) (?:any )?(?:markdown|explanations?|commentary|preamble|prose|other text|extra text|anything else)\b)/

/** A thing named by what it must be, of which nothing is said: "A row that must not be lost". */
const NAMED_THING =
  /^(?!.*\b(?:is|are|has|have|needs?|gets?|goes|stays?|means)\b)(?:an? |the )?(?:[\w'-]+ ){1,3}(?:that|which) (?:must|shall|should)\b[^,;:]*$/

function isProse(words: string, open: RegExp): boolean {
  return wordCount(words) >= MIN_WORDS && !open.test(words) && !PRINTED.test(words) && !ABOUT_THE_ANSWER.test(words)
}

/** @param words as `plainWords` gives them */
export function isDecision(words: string): boolean {
  if (ENDS_ASKING.test(words)) return false
  return clausesOf(words).some(decides) || (isProse(words, OPEN_DECISION) && FRAGMENT.test(words))
}

function decides(clause: string): boolean {
  return (
    isProse(clause, OPEN_DECISION) && (DECISIONS.test(clause) || RULED.test(clause) || OTHER_DECISIONS.test(clause))
  )
}

/** @param words as `plainWords` gives them */
export function isConstraint(words: string): boolean {
  return !ENDS_ASKING.test(words) && clausesOf(words).some(constrains)
}

function constrains(clause: string): boolean {
  if (NAMED_THING.test(clause) && !IMPERATIVE.test(clause)) return false
  return isProse(clause, OPEN_CONSTRAINT) && (CONSTRAINTS.test(clause) || OTHER_CONSTRAINTS.test(clause))
}

const ENDS_ASKING = /\?["')\]*_]*$/

/** The sentence, and what follows each of its semicolons and dashes: there, too, people say what is to be. */
function clausesOf(words: string): string[] {
  const later = words.split(/; | - | — | – /).slice(1)
  return [words, ...later.map((clause) => clause.replace(LEAD, ''))]
}

/** A "yes" or "no" that stands alone: the sentence after it is the ruling. */
export function isBareAnswer(words: string): boolean {
  return BARE_ANSWER.test(words)
}

/** Whether a sentence after a bare answer says what is to be. */
export function isRuling(words: string): boolean {
  return isProse(words, OPEN_DECISION) && RULING.test(words)
}

/** What an agent says it is going to do, which the user's "yes" makes a decision. */
const PROPOSALS = any(
  "^(?:in that case,? |given that,? )?(?:i|we)(?:'ll|'d| will| would)? (?:suggest|recommend|propose|use|keep|go with|stick|stay|drop|skip|switch|leave|make|cap|limit|key|treat|default|replace|store|put|prefer|restrict|reject|ignore)\\b",
  '^(?:my )?(?:recommendation|suggestion|proposal|recap|rule|policy|default|got it|understood|noted)(?: (?:of|for) [^:]{1,60})?(?::| -| —|,| is\\b) (?:\\S+ ){2}',
)

/** @param words as `plainWords` gives them */
export function isProposal(words: string): boolean {
  return isProse(words, OPEN_DECISION) && (PROPOSALS.test(words) || DECISIONS.test(words))
}

const IMPERATIVE =
  /^(?:add|allow|annotate|apply|ask|avoid|batch|build|bump|call|cap|catch|change|check|choose|clean|close|commit|compute|configure|copy|cover|create|declare|default|define|delete|derive|disable|do|document|edit|enable|encode|end|ensure|escape|explain|export|extract|fail|favou?r|fix|follow|format|generate|give|group|handle|have|hide|import|include|indent|inject|install|isolate|keep|label|leave|let|limit|link|lint|load|lock|log|maintain|make|mark|match|measure|mention|merge|minimi[sz]e|mock|name|never|normali[sz]e|open|order|parse|pass|pick|pin|place|plan|prefer|prefix|preserve|protect|provide|publish|push|put|quote|raise|read|rebase|record|redact|refer|reject|release|remove|rename|replace|report|require|reserve|resolve|restrict|return|reuse|review|roll|rotate|run|sanitize|save|separate|set|ship|sign|skip|sort|specify|split|squash|start|stay|stick|stop|store|strip|tag|take|target|test|throw|treat|trim|try|type|update|use|validate|verify|version|wait|wrap|write)\b/

/** A sentence that tells someone to do something: what counts under a heading of rules. */
export function isImperative(words: string): boolean {
  return isProse(words, OPEN_CONSTRAINT) && IMPERATIVE.test(words)
}
