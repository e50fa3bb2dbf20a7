/** The titles that clients gave their sessions, read straight from where each keeps them. */

import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { filesIn } from './count.ts'

export interface Titled {
  harness: string
  /** The session's id, as its client writes it. */
  session: string
  title: string
}

type Fields = Record<string, unknown>

/** A way of keeping titles: pairs of a session's id and its title. */
interface Keeper {
  harness: string
  pattern: RegExp
  titles(path: string): [session: unknown, title: unknown][]
}

const json = (path: string): Fields => Object(JSON.parse(readFileSync(path, 'utf8')))

const fieldsOf = (value: unknown): Fields => Object(value)

function query(path: string, sql: string): [unknown, unknown][] {
  const database = new BetterSqlite3(path, { readonly: true })
  try {
    return database.prepare(sql).raw().all() as [unknown, unknown][]
  } finally {
    database.close()
  }
}

/** Titles among a file's lines; the last one holds. */
const inLines = (pick: (record: Fields, path: string) => [unknown, unknown] | undefined) => (path: string) => {
  const found = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [pick(fieldsOf(JSON.parse(line)), path)]
      } catch {
        return []
      }
    })
  return found.filter((each) => each !== undefined).slice(-1)
}

const KEEPERS: Keeper[] = [
  {
    harness: 'claude-code',
    pattern: /^\.claude\/projects\/.+\/subagents\/.+\.meta\.json$/,
    titles: (path) => {
      const session = basename(dirname(dirname(path)))
      return [[`${session}/${basename(path, '.meta.json')}`, json(path)['description']]]
    },
  },
  {
    harness: 'claude-code',
    pattern: /^Library\/.+\/local_[^/]+\.json$/,
    titles: (path) => [[basename(path, '.json'), json(path)['title']]],
  },
  {
    harness: 'cline',
    pattern: /^\.cline\/data\/sessions\/([^/]+)\/\1\.json$/,
    titles: (path) => [[json(path)['session_id'], fieldsOf(json(path)['metadata'])['title']]],
  },
  {
    harness: 'copilot-cli',
    pattern: /^\.copilot\/session-state\/[^/]+\/workspace\.yaml$/,
    titles: (path) => [[basename(dirname(path)), /^name: '?(.+?)'?$/m.exec(readFileSync(path, 'utf8'))?.[1]]],
  },
  {
    harness: 'grok-cli',
    pattern: /^\.grok\/sessions\/[^/]+\/[^/]+\/summary\.json$/,
    titles: (path) => [[basename(dirname(path)), json(path)['generated_title']]],
  },
  {
    harness: 'kiro-cli',
    pattern: /^\.kiro\/sessions\/cli\/[^/]+\.json$/,
    titles: (path) => [[basename(path, '.json'), json(path)['title']]],
  },
  {
    harness: 'pi-coding-agent',
    pattern: /^\.pi\/agent\/sessions\/.+\.jsonl$/,
    titles: inLines(({ type, name }, path) => (type === 'session_info' ? [firstLine(path)['id'], name] : undefined)),
  },
  {
    harness: 'qwen-code',
    pattern: /^\.qwen\/projects\/.+\/chats\/.+\.jsonl$/,
    titles: inLines(({ subtype, sessionId, systemPayload }) =>
      subtype === 'custom_title' ? [sessionId, fieldsOf(systemPayload)['customTitle']] : undefined,
    ),
  },
  {
    harness: 'cursor',
    pattern: /\/globalStorage\/state\.vscdb$/,
    titles: (path) =>
      query(
        path,
        "SELECT substr(key, 14), json_extract(value, '$.name') FROM cursorDiskKV WHERE key LIKE 'composerData:%'",
      ),
  },
  {
    harness: 'opencode',
    pattern: /^\.local\/share\/opencode\/opencode\.db$/,
    titles: (path) => query(path, 'SELECT id, title FROM session'),
  },
  {
    harness: 'opencode',
    pattern: /^\.local\/share\/opencode\/storage\/session\/[^/]+\/[^/]+\.json$/,
    titles: (path) => [[json(path)['id'], json(path)['title']]],
  },
  {
    harness: 'kilo',
    pattern: /^\.local\/share\/kilo\/kilo\.db$/,
    titles: (path) => query(path, 'SELECT id, title FROM session'),
  },
  {
    harness: 'kimi-cli',
    pattern: /^\.kimi-code\/sessions\/[^/]+\/[^/]+\/state\.json$/,
    titles: (path) => [[basename(dirname(path)), json(path)['title']]],
  },
  {
    harness: 'chatgpt',
    pattern: /^Downloads\/chatgpt-web\/.+native-conversation.+\.json$/,
    titles: (path) => [[json(path)['conversation_id'] ?? json(path)['id'], json(path)['title']]],
  },
  {
    harness: 'claude-web',
    pattern: /^Downloads\/claude-web\/.+\.json$/,
    titles: (path) => [[json(path)['uuid'], json(path)['title']]],
  },
]

/** A file's first line. */
function firstLine(path: string): Fields {
  return fieldsOf(JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0] ?? ''))
}

/** What a client calls a session that has no title yet. */
const NO_TITLE = /^(?:New session - |Child session - |Untitled Session$)/

/** Every title in a home. */
export function titlesIn(home: string): Titled[] {
  return filesIn(home).flatMap((path) =>
    KEEPERS.filter(({ pattern }) => pattern.test(path)).flatMap(({ harness, titles }) =>
      titles(join(home, path)).flatMap(([session, title]) =>
        typeof session === 'string' && typeof title === 'string' && title.trim() !== '' && !NO_TITLE.test(title)
          ? [{ harness, session, title: title.trim() }]
          : [],
      ),
    ),
  )
}
