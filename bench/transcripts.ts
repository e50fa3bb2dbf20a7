/** Writes generated events as Claude Code and Codex write them, so that capture is measured on files of real shape. */

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GeneratedEvent, makeGenerator } from './generate.ts'

/** Checkouts below the home that sessions work in. */
const PROJECTS = ['shop', 'api', 'site']

export interface WrittenHome {
  home: string
  files: string[]
  bytes: number
  lines: number
}

interface Line {
  [key: string]: unknown
}

/** Whether the last call is still without an answer; an answer without a call is given one first. */
interface OpenCall {
  number: number
  open: boolean
}

/** Lays out `count` generated events as a HOME: even sessions by Claude Code, odd ones by Codex. */
export function writeHome(home: string, count: number, seed = 1): WrittenHome {
  const written: WrittenHome = { home, files: [], bytes: 0, lines: 0 }
  for (const project of PROJECTS) mkdirSync(join(home, 'work', project, '.git'), { recursive: true })
  let session = -1
  let lines: Line[] = []
  let state: SessionState | undefined
  const flush = (): void => {
    if (state) writeSession(written, state, lines)
    lines = []
  }
  for (const event of makeGenerator(seed).events(count)) {
    if (event.session !== session) {
      flush()
      session = event.session
      state = newSession(home, event)
      lines.push(...state.header(event.at))
    }
    if (state) lines.push(...state.lines(event))
  }
  flush()
  return written
}

interface SessionState {
  path: string
  header(at: number): Line[]
  lines(event: GeneratedEvent): Line[]
}

function writeSession(written: WrittenHome, { path }: SessionState, lines: readonly Line[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  const bytes = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  writeSync(file, bytes)
  closeSync(file)
  written.files.push(path)
  written.bytes += bytes.length
  written.lines += lines.length
}

function uuid(session: number, item: number): string {
  const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
  return `${hex(session, 8)}-0000-4000-8000-${hex(item, 12)}`
}

function newSession(home: string, event: GeneratedEvent): SessionState {
  return event.session % 2 === 0 ? claudeSession(home, event.session) : codexSession(home, event.session, event.at)
}

function claudeSession(home: string, session: number): SessionState {
  const cwd = join(home, 'work', PROJECTS[session % PROJECTS.length] ?? '')
  const sessionId = uuid(session, 0)
  let count = 0
  const call: OpenCall = { number: 0, open: false }
  const record = (event: GeneratedEvent, fields: Line): Line => ({
    parentUuid: count === 0 ? null : uuid(session, count),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version: '2.1.332',
    gitBranch: 'main',
    ...fields,
    uuid: uuid(session, ++count),
    timestamp: new Date(event.at).toISOString(),
  })
  const assistant = (event: GeneratedEvent, block: Line, stop: string | null): Line =>
    record(event, {
      type: 'assistant',
      requestId: `req_${session}_${count}`,
      message: {
        id: `msg_${session}_${count}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-5',
        content: [block],
        stop_reason: stop,
        usage: {
          input_tokens: 12,
          cache_creation_input_tokens: 900,
          cache_read_input_tokens: 20_000,
          output_tokens: Math.ceil(event.text.length / 4),
        },
      },
    })
  const looking = (number: number): Line => ({
    type: 'tool_use',
    id: `toolu_${session}_${number}`,
    name: 'Bash',
    input: { command: 'git status --short' },
  })
  return {
    path: join(home, '.claude', 'projects', cwd.replaceAll('/', '-'), `${sessionId}.jsonl`),
    header: () => [{ type: 'permission-mode', permissionMode: 'default', sessionId }],
    lines: (event) => {
      switch (event.type) {
        case 'user_input':
          return [
            record(event, { type: 'user', message: { role: 'user', content: event.text }, promptSource: 'typed' }),
          ]
        case 'assistant_response':
          return [assistant(event, { type: 'text', text: event.text }, 'end_turn')]
        case 'reasoning':
          return [assistant(event, { type: 'thinking', thinking: event.text, signature: 'c2lnbmF0dXJl' }, null)]
        case 'tool_call': {
          const [first = 'src/index.ts'] = event.text.split('\n')
          const edit = event.text.includes('\n')
          const input = edit
            ? { file_path: `${cwd}/${first}`, old_string: '', new_string: event.text.slice(first.length + 1) }
            : { command: event.text, description: 'Look' }
          call.open = true
          const block = {
            type: 'tool_use',
            id: `toolu_${session}_${++call.number}`,
            name: edit ? 'Edit' : 'Bash',
            input,
          }
          return [assistant(event, block, 'tool_use')]
        }
        case 'tool_response': {
          const before = call.open ? [] : [assistant(event, looking(++call.number), 'tool_use')]
          call.open = false
          const block = {
            type: 'tool_result',
            tool_use_id: `toolu_${session}_${call.number}`,
            content: event.text,
            is_error: false,
          }
          return [
            ...before,
            record(event, {
              type: 'user',
              message: { role: 'user', content: [block] },
              toolUseResult: { stdout: event.text, stderr: '', interrupted: false, isImage: false },
            }),
          ]
        }
        default:
          return [record(event, { type: 'system', subtype: 'informational', content: event.text, level: 'info' })]
      }
    },
  }
}

function codexSession(home: string, session: number, startedAt: number): SessionState {
  const cwd = join(home, 'work', PROJECTS[session % PROJECTS.length] ?? '')
  const id = uuid(session, 0)
  const day = new Date(startedAt).toISOString()
  const call: OpenCall = { number: 0, open: false }
  const line = (at: number, type: string, payload: Line): Line => ({
    timestamp: new Date(at).toISOString(),
    type,
    payload,
  })
  const command = (at: number, cmd: string): Line =>
    line(at, 'response_item', {
      type: 'function_call',
      name: 'exec_command',
      call_id: `call_${session}_${++call.number}`,
      arguments: JSON.stringify({ cmd, workdir: cwd }),
    })
  const [year = '', month = '', date = ''] = day.slice(0, 10).split('-')
  const name = `rollout-${day.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`
  return {
    path: join(home, '.codex', 'sessions', year, month, date, name),
    header: (at) => [
      line(at, 'session_meta', {
        id,
        timestamp: day,
        cwd,
        originator: 'codex_cli_rs',
        cli_version: '0.98.0',
        source: 'cli',
      }),
      line(at, 'turn_context', { cwd, model: 'gpt-5.5', approval_policy: 'never' }),
    ],
    lines: ({ type, at, text }) => {
      switch (type) {
        case 'user_input':
          return [
            line(at, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
            line(at, 'event_msg', { type: 'user_message', message: text }),
          ]
        case 'assistant_response':
          return [
            line(at, 'event_msg', { type: 'agent_message', message: text }),
            line(at, 'response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
          ]
        case 'reasoning':
          return [
            line(at, 'event_msg', { type: 'agent_reasoning', text }),
            line(at, 'response_item', {
              type: 'reasoning',
              summary: [{ type: 'summary_text', text }],
              encrypted_content: '',
            }),
          ]
        case 'tool_call':
          call.open = true
          return [command(at, text)]
        case 'tool_response': {
          const before = call.open ? [] : [command(at, 'git status --short')]
          call.open = false
          return [
            ...before,
            line(at, 'response_item', {
              type: 'function_call_output',
              call_id: `call_${session}_${call.number}`,
              output: `Process exited with code 0\nOutput:\n${text}`,
            }),
          ]
        }
        default:
          return [line(at, 'event_msg', { type: 'background_event', message: text })]
      }
    },
  }
}
