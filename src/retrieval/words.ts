/** What is known about English words: which say nothing by themselves, and which are forms of one another. Pure. */

import { stem } from './stem.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

/**
 * Words that any text holds, whatever it is about. They choose no candidates and hardly count while a query has others.
 * Contractions are written as they are typed.
 */
const FUNCTION_WORDS = new Set(
  words(`
    a an the this that these those some any each every all both either neither such
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one ones someone something anyone anything
    who whom whose which what when where why how whether
    am is are was were be been being do does did doing done have has had having can could may might must shall should
    will would ought
    and or but nor so yet if then than because as while until though although unless since
    of on in at to for with from by about into onto over under after before between among through during against
    within without upon off out up down
    not no only just also too very there here now again once more most much many few other another own same
    i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we're we've we'd
    we'll they're they've they'd they'll that's there's here's what's who's where's when's why's how's let's
    isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't shouldn't
    mustn't
    please tell
  `),
)

/** Function words that still change what is said; they say little, but not nothing. */
const LIGHT_WORDS = new Set(
  words(`
    not no all any each both before after between without within same other more most up down out off over under into
    through during against again once some many much few than only very too then if or and when while
  `),
)

/** The shorter list behind a pack's `k/n`: articles, forms of be, do and have, pronouns, and the commonest links. */
const EMPTY_WORDS = new Set(
  words(`
    a an the am is are was were be been being do does did doing done have has had having
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those
    of on in at to for with and or
  `),
)

/** Verbs and nouns whose forms share no stem. */
const IRREGULAR = words(`
  be/was/were/been begin/began/begun bite/bit/bitten blow/blew/blown break/broke/broken bring/brought build/built
  buy/bought catch/caught child/children choose/chose/chosen come/came cut/cutting deal/dealt draw/drew/drawn drink/drank/drunk
  drive/drove/driven eat/ate/eaten fall/fell/fallen feed/fed feel/felt fight/fought find/found fly/flew/flown
  forget/forgot/forgotten forgive/forgave/forgiven freeze/froze/frozen get/got/gotten give/gave/given go/went/gone
  grow/grew/grown hang/hung hear/heard hide/hid/hidden hold/held keep/kept know/knew/known lead/led learn/learnt
  leave/left lend/lent lose/lost make/made man/men mean/meant meet/met pay/paid person/people ride/rode/ridden
  ring/rang/rung rise/rose/risen run/ran say/said see/saw/seen seek/sought sell/sold send/sent shake/shook/shaken
  shine/shone shoot/shot show/shown sing/sang/sung sink/sank/sunk sit/sat sleep/slept speak/spoke/spoken spend/spent
  stand/stood steal/stole/stolen stick/stuck strike/struck swear/swore/sworn swim/swam/swum take/took/taken teach/taught
  tear/tore/torn think/thought throw/threw/thrown understand/understood wake/woke/woken wear/wore/worn win/won woman/women
  write/wrote/written wife/wives life/lives knife/knives leaf/leaves half/halves mouse/mice foot/feet tooth/teeth
  index/indices matrix/matrices vertex/vertices datum/data criterion/criteria analysis/analyses
`).map((group) => group.split('/'))

/** Words that British and American writers spell differently; `-ise` and `-ize` are told by their endings. */
const SPELLINGS = words(`
  behavior/behaviour color/colour favor/favour favorite/favourite flavor/flavour harbor/harbour honor/honour humor/humour
  labor/labour neighbor/neighbour rumor/rumour center/centre fiber/fibre liter/litre meter/metre theater/theatre
  analog/analogue catalog/catalogue dialog/dialogue program/programme gray/grey defense/defence license/licence
  offense/offence practice/practise artifact/artefact judgment/judgement acknowledgment/acknowledgement
  cancel/cancell label/labell level/levell model/modell signal/signall travel/travell fulfill/fulfil enroll/enrol
`).map((group) => group.split('/'))

/** Stems that are one word to a reader, each by the first of its group. */
const sameWord = new Map<string, string>()
const irregularForms = new Map<string, readonly string[]>()
for (const group of IRREGULAR) {
  const [first = ''] = group
  const root = stem(first)
  for (const form of group) sameWord.set(stem(form), root)
  irregularForms.set(root, group)
}
const otherSpellings = new Map<string, readonly string[]>()
for (const group of SPELLINGS) {
  const [first = ''] = group
  const root = stem(first)
  for (const form of group) sameWord.set(stem(form), root)
  otherSpellings.set(root, group)
}

/** Whether a folded word says nothing by itself. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word)
}

/** Whether a function word still says a little. */
export function isLightWord(word: string): boolean {
  return LIGHT_WORDS.has(word)
}

/** Whether a folded word is left out of a pack's count of terms. */
export function isEmptyWord(word: string): boolean {
  return word.length < 2 || EMPTY_WORDS.has(word)
}

/** What all forms of a folded word have in common: its stem, or that of the word it is an irregular form of. */
export function rootOf(word: string): string {
  const own = stem(word.replace(BRITISH, '$1z$2'))
  return sameWord.get(own) ?? own
}

/** `organise`, `analysing`; what only looks like it (`exercise`) is the same word either way. */
const BRITISH = /^(\w{3,}i|\w{3,}y)s(e[drs]?|ers|ing|ations?)$/

/** The spellings of one word. */
export interface WordForms {
  /** All but the one asked for. */
  others: readonly string[]
  /** All of them. */
  all: ReadonlySet<string>
  /** What they begin with: nearly always one beginning for all. */
  leads: readonly string[]
}

/** Forms made lately, by the word. */
const formsByWord = new Map<string, WordForms>()
const WORDS_KEPT = 4_000

/**
 * Spellings that a folded word may have elsewhere: all regular forms with the same stem, and the irregular ones. Some are
 * no words; they are found nowhere and cost little. Undefined for what is no English word, or has no forms.
 */
export function formsOf(word: string): WordForms | undefined {
  if (!/^[a-z]{2,30}$/.test(word)) return undefined
  let forms = formsByWord.get(word)
  if (forms === undefined) {
    forms = makeForms(word)
    if (formsByWord.size >= WORDS_KEPT) formsByWord.clear()
    formsByWord.set(word, forms)
  }
  return forms
}

function makeForms(word: string): WordForms {
  const root = rootOf(word)
  const irregular = irregularForms.get(root) ?? []
  const spelled = otherSpellings.get(root) ?? []
  const all = new Set([word, ...irregular])
  for (const of of new Set([word, ...irregular.slice(0, 1), ...spelled])) {
    const own = rootOf(of)
    for (const form of [...spellings(of, stem(of))].flatMap(bothEndings)) if (rootOf(form) === own) all.add(form)
  }
  const sorted = [...all].sort()
  return { others: sorted.filter((form) => form !== word), all, leads: leadsOf(sorted) }
}

/** A form of a word on `-ize` or `-ise`, and the other. */
function bothEndings(form: string): string[] {
  const [, start, end] = /^(\w{3,}[iy])[sz](e[drs]?|ers|ing|ations?)$/.exec(form) ?? []
  return start === undefined ? [form] : [`${start}s${end}`, `${start}z${end}`]
}

/** The longest beginnings that cover all words: one for each group that shares its first two letters. */
function leadsOf(sorted: readonly string[]): string[] {
  const leads: string[] = []
  for (const word of sorted) {
    const last = leads.at(-1)
    if (last === undefined || last.slice(0, 2) !== word.slice(0, 2)) leads.push(word)
    else leads[leads.length - 1] = commonStart(last, word)
  }
  return leads
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a.charAt(length) === b.charAt(length)) length++
  return a.slice(0, length)
}

/** Endings put to a stem as it is, to one that lost its `e`, to one whose `y` became `i`, and to a doubled consonant. */
const ENDINGS = words('s ed ing er ers ly ion ions ation ations ment')
const AFTER_E = words('e es ement')
const AFTER_I = words('y ies ied ier ying')
const AFTER_DOUBLE = words('ed ing er')

/** Endings that change least of a word whose stem has lost more: `initializing` of `initialize`. */
const INFLECTION = /(?:e|s|es|ed|ing)$/
const INFLECTIONS = words('e s es ed ing')

function* spellings(word: string, own: string): Generator<string> {
  yield own
  for (const ending of /(?:[sxzo]|ch|sh)$/.test(own) ? ['es', ...ENDINGS] : ENDINGS) yield own + ending
  if (own.endsWith('i')) for (const ending of AFTER_I) yield own.slice(0, -1) + ending
  else for (const ending of AFTER_E) yield own + ending
  if (/[^aeiou][aeiou][bdfgklmnprstvz]$/.test(own)) {
    for (const ending of AFTER_DOUBLE) yield own + own.slice(-1) + ending
  }
  yield `${word}s`
  const bare = word.replace(INFLECTION, '')
  if (bare.length < 3 || bare === own) return
  yield bare
  for (const ending of INFLECTIONS) yield bare + ending
}
