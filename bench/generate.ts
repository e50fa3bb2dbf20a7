/**
 * Made-up transcripts for measuring: seeded, so that every run and every machine gets the same. Words follow Zipf's law
 * over a vocabulary of English function words, programming terms and invented stems; code speaks in camelCase,
 * snake_case, kebab-case and paths; tool output is long and repetitive, with hashes, numbers and ids in between.
 */

import type { EventType } from '../src/core/event.ts'

export interface GeneratedEvent {
  /** Number of the session, from 0; the events of one session follow each other. */
  session: number
  type: EventType
  /** Milliseconds since 1970, rising. */
  at: number
  text: string
}

export interface Generator {
  /** The next events of an endless archive. */
  events(count: number): IterableIterator<GeneratedEvent>
  /** One document of a kind. */
  document(type: EventType): string
  /** A query of `terms` words: see `QueryClass`. */
  query(kind: QueryClass, terms: number): string
}

/**
 * `rare`: words of the last ranks, in a handful of documents; `typical`: words of middle ranks, log-uniform;
 * `common`: words out of the 40 commonest.
 */
export type QueryClass = 'rare' | 'typical' | 'common'

const VOCABULARY = 80_000

/** Drawn ahead once, since inverting the distribution for every word would be most of the work. */
const DRAWS = 1 << 22

const FUNCTION_WORDS =
  'the to a of and in is that it for this we with on you be as not are if can have i file from or but so at by will code should test use an all now run let was there new then error when add one function need value type no set line get user'.split(
    ' ',
  )

const PROGRAMMING_WORDS =
  'build server client request response config database index table column query schema migration branch commit merge deploy container image network socket stream buffer string number array object module package import export class method parameter argument return result promise callback handler event listener token session cookie header route controller service model view component template style layout render update delete create insert select cache memory thread process queue worker lock timeout retry failure exception warning debug trace log metric monitor alert health check version release patch review comment issue ticket feature bug fix refactor cleanup coverage benchmark profile latency throughput parser lexer compiler linker runtime engine plugin extension driver adapter wrapper proxy gateway cluster shard replica backup restore snapshot archive'.split(
    ' ',
  )

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe fi fo fu ga ge gi go gu ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo vu za ze zi zo zu'.split(
    ' ',
  )

/** Names and files of the code bases worked on. */
const IDENTIFIERS = 30_000
const PATHS = 8_000

const EXTENSIONS = ['ts', 'ts', 'tsx', 'py', 'rs', 'go', 'md', 'json', 'sql', 'css']

/** Shares of event types, roughly those of coding sessions: most of an archive is tool traffic. */
const TYPE_SHARES: readonly (readonly [EventType, number])[] = [
  ['user_input', 0.06],
  ['assistant_response', 0.18],
  ['reasoning', 0.12],
  ['tool_call', 0.31],
  ['tool_response', 0.31],
  ['system', 0.02],
]

/** The same numbers for the same seed, 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function makeGenerator(seed: number): Generator {
  const random = randomNumbers(seed)
  const words = makeVocabulary()
  const ranks = drawRanks(random, words.length)
  const word = (): string => words[ranks[Math.floor(random() * DRAWS)] ?? 0] ?? 'the'
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const write = makeWriter(random, word, pick)

  function* events(count: number): IterableIterator<GeneratedEvent> {
    let at = Date.UTC(2026, 0, 1)
    let session = 0
    let left = 0
    for (let made = 0; made < count; made++) {
      const opens = left === 0
      if (opens) {
        if (made > 0) session++
        left = Math.ceil(20 + 300 * random() ** 3)
      }
      left--
      at += Math.floor(random() * 20_000)
      const type = opens ? 'user_input' : drawType(random)
      yield { session, type, at, text: write(type) }
    }
  }

  return {
    events,
    document: write,
    query: (kind, terms) =>
      Array.from({ length: terms }, () => words[Math.floor(queryRank(kind, random, words.length))] ?? 'the').join(' '),
  }
}

function makeVocabulary(): string[] {
  // The stems are the same whatever the seed, so that a query of one run means the same in another.
  const random = randomNumbers(7)
  const known = new Set([...FUNCTION_WORDS, ...PROGRAMMING_WORDS])
  while (known.size < VOCABULARY) {
    const length = 2 + Math.floor(random() * 3)
    let stem = ''
    for (let part = 0; part < length; part++) stem += SYLLABLES[Math.floor(random() * SYLLABLES.length)]
    known.add(random() < 0.1 ? `${stem}${Math.floor(random() * 100)}` : stem)
  }
  return [...known]
}

function drawRanks(random: () => number, count: number): Uint32Array {
  const sums = new Float64Array(count)
  let total = 0
  for (let rank = 0; rank < count; rank++) {
    total += 1 / (rank + 1)
    sums[rank] = total
  }
  return Uint32Array.from({ length: DRAWS }, () => {
    const aim = random() * total
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < aim) low = middle + 1
      else high = middle
    }
    return low
  })
}

function drawType(random: () => number): EventType {
  let aim = random()
  for (const [type, share] of TYPE_SHARES) {
    aim -= share
    if (aim < 0) return type
  }
  return 'tool_response'
}

function queryRank(kind: QueryClass, random: () => number, count: number): number {
  switch (kind) {
    case 'rare':
      return count * (0.5 + random() / 2)
    case 'typical':
      return 200 * (count / 200) ** random()
    case 'common':
      return random() * 40
    default:
      return kind satisfies never
  }
}

/** Writes one document of each kind. */
function makeWriter(
  random: () => number,
  word: () => string,
  pick: <T>(list: readonly T[]) => T,
): (type: EventType) => string {
  const times = (count: number, make: () => string, separator: string): string => {
    let text = make()
    for (let done = 1; done < count; done++) text += separator + make()
    return text
  }
  const upto = (low: number, high: number): number => low + Math.floor(random() * (high - low))
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
  const hex = (length: number): string =>
    times(
      Math.ceil(length / 8),
      () =>
        Math.floor(random() * 4_294_967_296)
          .toString(16)
          .padStart(8, '0'),
      '',
    ).slice(0, length)

  const newIdentifier = (): string => {
    const parts = Array.from({ length: upto(2, 4) }, word)
    const style = random()
    if (style < 0.28) return parts.map((part, place) => (place === 0 ? part : capital(part))).join('')
    if (style < 0.34) return parts.map(capital).join('')
    return parts.join(style < 0.85 ? '_' : '-')
  }
  // A code base repeats its names: most are drawn from those made first, the early ones most often.
  const names = Array.from({ length: IDENTIFIERS }, newIdentifier)
  const identifier = (): string => names[Math.floor(IDENTIFIERS * random() ** 3)] ?? newIdentifier()
  const paths = Array.from(
    { length: PATHS },
    () => `src/${times(upto(1, 3), word, '/')}/${identifier()}.${pick(EXTENSIONS)}`,
  )
  const path = (): string => paths[Math.floor(PATHS * random() ** 2)] ?? 'src/index.ts'
  const prose = (): string => {
    const draw = random()
    return draw < 0.94 ? word() : draw < 0.98 ? identifier() : path()
  }
  const sentence = (): string => `${capital(times(upto(5, 18), prose, ' '))}.`
  const codeLine = (): string =>
    `${' '.repeat(2 * upto(0, 4))}${pick(['const', 'return', 'await', 'let', 'if', 'export function'])} ${identifier()} = ${identifier()}(${identifier()}, ${word()}.${identifier()})`
  const logLine = (): string =>
    `2026-0${upto(1, 10)}-${upto(10, 29)}T1${upto(0, 10)}:${upto(10, 60)}:${upto(10, 60)} ${pick(['INFO', 'WARN', 'DEBUG'])} [${word()}] ${times(upto(4, 9), word, ' ')} id=${hex(12)}`
  const grepLine = (): string => `${path()}:${upto(1, 900)}: ${codeLine().trim()}`
  const listing = (): string =>
    `-rw-r--r-- 1 user user ${upto(100, 99_999)} Jan ${upto(1, 29)} 10:${upto(10, 60)} ${path()}`
  const lines = (count: number): string => times(count, pick([codeLine, codeLine, logLine, grepLine, listing]), '\n')

  return (type) => {
    switch (type) {
      case 'user_input':
        return times(upto(1, 6), sentence, ' ')
      case 'assistant_response':
        return random() < 0.2
          ? `${times(upto(2, 6), sentence, ' ')}\n\n${times(upto(3, 12), codeLine, '\n')}\n\n${sentence()}`
          : times(upto(2, 14), sentence, ' ')
      case 'tool_call':
        return random() < 0.5
          ? `cd ${path()} && rg -n "${identifier()}" --type ts | head -${upto(5, 50)}`
          : `${path()}\n${times(upto(1, 10), codeLine, '\n')}`
      case 'tool_response':
        return lines(Math.ceil(Math.exp(1.2 + 2.2 * random() + 3 * random() ** 8)))
      case 'reasoning':
      case 'compaction':
      case 'system':
      case 'runtime':
      case 'unknown':
        return times(upto(2, 10), sentence, ' ')
      default:
        return type satisfies never
    }
  }
}
