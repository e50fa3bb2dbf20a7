/** What the context tools call the place a conversation is from. */

const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'claude_code',
  codex: 'codex_cli',
  'grok-cli': 'grok_cli',
  cursor: 'cursor_composer',
  'gemini-cli': 'gemini_cli',
  chatgpt: 'chatgpt_web',
  'claude-web': 'claude_web',
  'grok-web': 'grok_web',
  'gemini-web': 'gemini_web',
}

/** The source name of a harness; of one without a name of its own its id, with `_` for `-`. */
export function sourceNameOf(harness: string): string {
  return NAMES[harness] ?? harness.replaceAll('-', '_')
}

/** The harness ids that a source name may stand for. */
export function harnessesNamed(sourceName: string): string[] {
  const known = Object.entries(NAMES).find(([, name]) => name === sourceName)
  return known ? [known[0]] : [...new Set([sourceName.replaceAll('_', '-'), sourceName])]
}
