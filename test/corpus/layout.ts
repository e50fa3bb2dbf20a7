/**
 * Lays the shared transcripts out as their programs would have left them: copies, in homes of their own. A client that was
 * run through several scenarios has the same file names in each, so every scenario has a home; what was gathered from
 * elsewhere is in one, and the conformance fixtures are in another.
 */

import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCursorState, makeNacStore, makeOpencodeDatabase } from './databases.ts'

export const shared = fileURLToPath(new URL('../../../shared', import.meta.url))

export const isThere = existsSync(join(shared, 'corpus')) && existsSync(join(shared, 'conformance', 'harness-fixtures'))

/** Where a file goes. */
interface Target {
  home: string
  /** Path below the home. */
  path: string
  /** Makes what lies there when it is no mere copy. */
  make?: (from: string, to: string) => void
}

type Match = RegExpExecArray & { groups?: Record<string, string> }

/** The first rule that matches a path below the shared folder decides; one without a target says why there is none. */
interface Rule {
  pattern: RegExp
  to?: (match: Match, from: string) => Target
  reason?: string
}

const GATHERED = 'gathered'
/** The conformance fixtures, and the corpus's own copies of them. */
export const FIXTURES = 'fixtures'
export const FIXTURES_AGAIN = 'fixtures-again'
/** Cowork is a mode of the desktop's program, which macOS has a folder for. */
export const COWORK = 'cowork'
export const COWORK_AGAIN = 'cowork-again'

const gathered = (path: string): Target => ({ home: GATHERED, path })

/** A folder's name made of a path, so that files of equal names stay apart. */
const flat = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, '-')

/** A number for a file whose program would have made one up. */
const digits = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12)

/** The first value that any record of a file has for a field. */
function firstField(path: string, name: string): string | undefined {
  const value = new RegExp(`"${name}": ?"([^"]+)"`).exec(readFileSync(path, 'utf8'))?.[1]
  return value?.includes(' ') ? undefined : value
}

const STAGE = String.raw`alias16\+agent-sessions/Resources/Fixtures/stage0/agents`
const KIMI = '.kimi-code/sessions/wd_project_ac3bb318f98e'
const KIMI_SMALL = `${KIMI}/session_9eb1bf57-c1af-48a5-b658-0e8d9fe794f5`
const KIMI_TOOLS = `${KIMI}/session_1bcbe023-4f7e-4971-9dc9-43b8756045b0`
const SOME_SESSION = '22222222-2222-4222-8222-222222222222'

/** What lies beside transcripts and is none. */
const NO_TRANSCRIPTS: Rule[] = [
  { pattern: /\/mcp-messages\.jsonl$/, reason: 'what an MCP server saw' },
  { pattern: /\.db-shm$/, reason: 'shared memory of a database, made anew by whoever opens it' },
  {
    pattern: /(?:^corpus\/(?:README\.md|MANIFEST\.tsv|LICENSES\/)|LICENSE[^/]*\.txt$|\/README\.md$)/,
    reason: 'about the files',
  },
  { pattern: /^corpus\/claude-code\/vredchenko/, reason: 'what hooks are given' },
  {
    pattern: /^corpus\/cursor\/S2thend[^/]*\/tests\/compatibility\/fixtures\/[^/]+\/[^/]+\.json$/,
    reason: 'tests of another program',
  },
  { pattern: /^corpus\/chatgpt-web\/.*browser-capture/, reason: 'the envelope of another program: no page gives it' },
  {
    pattern: /^corpus\/hermes\/.*\/(?:atif|atof|archival_export|origin-capability)\//,
    reason: 'an exporter for observability',
  },
  { pattern: /^corpus\/other\/.*\/goldens\//, reason: 'what another program made of transcripts' },
  { pattern: /^corpus\/other\/EntityProcess\+agentv\/results\//, reason: 'the log of a test runner' },
  { pattern: /^corpus\/other\/.*\/(?:antigravity|droid|openclaw|iflow)\//, reason: 'a client there is no harness for' },
  { pattern: /\/nac\/normalized\.jsonl$/, reason: 'what another program made of a store' },
  { pattern: new RegExp(`^corpus/grok/${STAGE}`), reason: 'the history the model sees, without the log that is read' },
]

/** The fixtures, by their path below their folder; the corpus files them below each client's. */
const ofFixture: Record<string, (home: string) => Target | undefined> = {
  'claude-code/session.jsonl': (home) => ({ home, path: '.claude/projects/-work-fixture/session.jsonl' }),
  'codex/session.jsonl': (home) => ({ home, path: rollout('fixture') }),
  'cursor/state-vscdb-kv.jsonl': (home) => ({
    home,
    path: '.config/Cursor/User/globalStorage/state.vscdb',
    make: makeCursorState,
  }),
  'kimi-cli/wire.jsonl': (home) => ({ home, path: `.kimi/sessions/project-1/${SOME_SESSION}/wire.jsonl` }),
  'kiro/session.jsonl': (home) => ({ home, path: '.kiro/sessions/cli/session.jsonl' }),
  'kiro/session.json': (home) => ({ home, path: '.kiro/sessions/cli/session.json' }),
  'hermes/trajectories/001.jsonl': (home) => ({ home, path: `${TRAJECTORIES}/001.jsonl` }),
  'nac/store.sql': (home) => ({ home, path: '.config/nac/store.db', make: makeNacStore }),
  'opencode/session.jsonl': (home) => ({
    home,
    path: '.local/share/opencode/opencode.db',
    make: makeOpencodeDatabase,
  }),
  'pi/session.jsonl': (home) => ({ home, path: '.pi/agent/sessions/--work--/session.jsonl' }),
  'pi/malformed.jsonl': (home) => ({ home, path: '.pi/agent/sessions/--work--/malformed.jsonl' }),
  'prime-agent/session.jsonl': (home) => ({ home, path: `.prime/agent/sessions/${PRIME}.jsonl` }),
  'prime-agent/child.jsonl': (home) => ({
    home,
    path: `.prime/agent/session-artifacts/${PRIME}/sub-abcdefab/abcdefab-cdef-4abc-8def-abcdefabcdef.jsonl`,
  }),
  'qwen-code/session.jsonl': (home) => ({ home, path: '.qwen/projects/-work/chats/session.jsonl' }),
}

const PRIME = '12345678-1234-4234-8234-123456789abc'

/** Folder of a home with runs in batches, which lie wherever somebody wanted them. */
export const TRAJECTORIES = 'trajectories'

function rollout(name: string): string {
  return `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-00000000-0000-4000-8000-${digits(name)}.jsonl`
}

function fixture(path: string, home: string): Target {
  const known = ofFixture[path]?.(home)
  if (known) return known
  if (path.startsWith('claude-cowork/')) {
    const path_ = path.replace('claude-cowork/', 'Library/Application Support/Claude/')
    return { home: home === FIXTURES ? COWORK : COWORK_AGAIN, path: path_ }
  }
  if (path.startsWith('cursor/projects/')) return { home, path: `.${path}` }
  if (path.startsWith('hermes/sessions/')) return { home, path: `.${path}` }
  if (path.startsWith('kimi-cli/')) return { home, path: path.replace('kimi-cli/', '.kimi/sessions/') }
  throw new Error(`nobody knows where the fixture ${path} would lie`)
}

const RULES: Rule[] = [
  ...NO_TRANSCRIPTS,
  { pattern: /^conformance\/harness-fixtures\/(.+)$/, to: ([, path = '']) => fixture(path, FIXTURES) },
  {
    pattern: /^corpus\/[^/]+\/eric-tramel\+moraine\/fixtures\/(.+)$/,
    to: ([, path = '']) => fixture(path, FIXTURES_AGAIN),
  },
  {
    pattern: /^corpus\/[^/]+\/generated\/[^/]+\/([^/@]+)(?:@[^/]+)?\/(.+)$/,
    to: ([, scenario = '', path = '']) => ({ home: scenario, path }),
  },

  {
    pattern: /^corpus\/(claude-code\/.+?)\/([^/]+\/subagents\/[^/]+)$/,
    to: ([, folder = '', path = '']) => gathered(`.claude/projects/-${flat(folder)}/${path}`),
  },
  {
    // The client names the file after the session; each has a folder, since many are of one.
    pattern: /^corpus\/(claude-code\/.+?)\/([^/]+)\.jsonl$/,
    to: ([, folder = '', name = ''], from) => {
      const session = firstField(from, 'sessionId') ?? name
      const parent = existsSync(join(dirname(from), session)) ? '' : `-${flat(name)}`
      return gathered(`.claude/projects/-${flat(folder)}${parent}/${session}.jsonl`)
    },
  },
  { pattern: /^corpus\/codex\/[^/]+\/(\.codex\/.+)$/, to: ([, path = '']) => gathered(path) },
  { pattern: /^corpus\/codex\/(.+)\.jsonl$/, to: ([, path = '']) => gathered(rollout(path)) },
  {
    pattern: /^corpus\/other\/EntityProcess\+agentv\/CopilotCLI__/,
    to: (_, from) => gathered(`.copilot/session-state/${firstField(from, 'sessionId') ?? ''}/events.jsonl`),
  },
  {
    pattern: new RegExp(`^corpus/other/${STAGE}/copilot/(?:subdir_v1/)?(.+)$`),
    to: ([, path = '']) => gathered(`.copilot/session-state/${path}`),
  },

  {
    pattern: /^corpus\/cursor\/.+\.vscdb$/,
    to: () => gathered('.config/Cursor/User/globalStorage/state.vscdb'),
  },
  {
    pattern: /^corpus\/cursor\/.+\/test-store\.db$/,
    to: () => gathered(`.cursor/chats/0a1b2c/${SOME_SESSION}/store.db`),
  },
  {
    pattern: /^corpus\/cursor\/.+\/store-root\/((?:chats|projects)\/.+)$/,
    to: ([, path = '']) => gathered(`.cursor/${path}`),
  },
  {
    pattern: new RegExp(`^corpus/cursor/${STAGE}/cursor/subagent/(?:(subagents/child)|parent)\\.jsonl$`),
    to: ([, child]) => gathered(`.cursor/projects/stage/agent-transcripts/parent/${child ?? 'parent'}.jsonl`),
  },
  {
    pattern: /^corpus\/cursor\/(.+)\/([^/]+)\.jsonl$/,
    to: ([, folder = '', name = '']) =>
      gathered(`.cursor/projects/${flat(folder)}/agent-transcripts/${name}/${name}.jsonl`),
  },

  {
    pattern: /^corpus\/gemini-cli\/(.+)\/([^/]+)(\.jsonl?)$/,
    to: ([, folder = '', name = '', end = '']) => gathered(`.gemini/tmp/${flat(folder)}/chats/session-${name}${end}`),
  },
  {
    pattern: new RegExp(`^corpus/hermes/${STAGE}/hermes/(.+)$`),
    to: ([, name = '']) => gathered(`.hermes/sessions/session_${name}`),
  },

  {
    pattern: new RegExp(`^corpus/kimi-cli/${STAGE}/kimi/small\\.jsonl$`),
    to: () => gathered(`${KIMI_SMALL}/agents/main/wire.jsonl`),
  },
  {
    pattern: new RegExp(`^corpus/kimi-cli/${STAGE}/kimi/state\\.json$`),
    to: () => gathered(`${KIMI_SMALL}/state.json`),
  },
  {
    pattern: new RegExp(`^corpus/kimi-cli/${STAGE}/kimi/assistant_tools\\.jsonl$`),
    to: () => gathered(`${KIMI_TOOLS}/agents/main/wire.jsonl`),
  },
  {
    pattern: new RegExp(`^corpus/kimi-cli/${STAGE}/kimi/assistant_tools\\.state\\.json$`),
    to: () => gathered(`${KIMI_TOOLS}/state.json`),
  },
  {
    pattern: new RegExp(`^corpus/kimi-cli/${STAGE}/kimi/subagent_agent-0\\.jsonl$`),
    to: () => gathered(`${KIMI_TOOLS}/agents/agent-0/wire.jsonl`),
  },
  {
    pattern: /^corpus\/kimi-cli\/MoonshotAI\+kimi-cli\/.+\/([0-9a-f]{32}\/[^/]+\.jsonl)$/,
    to: ([, path = '']) => gathered(`.kimi/sessions/${path}`),
  },

  {
    pattern: new RegExp(`^corpus/opencode/${STAGE}/opencode/storage_(?:v2|legacy)/(.+)$`),
    to: ([, path = '']) => gathered(`.local/share/opencode/storage/${path}`),
  },
  { pattern: /^corpus\/opencode\/holgern.+\.db$/, to: () => gathered('.local/share/opencode/opencode-toktrail.db') },
  { pattern: /^corpus\/opencode\/tuist\+Noora\/(.+)$/, to: ([, path = '']) => gathered(`${PROJECTS}/${path}`) },
  {
    pattern: /^corpus\/pi\/(.+)\/([^/]+\.jsonl)$/,
    to: ([, folder = '', name = '']) => gathered(`.pi/agent/sessions/--${flat(folder)}--/${name}`),
  },
  {
    pattern: /^corpus\/qwen-code\/(.+)\/([^/]+\.jsonl)$/,
    to: ([, folder = '', name = '']) => gathered(`.qwen/projects/${flat(folder)}/chats/${name}`),
  },
  {
    pattern: /^corpus\/((?:chatgpt-web|claude-web|gemini-web|grok)\/.+\.json)$/,
    to: ([, path = '']) => gathered(`${DOWNLOADS}/${path}`),
  },
]

/** Folder of a home with what people downloaded; each file is read when it is named. */
export const DOWNLOADS = 'Downloads'

/** Folder of a home with projects in which the first OpenCode left a database; each is read when it is named. */
export const PROJECTS = 'projects'

/** A file that was laid out. */
export interface Laid {
  /** Path below the shared folder. */
  from: string
  home: string
  /** Path below the home. */
  path: string
}

export interface Layout {
  laid: Laid[]
  /** Files that are no transcripts, and why. */
  passedOver: Map<string, string>
}

/** Long enough ago for a file's time of change to be trusted. */
const SETTLED = Date.UTC(2026, 0, 1) / 1000

/**
 * Copies everything into homes below a folder. The originals are only read.
 * @throws when a file is of no known kind, or two would lie at the same place
 */
export function layOut(folder: string): Layout {
  const layout: Layout = { laid: [], passedOver: new Map() }
  const taken = new Map<string, string>()
  for (const from of [...filesBelow('corpus'), ...filesBelow('conformance/harness-fixtures')]) {
    const rule = RULES.find(({ pattern }) => pattern.test(from))
    const match = rule?.pattern.exec(from)
    if (!rule || !match) throw new Error(`nobody knows what ${from} is`)
    if (!rule.to) {
      layout.passedOver.set(from, rule.reason ?? '')
      continue
    }
    const original = join(shared, from)
    const { home, path, make = copyFileSync } = rule.to(match, original)
    const to = join(folder, home, path)
    const other = taken.get(to)
    if (other !== undefined) throw new Error(`${from} and ${other} both go to ${to}`)
    taken.set(to, from)
    mkdirSync(dirname(to), { recursive: true })
    make(original, to)
    // The originals may not be written to; what a client leaves may.
    chmodSync(to, 0o644)
    utimesSync(to, SETTLED, SETTLED)
    layout.laid.push({ from, home, path })
  }
  return layout
}

/** Paths of all files below a folder of the shared one, with forward slashes, in order. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(shared, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(shared, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
