/**
 * English words cut to their stems, so that `painting` finds `painted`. The rules are those of Porter's second stemmer
 * (M. F. Porter, "The English (Porter2) stemming algorithm", snowballstem.org). Pure.
 */

const VOWELS = 'aeiouy'

/** Doubled consonants that an ending leaves behind: `hopp` of `hopping`, but not `add` of `added`. */
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/

/** Words the rules would cut wrongly, with their stems. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [word, word]),
])

/** Words that are left alone once their plural is gone. */
const WHOLE = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'])

/** Endings and what they become, by step; the longest that fits counts. */
const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]

const STEP_3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const STEP_4 = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
] as const

/** Stems made lately; a question's words and their forms repeat. */
const stems = new Map<string, string>()
const STEMS_KEPT = 20_000

/** The stem of a lower-case word. Words with anything but the letters a to z are their own stems. */
export function stem(word: string): string {
  let known = stems.get(word)
  if (known === undefined) {
    known = /^[a-z]{3,40}$/.test(word) ? makeStem(word) : word
    if (stems.size >= STEMS_KEPT) stems.clear()
    stems.set(word, known)
  }
  return known
}

function makeStem(word: string): string {
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  // A `y` that sounds as a consonant is written `Y` while the rules are at work.
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y')
  const singular = withoutPlural(marked)
  if (WHOLE.has(singular)) return singular
  const [first, second] = regions(singular)
  let result = withoutTense(singular, first)
  if (/.[^aeiouy][yY]$/.test(result)) result = `${result.slice(0, -1)}i`
  result = replaceEnding(result, STEP_2, first, first)
  result = replaceEnding(result, STEP_3, first, second)
  result = withoutSuffix(result, second)
  return withoutFinal(result, first, second).toLowerCase()
}

/** Where R1 and R2 begin: after the first consonant that follows a vowel, and the same again from there. */
function regions(word: string): [first: number, second: number] {
  const special = /^(?:gener|commun|arsen)/.exec(word)
  const first = special ? special[0].length : afterSyllable(word, 0)
  return [first, afterSyllable(word, first)]
}

function afterSyllable(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

function isVowel(word: string, at: number): boolean {
  return VOWELS.includes(word.charAt(at))
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text)
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (!word.endsWith('s') || /[us]s$/.test(word)) return word
  // The vowel must not stand right before the `s`: `gas` stays, `gaps` does not.
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function withoutTense(word: string, first: number): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed) return eed.index >= first ? `${word.slice(0, eed.index)}ee` : word
  const tense = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!tense || !hasVowel(word.slice(0, tense.index))) return word
  const rest = word.slice(0, tense.index)
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (DOUBLE.test(rest)) return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1)
  return isShort(rest, first) ? `${rest}e` : rest
}

/** A short word: nothing in R1, and it ends in a short syllable. */
function isShort(word: string, first: number): boolean {
  return first >= word.length && endsShort(word)
}

function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word)
}

function replaceEnding(
  word: string,
  endings: readonly (readonly [string, string])[],
  region: number,
  ative: number,
): string {
  const match = endings.find(([ending]) => word.endsWith(ending))
  if (!match) return word
  const [ending, becomes] = match
  const at = word.length - ending.length
  if (at < (ending === 'ative' ? ative : region)) return word
  if (ending === 'ogi' && word.charAt(at - 1) !== 'l') return word
  if (ending === 'li' && !/[cdeghkmnrt]/.test(word.charAt(at - 1))) return word
  return word.slice(0, at) + becomes
}

function withoutSuffix(word: string, second: number): string {
  const ending = STEP_4.find((suffix) => word.endsWith(suffix))
  if (ending === undefined) return word
  const at = word.length - ending.length
  if (at < second) return word
  if (ending === 'ion' && !/[st]/.test(word.charAt(at - 1))) return word
  return word.slice(0, at)
}

function withoutFinal(word: string, first: number, second: number): string {
  const at = word.length - 1
  if (word.endsWith('e')) {
    const goes = at >= second || (at >= first && !endsShort(word.slice(0, -1)))
    return goes ? word.slice(0, -1) : word
  }
  return word.endsWith('ll') && at >= second ? word.slice(0, -1) : word
}
