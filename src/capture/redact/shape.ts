/** What a secret looks like, apart from any prefix: the questions asked of a value before it is taken for one. */

/** Stands for a secret and is none: `ghp_xxxxxxxxxxxx`, `sk-your-key-here`. */
export function isMask(value: string): boolean {
  return /[xX]{6}|\*{4}|\.{3}|(?:your|my)[-_ ]?(?:api|key|token|secret|access|auth|own)|[-_]here$|^[xX*._-]+$/i.test(
    value,
  )
}

const STAND_INS =
  /change[-_]?me|dummy|example|placeholder|redacted|sample|insert|replace|not[-_]?a[-_]?secret|^your|todo|undefined/i

/** Typed along the keyboard or the alphabet. */
const RUNS = [
  '01234567890123456789012345',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  '0123456789abcdefghijklmnopqrstuvwxyz',
]

/** A word a person puts where a secret would go, or a value that anyone would guess. */
export function isPlaceholder(value: string): boolean {
  if (isMask(value) || /^(.)\1*$/.test(value) || STAND_INS.test(value)) return true
  return RUNS.some((run) => run.includes(value.toLowerCase()))
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Value of a UUID: names a thing, and is a secret only where the key says so. */
export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** Least entropy, bits per character, of hexadecimal text taken for random. */
const HEX_ENTROPY = 3
/** For other text the bar follows what its length allows (log2), up to what random base 64 reaches at any length. */
const SHARE_OF_POSSIBLE = 0.8
const ENOUGH_ENTROPY = 3.9

/** Random letters hold some runs that could be words; more than this share of them, and it is a name or a path. */
const MOST_WORDS = 0.6

/**
 * Whether a value of 16 characters or more could have come out of a random generator: high entropy for its length, and
 * not made of words, as identifiers, paths and package names are.
 */
export function looksRandom(value: string): boolean {
  if (isPlaceholder(value) || /^[\d.eE+-]+$|^[.~]|^\/{1,2}[a-z.-]{3,}(?:\/|$)/.test(value) || isPhrase(value))
    return false
  if (/^[0-9a-f-]+$/i.test(value)) return /\d/.test(value) && hexEntropy(value.replaceAll('-', '')) > HEX_ENTROPY
  if (!/[0-9]/.test(value) && !(value.length >= 32 && /[a-z]/.test(value) && /[A-Z]/.test(value))) return false
  const enough = Math.min(ENOUGH_ENTROPY, SHARE_OF_POSSIBLE * Math.log2(value.length))
  return entropy(value) >= enough && wordShare(value) <= MOST_WORDS
}

/** Kinds of characters a password policy asks for: a letter, a digit, and a mark or both cases. */
export function looksLikePassword(value: string): boolean {
  if (isPlaceholder(value) || /pass|secret|token|process\.env|^[/.~]/i.test(value)) return false
  if (!/[A-Za-z]/.test(value) || !/\d/.test(value)) return false
  return /[!@#%^&*?~+|]/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value))
}

/** Like a password written without quotes, where mixed case alone would fit any identifier. */
export function looksLikeBarePassword(value: string): boolean {
  return looksLikePassword(value) && /[!@#%^&*?~+|]/.test(value)
}

const DEFAULT_PASSWORDS = new Set(
  'pass password passwd pwd pw secret user username root admin postgres mysql redis guest test dev token foo bar'.split(
    ' ',
  ),
)

/** A password in a URL is taken at its word, but for defaults everyone knows and references to a variable. */
export function isUrlPassword(value: string): boolean {
  return (
    !DEFAULT_PASSWORDS.has(value.toLowerCase()) && !isPlaceholder(value) && !/^[$%{<[:*]|\.\.|^\d{1,5}$/.test(value)
  )
}

/** `name:password` in base 64, as HTTP's Basic scheme and Docker's config write it. */
export function isBasicCredential(value: string): boolean {
  return /^[\x21-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'))
}

/** Words and numbers tied together: `Convert_to_ES_module_95017`, `my-long-name-2024`. */
function isPhrase(value: string): boolean {
  const parts = value.split(/[_-]/)
  return parts.length >= 3 && parts.every((part) => /^(?:[A-Za-z]+|\d*)$/.test(part))
}

/** Shannon entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Digits alone are a count or a time more often than a key: they lose a little, the less the longer they are. */
function hexEntropy(value: string): number {
  return entropy(value.toLowerCase()) - (/^\d+$/.test(value) ? 1.2 / Math.log2(value.length) : 0)
}

/** The share of letters and digits that stand in runs one could pronounce. */
function wordShare(value: string): number {
  let inWords = 0
  for (const [run] of value.matchAll(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g)) {
    if (/[aeiouy]/i.test(run) && !/[^aeiouy]{5}/i.test(run)) inWords += run.length
  }
  return inWords / Math.max(1, value.replace(/[^A-Za-z0-9]/g, '').length)
}
