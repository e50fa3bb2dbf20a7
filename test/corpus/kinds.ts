/** Where each client keeps which transcripts, and how these are counted: written down from the files themselves. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { document, folder, headed, type Json, json, lines, listOf, named, type Part, rows, stem } from './counters.ts'

/** Files of one kind. */
export interface Kind {
  harness: string
  source: string
  pattern: RegExp
  count(path: string): Part[]
}

/** OpenCode's current tables: a session and its messages, with notes; its first ones; messages alone. */
const OPENCODE = [
  `SELECT s.id AS key, 1 + (SELECT count(*) FROM message WHERE session_id = s.id)
      + (SELECT count(*) FROM session_message WHERE session_id = s.id) AS records
    FROM session s WHERE EXISTS (SELECT 1 FROM message WHERE session_id = s.id)`,
  `SELECT s.id AS key, 1 + count(*) AS records FROM sessions s JOIN messages m ON m.session_id = s.id GROUP BY s.id`,
  `SELECT session_id AS key, count(*) AS records FROM message GROUP BY session_id`,
]

/**
 * A conversation of the editor, its bubbles with something in them, and its state, unless a bubble tells that the turn is
 * over. A window in which nobody wrote is listed and has no records.
 */
const COMPOSERS = `
  WITH bubble AS (
    SELECT substr(key, 10, 36) AS composer, value, json_extract(value, '$.turnDurationMs') AS ended FROM cursorDiskKV
      WHERE key LIKE 'bubbleId:%' AND (json_extract(value, '$.text') <> '' OR json_extract(value, '$.thinking.text') <> ''
        OR json_extract(value, '$.toolFormerData') IS NOT NULL))
  SELECT substr(key, 14) AS key, CASE
      WHEN json_extract(value, '$.name') IS NULL AND substr(key, 14) NOT IN (SELECT composer FROM bubble) THEN 0
      ELSE 1 + (SELECT count(*) FROM bubble WHERE composer = substr(key, 14))
        + (coalesce(json_extract(value, '$.status'), 'none') <> 'none'
          AND (SELECT max(ended) FROM bubble WHERE composer = substr(key, 14)) IS NULL) END AS records
    FROM cursorDiskKV WHERE key LIKE 'composerData:%'`

/** The command line's: one conversation, of which each blob that is JSON is a message. */
const CHAT = `
  SELECT 'chat' AS key, 1 + (SELECT count(*) FROM blobs WHERE substr(data, 1, 1) = '{') AS records FROM meta
    WHERE key = '0'`

const NAC = `
  SELECT session_id AS key, 2 + json_array_length(messages_json)
      + (SELECT count(*) FROM episodes e WHERE e.session_id = s.session_id) AS records FROM sessions s`

const ENDED = new Set<unknown>(['completed', 'cancelled', 'failed'])

/** Whether a session of Cline stands still, which is told beside it. */
function clineStatus(_: Json, path: string): number {
  const session = folder(path)
  if (stem(path) !== session) return 0
  return ENDED.has(json(join(dirname(path), `${session}.json`))['status']) ? 1 : 0
}

function storedMessages(path: string): Part[] {
  const session = String(json(path)['id'])
  const messages = join(dirname(path), '..', '..', 'message', session)
  return [{ records: 1 + readdirSync(messages).length, sessions: [session] }]
}

const dataOf = (record: Json, field: string): unknown => (Object(record['data']) as Json)[field]
const payloadId = (record: Json): unknown =>
  record['type'] === 'session_meta' ? (Object(record['payload']) as Json)['id'] : undefined
const headerId = (record: Json): unknown => (record['type'] === 'session' ? record['id'] : undefined)

export const KINDS: Kind[] = [
  {
    harness: 'claude-code',
    source: 'claude',
    pattern: /^\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/,
    count: lines(({ sessionId }) => sessionId),
  },
  {
    harness: 'claude-code',
    source: 'claude',
    pattern: /^\.claude\/projects\/[^/]+\/[^/]+\/subagents\/agent-[^/]+\.jsonl$/,
    count: (path) => lines(() => `${folder(path, 2)}/${stem(path)}`)(path),
  },
  {
    harness: 'claude-code',
    source: 'claude-cowork',
    pattern: /^Library\/Application Support\/Claude\/.+\/local_[^/]+\/\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/,
    count: (path) => lines(() => folder(path, 4))(path),
  },
  {
    harness: 'codex',
    source: 'codex',
    pattern: /^\.codex\/sessions\/.+\.jsonl$/,
    count: headed(payloadId, (path) => stem(path).slice(-36)),
  },
  {
    harness: 'copilot-cli',
    source: 'copilot-cli',
    pattern: /^\.copilot\/session-state\/(?:[^/]+\/events|[^/]+)\.jsonl$/,
    count: lines(
      (record) => (record['type'] === 'session.start' ? dataOf(record, 'sessionId') : undefined),
      (path) => (stem(path) === 'events' ? folder(path) : stem(path)),
    ),
  },
  {
    harness: 'gemini-cli',
    source: 'gemini-cli',
    pattern: /^\.gemini\/tmp\/[^/]+\/chats\/.+\.jsonl$/,
    count: lines(({ sessionId }) => sessionId),
  },
  {
    harness: 'gemini-cli',
    source: 'gemini-cli',
    pattern: /^\.gemini\/tmp\/[^/]+\/chats\/.+\.json$/,
    count: document('messages', 'sessionId'),
  },
  {
    harness: 'qwen-code',
    source: 'qwen-code',
    pattern: /^\.qwen\/projects\/[^/]+\/chats\/[^/]+\.jsonl$/,
    count: lines(({ sessionId }) => sessionId),
  },
  {
    harness: 'qwen-code',
    source: 'qwen-code',
    pattern: /^\.qwen\/projects\/[^/]+\/subagents\/.+\.jsonl$/,
    count: (path) => lines(() => `${folder(path)}/${stem(path)}`)(path),
  },
  {
    harness: 'grok-cli',
    source: 'grok-cli',
    pattern: /^\.grok\/sessions\/[^/]+\/[^/]+\/updates\.jsonl$/,
    count: named(1),
  },
  { harness: 'pi-coding-agent', source: 'pi', pattern: /^\.pi\/agent\/sessions\/.+\.jsonl$/, count: headed(headerId) },
  {
    harness: 'prime-agent',
    source: 'prime-agent',
    pattern: /^\.prime\/agent\/sessions\/[^/]+\.jsonl$/,
    count: headed(headerId),
  },
  {
    harness: 'prime-agent',
    source: 'prime-agent-subagents',
    pattern: /^\.prime\/agent\/session-artifacts\/.+\.jsonl$/,
    count: headed(headerId),
  },
  { harness: 'kiro-cli', source: 'kiro', pattern: /^\.kiro\/sessions\/cli\/[^/]+\.jsonl$/, count: named(0) },
  {
    harness: 'cursor',
    source: 'cursor',
    pattern: /^\.cursor\/projects\/[^/]+\/agent-transcripts\/.+\.jsonl$/,
    count: named(0),
  },
  {
    harness: 'cursor',
    source: 'cursor-sqlite',
    pattern: /^\.config\/Cursor\/User\/globalStorage\/state\.vscdb$/,
    count: rows(COMPOSERS),
  },
  {
    harness: 'cursor',
    source: 'cursor-sqlite',
    pattern: /^\.cursor\/chats\/[^/]+\/[^/]+\/store\.db$/,
    // Which conversation it is stands in a value that only the client can read.
    count: (path) => rows(CHAT)(path).map((part) => ({ ...part, key: '*', sessions: undefined })),
  },
  {
    harness: 'cline',
    source: 'cline',
    pattern: /^\.cline\/data\/sessions\/[^/]+\/[^/]+\.messages\.json$/,
    count: (path) => {
      const session = folder(path) === stem(path) ? stem(path) : `${folder(path)}__${stem(path)}`
      return document('messages', '', clineStatus)(path).map((part) => ({ ...part, sessions: [session] }))
    },
  },
  {
    harness: 'hermes',
    source: 'hermes',
    pattern: /^\.hermes\/sessions\/session_[^/]+\.json$/,
    count: document('messages', 'session_id', ({ last_updated }) => (last_updated === undefined ? 0 : 1)),
  },
  {
    harness: 'hermes',
    source: 'hermes-trajectories',
    pattern: /^trajectories\/[^/]+\.jsonl$/,
    count: (path) => named(0)(path).map((part) => ({ ...part, sessions: undefined })),
  },
  { harness: 'nac', source: 'nac', pattern: /^\.config\/nac\/store\.db$/, count: rows(NAC) },
  {
    harness: 'opencode',
    source: 'opencode',
    pattern: /^(?:\.local\/share\/opencode\/opencode[^/]*|projects\/.+\/opencode)\.db$/,
    count: rows(...OPENCODE),
  },
  {
    harness: 'opencode',
    source: 'opencode',
    pattern: /^\.local\/share\/opencode\/storage\/session\/[^/]+\/[^/]+\.json$/,
    count: storedMessages,
  },
  { harness: 'kilo', source: 'kilo', pattern: /^\.local\/share\/kilo\/kilo\.db$/, count: rows(...OPENCODE) },
  {
    harness: 'kimi-cli',
    source: 'kimi-code',
    pattern: /^\.kimi-code\/sessions\/.+\/agents\/[^/]+\/wire\.jsonl$/,
    count: (path) => {
      const session = folder(path, 3)
      return named(0)(path).map((part) => ({
        ...part,
        sessions: [folder(path) === 'main' ? session : `${session}/${folder(path)}`],
      }))
    },
  },
  {
    harness: 'kimi-cli',
    source: 'kimi-cli',
    pattern: /^\.kimi\/sessions\/.+\.jsonl$/,
    count: (path) => named(0)(path).map((part) => ({ ...part, sessions: undefined })),
  },
  {
    harness: 'continue',
    source: 'continue',
    pattern: /^\.continue\/sessions\/[0-9a-f-]{36}\.json$/,
    count: document('history', 'sessionId'),
  },
  ...[
    ['chatgpt', 'chatgpt-web'],
    ['claude-web', 'claude-web'],
    ['gemini-web', 'gemini-web'],
    ['grok-web', 'grok'],
  ].map(([harness = '', place]) => ({
    harness,
    source: harness,
    pattern: new RegExp(`^Downloads/${place}/.+\\.json$`),
    count: downloaded,
  })),
]

/** A download is a list of conversations, an object with such a list, or one conversation. */
function downloaded(path: string): Part[] {
  const content = JSON.parse(readFileSync(path, 'utf8')) as unknown
  const conversations = Array.isArray(content) ? content : listOf(Object(content)['conversations'])
  return [{ records: Math.max(1, conversations.length), sessions: undefined }]
}
