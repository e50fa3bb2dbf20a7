/** Tool calls as the extension shows them: by what they do, where the model called them by another name. */

import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, pick, text } from '../fields.ts'

export interface ShownCall {
  name: string
  server: string
  input: unknown
  text: string
}

/** What is shown, and the tool that the model called. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ['editedExistingFile', 'replace_in_file'],
  ['newFileCreated', 'write_to_file'],
  ['fileDeleted', 'delete_file'],
  ['readFile', 'read_file'],
  ['listFilesTopLevel', 'list_files'],
  ['listFilesRecursive', 'list_files'],
  ['listCodeDefinitionNames', 'list_code_definition_names'],
  ['searchFiles', 'search_files'],
  ['webFetch', 'web_fetch'],
  ['webSearch', 'web_search'],
  ['summarizeTask', 'summarize_task'],
  ['useSkill', 'use_skill'],
])

/** A shown call; `kind` is the step's, `shown` its text as JSON where it is some. */
export function callOf(kind: string, said: string, shown: unknown): ShownCall {
  const named = fields(shown)
  switch (kind) {
    case 'command':
      return ofCommand(said)
    case 'use_mcp_server':
      return ofServer(named)
    case 'tool':
      return ofTool(named, said)
    case 'use_subagents':
      return {
        name: kind,
        server: '',
        input: shown,
        text: lines(...list(named['prompts']).map((prompt) => text(prompt))),
      }
    default: {
      // A browser is launched at an address and then told what to do.
      const input = kind === 'browser_action_launch' ? { action: 'launch', url: said } : shown
      return { name: 'browser_action', server: '', input, text: text(fields(input)['url']) || callText(input) }
    }
  }
}

/** Some clients put what the command printed below it. */
function ofCommand(said: string): ShownCall {
  const [command = ''] = said.split('\nOutput:')
  return { name: 'execute_command', server: '', input: { command }, text: command }
}

function ofServer(named: Fields): ShownCall {
  const server = text(named['serverName'])
  if (named['type'] === 'access_mcp_resource') {
    return { name: 'access_mcp_resource', server, input: pick(named, ['uri']) ?? {}, text: text(named['uri']) }
  }
  const input = argumentsOf(named['arguments'])
  return { name: text(named['toolName']), server, input, text: callText(input) }
}

/** Arguments are JSON in a text. */
function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {}
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function ofTool(named: Fields, said: string): ShownCall {
  const shown = text(named['tool'])
  const name = TOOLS.get(shown) ?? (shown || 'tool')
  const reads = shown === 'readFile' || shown.startsWith('list') || shown === 'searchFiles'
  // Of a file that is read `content` is its path once more, of a search what was found, and of an edit the diff again.
  const change = typeof named['diff'] === 'string' ? ['diff'] : reads ? [] : ['content']
  const input = pick(named, ['path', 'regex', 'filePattern', ...change]) ?? {}
  const whole = Object.keys(input).length === 0 ? said : callText(input)
  return { name, server: '', input, text: whole || said }
}

/** What a call answered, as far as it was shown; pictures leave. */
export function responseOf(said: string, shown: unknown): string {
  const named = fields(shown)
  if ('screenshot' in named || 'logs' in named || 'currentUrl' in named) {
    return lines(text(named['currentUrl']), text(named['logs']), 'screenshot' in named ? '[screenshot]' : '')
  }
  const results = list(named['items']).map((item) => text(fields(item)['result']) || text(fields(item)['error']))
  return lines(...results) || said
}
