/** The labelled questions are well formed, do not quote their answers, and their answers stand in the corpus. */

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { normalizeSpace, QUESTION_KINDS, readQuestionSets } from './question-set.ts'

const FOLDER = dirname(fileURLToPath(import.meta.url))
const CORPUS = join(FOLDER, '..', '..', '..', 'shared', 'corpus')

/** Words in a row that a question and its answer may not share. */
const SHARED_RUN = 5

/** Quotes are at least this long, so shorter values need no look. */
const SHORTEST_QUOTE = 40

const sets = readQuestionSets(FOLDER)
const questions = sets.flatMap(({ harness, questions }) => questions.map((question) => ({ ...question, harness })))

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The runs of words that both texts hold. */
function sharedRuns(one: string, other: string): string[] {
  const words = wordsOf(one)
  const within = ` ${wordsOf(other).join(' ')} `
  return words.flatMap((_word, start) => {
    const run = words.slice(start, start + SHARED_RUN)
    return run.length === SHARED_RUN && within.includes(` ${run.join(' ')} `) ? [run.join(' ')] : []
  })
}

describe('the labelled questions', () => {
  test('are enough, and most are on the harnesses with most transcripts', () => {
    expect(questions.length).toBeGreaterThanOrEqual(72)
    const main = questions.filter(({ harness }) => harness === 'claude-code' || harness === 'codex')
    expect(main.length).toBeGreaterThanOrEqual(48)
    expect(new Set(questions.flatMap(({ gold }) => gold.map(({ session }) => session))).size).toBeGreaterThan(36)
  })

  test('have an id and a wording of their own', () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
    expect(new Set(questions.map(({ question }) => question.toLowerCase())).size).toBe(questions.length)
    expect(questions.filter(({ id, harness }) => !id.startsWith(`${harness}-`))).toEqual([])
  })

  test('are asked in every way', () => {
    for (const wanted of QUESTION_KINDS) {
      expect(questions.filter(({ kind }) => kind === wanted).length, wanted).toBeGreaterThanOrEqual(5)
    }
  })

  test('share no five words in a row with their answers', () => {
    const shared = questions.flatMap(({ id, question, gold }) =>
      gold.flatMap(({ quote }) => sharedRuns(question, quote).map((run) => `${id}: ${run}`)),
    )
    expect(shared).toEqual([])
  })

  test('name no answer twice', () => {
    const twice = questions.filter(({ gold }) => new Set(gold.map((one) => JSON.stringify(one))).size < gold.length)
    expect(twice.map(({ id }) => id)).toEqual([])
  })
})

test('five words in a row are found whatever stands between them', () => {
  expect(sharedRuns('Why was the old index dropped?', 'it was "the old index", dropped at last')).toEqual([
    'was the old index dropped',
  ])
  expect(sharedRuns('the old index dropped', 'the old index dropped')).toEqual([])
})

/** Adds every text inside a value that could hold a quote; a text that is JSON itself is looked into as well. */
function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    if (value.length < SHORTEST_QUOTE) return
    texts.push(normalizeSpace(value))
    const inner = /^[[{]/.test(value) ? parsed(value) : undefined
    if (inner !== undefined) collectTexts(inner, texts)
  } else if (value !== null && typeof value === 'object') {
    for (const part of Object.values(value)) collectTexts(part, texts)
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Every row of every table of a database. The copy is opened, since opening one with its log changes it. */
function rowsOf(path: string): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'varve-questions-'))
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(basename(path))) cpSync(join(dirname(path), name), join(folder, name))
    }
    const database = new Database(join(folder, basename(path)))
    try {
      const tables = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
      return tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all())
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Transcript {
  path: string
  texts: string[]
  /** Whether the file tells of this session, by its path or by what it holds. */
  tellsOf(session: string): boolean
}

function readTranscript(path: string): Transcript {
  const content = path.endsWith('.db') ? JSON.stringify(rowsOf(path)) : readFileSync(path, 'utf8')
  const texts: string[] = []
  collectTexts(path.endsWith('.jsonl') ? content.split('\n').map(parsed) : parsed(content), texts)
  return { path, texts, tellsOf: (session) => path.includes(session) || content.includes(session) }
}

/** The transcripts below a path of the corpus. A log of a database belongs to its database. */
function transcriptsBelow(path: string): string[] {
  const place = join(CORPUS, path)
  if (statSync(place).isFile()) return [place]
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jsonl|json|db)$/.test(name))
    .map((name) => join(place, name))
    .filter((file) => statSync(file).size > 0)
    .sort()
}

describe.skipIf(!existsSync(CORPUS))('every answer stands in the corpus (skipped without ../shared)', () => {
  const known = new Map<string, Transcript>()
  const transcript = (path: string): Transcript => {
    const read = known.get(path) ?? readTranscript(path)
    known.set(path, read)
    return read
  }

  test.each(sets)(
    'in a transcript of the session it names: $harness',
    { timeout: 120_000 },
    ({ corpus, questions }) => {
      const transcripts = corpus.flatMap(transcriptsBelow).map(transcript)
      const missing = questions.flatMap(({ id, gold }) =>
        gold.flatMap(({ session, quote }) => {
          const wanted = normalizeSpace(quote)
          const own = transcripts.filter(({ tellsOf }) => tellsOf(session))
          return own.some(({ texts }) => texts.some((text) => text.includes(wanted))) ? [] : [`${id}: ${quote}`]
        }),
      )
      expect(missing).toEqual([])
    },
  )

  test.each(sets)('among more transcripts than answer: $harness', ({ corpus, questions }) => {
    const answering = new Set(questions.flatMap(({ gold }) => gold.map(({ session }) => session)))
    expect(corpus.flatMap(transcriptsBelow).length).toBeGreaterThan(2 * answering.size)
  })
})
