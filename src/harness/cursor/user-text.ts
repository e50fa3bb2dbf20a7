/** What a person typed, out of a user message that the client has wrapped for the model. */

/** What a user message holds. */
export interface UserText {
  /** What the person typed; empty when the client wrote all of it. */
  prompt: string
  /** Names of the parts the client added. */
  added: string[]
  /** Characters in them. */
  size: number
  /** Milliseconds since 1970, to the minute, where the client says when. */
  at?: number
  /** The working directory, where the client describes the machine. */
  cwd: string
  branch: string
}

const QUERY = 'user_query'
const TIME = 'timestamp'

/** Parts the client adds around or instead of a prompt. */
const ADDED = new Set(
  `additional_data agent_skills agent_transcripts always_applied_workspace_rules attached_files available_skills context
  cursor_commands dynamic_tools environment_context external_links git_status linter_errors mcp_file_system
  open_and_recently_viewed_files project_layout rules system_notification system_reminder task_notification
  terminal_files_information timestamp user_info user_rules`.split(/\s+/),
)

/** Some clients write a hyphen where others write an underscore. */
const TAG = /<([a-z][a-z_-]*)[^<>]*>/y

/** Where a message says which part is the prompt, every other part is an addition, whatever its name. */
export function readUserText(message: string): UserText {
  const isMarked = message.includes(`<${QUERY}>`)
  const { parts, rest } = cut(message, (tag) => tag === QUERY || isMarked || ADDED.has(tag))
  const read: UserText = { prompt: '', added: [], size: 0, cwd: '', branch: '' }
  const said: string[] = []
  for (const { tag, inside } of parts) {
    if (tag === QUERY) {
      said.push(inside.trim())
      continue
    }
    if (tag === TIME) {
      const at = parseStatedTime(inside)
      if (at !== undefined) read.at = at
      continue
    }
    read.added.push(tag)
    read.size += inside.length
    read.cwd ||= /^Workspace Path:\s*(\S.*)$/m.exec(inside)?.[1]?.trim() ?? ''
    if (tag === 'git_status') read.branch ||= branchOf(inside)
  }
  said.push(rest.trim())
  read.prompt = said.filter((part) => part !== '').join('\n')
  return read
}

interface Part {
  tag: string
  inside: string
}

/** Names of tags looked for to the end of a text in vain, after which it is taken to hold no more parts. */
const UNCLOSED = 50

/** Cuts the parts with wanted tags out of a text. A tag that is never closed stays. */
function cut(text: string, isWanted: (tag: string) => boolean): { parts: Part[]; rest: string } {
  const parts: Part[] = []
  const unclosed = new Set<string>()
  let rest = ''
  let done = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    TAG.lastIndex = at
    const tag = TAG.exec(text)?.[1]
    if (tag === undefined || unclosed.has(tag) || !isWanted(tag.replaceAll('-', '_'))) continue
    const start = TAG.lastIndex
    const end = text.indexOf(`</${tag}>`, start)
    if (end < 0) {
      unclosed.add(tag)
      if (unclosed.size >= UNCLOSED) break
      continue
    }
    parts.push({ tag: tag.replaceAll('-', '_'), inside: text.slice(start, end) })
    rest += text.slice(done, at)
    done = end + tag.length + 3
    at = done - 1
  }
  return { parts, rest: rest + text.slice(done) }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const STATED =
  /([A-Za-z]{3})[a-z]* (\d{1,2}), (\d{4}),? (\d{1,2}):(\d{2}) ?([AP]M)? ?\(UTC(?:([+-])(\d{1,2})(?::(\d{2}))?)?\)/i

/** `Friday, Sep 4, 2026, 2:21 AM (UTC+8)`. One without a zone is no moment. */
function parseStatedTime(text: string): number | undefined {
  const match = STATED.exec(text.slice(0, 200))
  if (!match) return undefined
  const [, name = '', day, year, hour, minute, half, sign, zoneHours = '0', zoneMinutes = '0'] = match
  const month = MONTHS.indexOf(name.toLowerCase())
  if (month < 0) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  return Date.UTC(Number(year), month, Number(day), hours, Number(minute) - offset)
}

/** `## main...origin/main` or `On branch main`. */
function branchOf(status: string): string {
  return (
    /^## (?:No commits yet on )?(\S+?)(?:\.\.\.|\s|$)/m.exec(status)?.[1] ?? /^On branch (\S+)/m.exec(status)?.[1] ?? ''
  )
}
